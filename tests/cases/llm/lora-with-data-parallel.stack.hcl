# expect: data-parallel-on-slice
# tpu-inference 0.32.0 layers/common/sharding.py: LoRA is not supported with data parallelism

stack "lora-with-data-parallel" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-east5-b"
}

slice "s" {
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "2x2"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "meta-llama/Llama-3.1-8B-Instruct"
    tensor_parallel_size = 2
    data_parallel_size   = 2
    enable_lora          = true
    max_model_len        = 4096
  }
}
