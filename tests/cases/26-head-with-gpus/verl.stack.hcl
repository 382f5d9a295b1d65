# realworld case 26: a head alone, with 4 GPUs, for verl.
stack "verl" {
  ray_version     = "2.43.0"
  kuberay_version = "1.4.0"
}

cluster "gpu" {
  project  = "demo"
  location = "us-central1-a"
}

ray_cluster "verl-cluster" {
  image = "hiyouga/verl:ngc-th2.6.0-cu126-vllm0.8.4-flashinfer0.2.2-cxx11abi0"
  head {
    gpus     = 4
    cpu      = 48
    memory   = "192G"
    requests = { cpu = 36, memory = "144G" }
  }
}
