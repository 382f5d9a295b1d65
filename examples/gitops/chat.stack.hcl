# An endpoint in two environments: one host to develop on, two slices of four hosts for users. What differs stands in
# chat.dev.vars.hcl and chat.prod.vars.hcl.
stack "chat" {
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "chat-${var.stage}"
  create_namespace = true
}

variable "stage" {
  type        = string
  description = "Which environment this is: dev or prod"
}

variable "topology" {
  type        = string
  description = "Shape of a slice: 2x2 is one host, 4x4 is four"
}

variable "replicas" {
  type        = number
  description = "Slices, each with one replica of the model"
}

cluster "tpu" {
  project  = "example-${var.stage}"
  location = "us-east5"
  version  = "1.35"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = var.topology
  num_slices  = var.replicas
  capacity "reservation" {
    name = "chat-${var.stage}"
  }
}

secret "hf" {
  keys = ["hf_api_token"]
}

serve "chat" {
  runtime    = "ray"
  slice      = slice.v6e
  image      = "us-docker.pkg.dev/example-${var.stage}/ml/ray-llm-tpu:2.60.0"
  num_slices = var.replicas
  model "qwen3-32b" {
    source               = "Qwen/Qwen3-32B"
    tensor_parallel_size = slice.v6e.devices
    max_model_len        = 16384
  }
  secret_env = {
    HF_TOKEN = secret.hf.hf_api_token
  }
}

output "endpoint" {
  value = serve.chat.url
}
