# expect: slice-unreachable-from-ray
# vllm-project/tpu-inference@b8692ff .buildkite/benchmark/cases/daily/gpt_oss_120b.json (v7x-2): it runs without Ray; Ray has no such slice

stack "gpt-oss-120b-on-tpu7x-1x1x1" {
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
  topology    = "1x1x1"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  env = {
    MODEL_IMPL_TYPE   = "vllm"
    USE_MOE_EP_KERNEL = "0"
  }
  model "m" {
    source                 = "openai/gpt-oss-120b"
    tensor_parallel_size   = 2
    max_model_len          = 9216
    gpu_memory_utilization = 0.97
    max_num_seqs           = 1024
    max_num_batched_tokens = 16384
    kv_cache_dtype         = "fp8"
  }
}
