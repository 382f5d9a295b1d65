# expect: tool-choice-without-parser
# vLLM 0.33.0 entrypoints/common/cli_args.py:553

stack "tools-without-a-parser" {
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
    source                  = "meta-llama/Llama-3.1-8B-Instruct"
    tensor_parallel_size    = 4
    max_model_len           = 4096
    enable_auto_tool_choice = true
  }
}
