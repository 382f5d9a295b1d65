# expect: data-parallel-on-slice
# AI-Hypercomputer/tpu-recipes@c8cfe2f inference/ironwood/vLLM/Gemma4/gemma4-server.yaml: it runs without Ray, as eight devices of one host; on a slice Ray finds no place for the ranks

stack "gemma-4-31b-on-tpu7x-2x2x1" {
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
  env = {
    TPU_MULTIPROCESS_DP         = "1"
    VLLM_ENGINE_READY_TIMEOUT_S = "1800"
  }
  model "m" {
    source                 = "google/gemma-4-31B-it"
    tensor_parallel_size   = 2
    data_parallel_size     = 4
    max_model_len          = 1524
    gpu_memory_utilization = 0.9
    max_num_seqs           = 256
    max_num_batched_tokens = 16384
    kv_cache_dtype         = "fp8"
  }
}
