# Ironwood (TPU7x): a PyTorch run on one slice of 64 chips, on a reservation. A chip has two devices, so that 64 chips are
# 128 workers; the hosts are placed by a workload policy, and the pods claim the second network card through DRANET.

stack "tpu7x-ironwood" {
  required_version = ">= 0.1"
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "training"
  create_namespace = true
  deploy "directory" {
    path = "rendered"
  }
}

variable "project" {
  type        = string
  description = "Google Cloud project that owns the cluster"
}

cluster "ironwood" {
  project             = var.project
  location            = "us-central1"
  version             = "1.35"
  manage              = true
  authorized_networks = ["203.0.113.0/24"] # who may reach the control plane
}

slice "pod" {
  cluster     = cluster.ironwood
  zone        = "us-central1-c"
  accelerator = "tpu7x"
  topology    = "4x4x4" # 64 chips on 16 hosts: one cube
  dranet      = "all"   # pods claim every network device of their machine
  capacity "reservation" {
    name = "ironwood-2026"
  }
  boot_disk {
    size_gb = 200 # hyperdisk-balanced, which is what these machines boot from
  }
}

bucket "runs" {
  name = "${var.project}-ironwood"
}

service_account "trainer" {}

train "pretrain" {
  framework             = "pytorch"
  slice                 = slice.pod
  image                 = "us-docker.pkg.dev/${var.project}/ml/torch-tpu:2.60.0"
  service_account       = service_account.trainer
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
  train_loop_config     = { model = "llama3.1-70b", steps = 20000 }
  storage_path          = "gs://${bucket.runs.name}/runs"
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size  = 32
      shard = true
    }
    axis "tensor" {
      size = 4 # 32 x 4 = 128 devices: two a chip
    }
  }
  checkpoint {
    num_to_keep = 3
  }
  failure {
    max_failures = 5
  }
}

output "workers" {
  value = train.pretrain.num_workers
}
