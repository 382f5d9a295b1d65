# expect: pipeline-stages
# vllm_torchtpu 0.29.0 pp_validation.py: --no-async-scheduling

stack "torchtpu-stages-and-async" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
  vllm_backend    = "torchtpu"
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
    pipeline_parallel_size = 4
    max_model_len          = 4096
    async_scheduling       = true
  }
}
