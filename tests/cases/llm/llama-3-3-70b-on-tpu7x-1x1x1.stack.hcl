# expect: slice-unreachable-from-ray
# vllm-project/tpu-inference@b8692ff .buildkite/benchmark/cases/daily/daily_qwen_llama_tpu7x_2.json: it runs without Ray; Ray has no such slice

stack "llama-3-3-70b-on-tpu7x-1x1x1" {
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
  model "m" {
    source                 = "meta-llama/Llama-3.3-70B-Instruct"
    tensor_parallel_size   = 2
    max_model_len          = 10240
    gpu_memory_utilization = 0.92
    max_num_seqs           = 1024
    max_num_batched_tokens = 4096
  }
}
