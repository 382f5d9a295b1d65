# expect: ok
# vllm-project/tpu-inference PR#145 (log 811,008 KV tokens)

stack "llama-3-1-8b-on-v6e-2x2" {
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
    source                 = "meta-llama/Llama-3.1-8B-Instruct"
    tensor_parallel_size   = 4
    max_model_len          = 16384
    gpu_memory_utilization = 0.9
  }
}
