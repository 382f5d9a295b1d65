# expect: argument-not-in-vllm
# the parsers of vLLM 0.21 and later

stack "an-argument-that-was-removed" {
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
    source                  = "Qwen/Qwen2.5-VL-7B-Instruct"
    max_model_len           = 16384
    guided_decoding_backend = "auto"
  }
}
