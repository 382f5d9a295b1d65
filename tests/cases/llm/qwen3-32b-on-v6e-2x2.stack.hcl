# expect: ok
# AI-Hypercomputer/tpu-recipes@c8cfe2f inference/trillium/vLLM/Qwen3/README.md

stack "qwen3-32b-on-v6e-2x2" {
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
    source                 = "Qwen/Qwen3-32B"
    tensor_parallel_size   = 4
    max_model_len          = 4096
    gpu_memory_utilization = 0.98
    max_num_seqs           = 256
    max_num_batched_tokens = 2048
  }
}
