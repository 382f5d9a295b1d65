# expect: ok
# marin-community/marin#3792 (v5p, PP=2 x TP=4 on Ray: 8 of the chips): PP=2 x TP=4 on Ray: 8 chips

stack "qwen3-235b-a22b-on-v5p-2x2x2" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-east5-a"
}

slice "s" {
  cluster     = cluster.c
  accelerator = "v5p"
  topology    = "2x2x2"
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source                 = "Qwen/Qwen3-235B-A22B"
    tensor_parallel_size   = 4
    pipeline_parallel_size = 2
    max_model_len          = 4096
    gpu_memory_utilization = 0.9
  }
}
