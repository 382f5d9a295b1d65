# Two v6e 4x4 for MaxText, with the networks of their machines claimed through DRANET.
stack "maxtext-tpu-cluster" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
}

slice "tpu-group" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
  provision   = "existing"
  dranet      = 2
}

service_account "ray" {
  manage = false
}

bucket "data" {
  name = "demo-data"
}

ray_cluster "maxtext-tpu-cluster" {
  slice             = slice.tpu-group
  num_slices        = 2
  image             = "rayproject/ray:nightly-py312-tpu"
  image_pull_policy = "Always"
  service_account   = service_account.ray
  mount "data" {
    bucket  = bucket.data
    options = ["implicit-dirs", "uid=1000", "gid=1000", "dir-mode=775", "file-mode=664", "file-cache:max-size-mb:-1"]
  }
  head {
    cpu           = 8
    memory        = "16Gi"
    shm_size      = "4Gi"
    node_selector = { "iam.gke.io/gke-metadata-server-enabled" = "true" }
  }
  worker {
    cpu              = 8
    memory           = "200G"
    shm_size         = "64Gi"
    privileged       = true
    ray_start_params = { metrics-export-port = "8082" }
    node_selector    = { "iam.gke.io/gke-metadata-server-enabled" = "true" }
    env = {
      MEGASCALE_NUM_SLICES = 2
      MEGASCALE_PORT       = 9915
      LIBTPU_INIT_ARGS     = "--xla_tpu_scoped_vmem_limit_kib=122880 --xla_tpu_use_minor_sharding_for_major_trivial_input=true --xla_tpu_relayout_group_size_threshold_for_reduce_scatter=1 --xla_tpu_assign_all_reduce_scatter_layout --xla_tpu_enable_async_collective_fusion_fuse_all_gather=true --xla_tpu_enable_async_collective_fusion_multiple_steps=true --xla_tpu_overlap_compute_collective_tc=true --xla_enable_async_all_gather=true --megascale_grpc_interface_prefixes=eth1,eth2,lo"
    }
  }
}
