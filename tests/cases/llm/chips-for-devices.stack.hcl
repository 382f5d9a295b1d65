# expect: parallelism-product
# llm-d PR#584: 4 chips are 8 devices

stack "chips-for-devices" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-central1-c"
}

slice "s" {
  cluster     = cluster.c
  accelerator = "tpu7x"
  topology    = "2x2x1"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "meta-llama/Llama-3.3-70B-Instruct"
    tensor_parallel_size = 4
    max_model_len        = 4096
  }
}
