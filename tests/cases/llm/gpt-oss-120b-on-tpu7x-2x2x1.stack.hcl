# expect: data-parallel-on-slice
# AI-Hypercomputer/tpu-recipes@c8cfe2f inference/ironwood/vLLM/GPT-OSS/README-gcs.md: it runs without Ray, as eight devices of one host; on a slice Ray finds no place for the ranks

stack "gpt-oss-120b-on-tpu7x-2x2x1" {
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
    source                 = "openai/gpt-oss-120b"
    tensor_parallel_size   = 2
    data_parallel_size     = 4
    max_model_len          = 9216
    gpu_memory_utilization = 0.86
    kv_cache_dtype         = "fp8"
  }
}
