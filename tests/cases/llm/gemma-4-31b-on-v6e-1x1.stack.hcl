# expect: model-does-not-fit
# tpu-inference#2333

stack "gemma-4-31b-on-v6e-1x1" {
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
  topology    = "1x1"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source        = "google/gemma-4-31B-it"
    max_model_len = 16384
  }
}
