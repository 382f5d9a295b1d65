# expect: ok
# vllm#24004: what its answer recommends

stack "vision-tower-whole" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-central1-a"
}

nodes "n" {
  cluster      = cluster.c
  machine_type = "a3-highgpu-8g"
  node_count   = 1
}

model "glm" {
  layers       = 46
  heads        = 96
  kv_heads     = 8
  head_dim     = 128
  experts      = 128
  vision_heads = 12
  context      = 65536
  parameters   = 106000000000
}

serve "llm" {
  runtime = "ray"
  nodes   = nodes.n
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "zai-org/GLM-4.5V"
    facts                = model.glm
    tensor_parallel_size = 8
    mm_encoder_tp_mode   = "data"
    max_model_len        = 4096
    quantization         = "fp8"
  }
}
