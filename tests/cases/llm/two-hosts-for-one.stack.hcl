# expect: slice-unreachable-from-ray
# Ray 2.60.0 _private/accelerators/tpu.py get_chips_per_host: one bundle of 8 chips is asked for

stack "two-hosts-for-one" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-east5-b"
}

slice "s" {
  cluster        = cluster.c
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 4
}

serve "llm" {
  runtime = "ray"
  slice   = slice.s
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "Qwen/Qwen3-32B"
    tensor_parallel_size = 8
    max_model_len        = 4096
  }
}
