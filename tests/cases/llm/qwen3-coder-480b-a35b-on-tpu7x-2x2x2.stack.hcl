# expect: ok
# vllm-project/tpu-inference@b8692ff scripts/multihost/benchmarks/torchax/run_qwen3_coder_480b_1k_8k.sh

stack "qwen3-coder-480b-a35b-on-tpu7x-2x2x2" {
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
  topology    = "2x2x2"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source                 = "Qwen/Qwen3-Coder-480B-A35B-Instruct"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 10240
    gpu_memory_utilization = 0.9
    max_num_seqs           = 128
    max_num_batched_tokens = 1024
  }
}
