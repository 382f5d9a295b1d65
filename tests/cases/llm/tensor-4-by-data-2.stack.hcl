# expect: data-parallel-on-nodes
# llm-d-modelservice#140, llm-d-benchmark PR#330: 8 accelerators are needed, 4 asked for

stack "tensor-4-by-data-2" {
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

serve "llm" {
  runtime = "ray"
  nodes   = nodes.n
  image   = "registry.example/ray-llm:2.60.0"
  model "m" {
    source               = "meta-llama/Llama-3.1-8B-Instruct"
    tensor_parallel_size = 4
    data_parallel_size   = 2
    max_model_len        = 4096
  }
}
