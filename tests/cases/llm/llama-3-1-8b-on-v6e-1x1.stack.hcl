# expect: ok
# AI-Hypercomputer/tpu-recipes@c8cfe2f inference/trillium/vLLM/Llama3.x/README.md

stack "llama-3-1-8b-on-v6e-1x1" {
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
    source                 = "meta-llama/Llama-3.1-8B-Instruct"
    max_model_len          = 2048
    gpu_memory_utilization = 0.98
    max_num_seqs           = 128
    max_num_batched_tokens = 1024
  }
}
