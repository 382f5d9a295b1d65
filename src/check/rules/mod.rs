//! One file a rule; `subject` holds what several of them look at.

use crate::check::rule::Rule;

pub mod subject;

mod affinity_replaced;
mod ambiguous_hosts;
mod argument_not_in_vllm;
mod argument_not_on_tpu;
mod argument_value_not_taken;
mod autopilot_refuses;
mod batch_too_small;
mod behind_feature_gate;
mod boot_disk_not_taken;
mod broken_in_silence;
mod capacity_not_selectable;
mod chips_not_of_host;
mod chips_overbooked;
mod circular_environment;
mod compiler_owned_argument;
mod compound_entrypoint;
mod compute_class_refused;
mod data_parallel_on_nodes;
mod data_parallel_on_slice;
mod deployment_not_taken;
mod dimension_order;
mod doubtful_topology;
mod dranet_not_offered;
mod executor_not_ray;
mod experts_of_dense_model;
mod flex_start_not_offered;
mod flex_start_queued;
mod gke_doubtful;
mod gke_too_old;
mod grace_period_too_short;
mod hbm_headroom;
mod hosts_not_of_topology;
mod ignored_by_kuberay;
mod illegal_label;
mod illegal_object_name;
mod illegal_quantity;
mod indivisible_blocks;
mod indivisible_experts;
mod indivisible_heads;
mod indivisible_hosts;
mod indivisible_kv_heads;
mod indivisible_vision_heads;
mod jax_platform_not_there;
mod kuberay_too_old;
mod ladder_too_short;
mod larger_than_pod;
mod latent_attention_unspread;
mod llm_serves_on_cpu;
mod longer_than_context;
mod machine_type_mismatch;
mod malformed_topology;
mod malformed_zone;
mod mesh_not_devices;
mod model_does_not_fit;
mod model_without_gpus;
mod mount_without_volume;
mod multislice_of_single_hosts;
mod name_too_long;
mod nodes_in_every_zone;
mod nodes_overbooked;
mod object_of_other_namespace;
mod outer_axis_not_over_slices;
mod parallelism_product;
mod pipeline_stages;
mod pool_without_zone;
mod port_taken;
mod ray_too_old;
mod ray_without_its_vllm;
mod refused_by_kuberay;
mod repeated_mount_path;
mod repeated_variable;
mod replicas_beyond_slices;
mod request_above_limit;
mod requirement_unchecked;
mod secret_in_plain_text;
mod service_sets_vllm_port;
mod setting_without_pool;
mod slice_unreachable_from_ray;
mod slices_left_idle;
mod slices_without_replica;
mod spot_with_placement;
mod tensor_beyond_node;
mod too_few_cpus_per_host;
mod too_little_memory;
mod tool_choice_without_parser;
mod torch_multi_slice;
mod torch_trains_on_cpu;
mod tpu_machine_in_nodes;
mod uncounted_devices;
mod unknown_accelerator;
mod unknown_machine_type;
mod unknown_model;
mod unknown_network;
mod unknown_topology;
mod unknown_tpu_label;
mod unpinned_image;
mod unpinned_version;
mod unused_nodes;
mod unused_slice;
mod version_above_facts;
mod version_below_facts;
mod volume_not_attachable;
mod volume_on_many_nodes;
mod worker_not_one_device;
mod workers_not_gpus;
mod workers_not_one_per_host;
mod wrong_dimensions;
mod zero_parallelism;
mod zone_not_listed;
mod zone_outside_cluster;

/// Every rule, sorted by name.
pub const RULES: &[&Rule] = &[
    &affinity_replaced::RULE,
    &ambiguous_hosts::RULE,
    &argument_not_in_vllm::RULE,
    &argument_not_on_tpu::RULE,
    &argument_value_not_taken::RULE,
    &autopilot_refuses::RULE,
    &batch_too_small::RULE,
    &behind_feature_gate::RULE,
    &boot_disk_not_taken::RULE,
    &broken_in_silence::RULE,
    &capacity_not_selectable::RULE,
    &chips_not_of_host::RULE,
    &chips_overbooked::RULE,
    &circular_environment::RULE,
    &compiler_owned_argument::RULE,
    &compound_entrypoint::RULE,
    &compute_class_refused::RULE,
    &data_parallel_on_nodes::RULE,
    &data_parallel_on_slice::RULE,
    &deployment_not_taken::RULE,
    &dimension_order::RULE,
    &doubtful_topology::RULE,
    &dranet_not_offered::RULE,
    &executor_not_ray::RULE,
    &experts_of_dense_model::RULE,
    &flex_start_not_offered::RULE,
    &flex_start_queued::RULE,
    &gke_doubtful::RULE,
    &gke_too_old::RULE,
    &grace_period_too_short::RULE,
    &hbm_headroom::RULE,
    &hosts_not_of_topology::RULE,
    &ignored_by_kuberay::RULE,
    &illegal_label::RULE,
    &illegal_object_name::RULE,
    &illegal_quantity::RULE,
    &indivisible_blocks::RULE,
    &indivisible_experts::RULE,
    &indivisible_heads::RULE,
    &indivisible_hosts::RULE,
    &indivisible_kv_heads::RULE,
    &indivisible_vision_heads::RULE,
    &jax_platform_not_there::RULE,
    &kuberay_too_old::RULE,
    &ladder_too_short::RULE,
    &larger_than_pod::RULE,
    &latent_attention_unspread::RULE,
    &llm_serves_on_cpu::RULE,
    &longer_than_context::RULE,
    &machine_type_mismatch::RULE,
    &malformed_topology::RULE,
    &malformed_zone::RULE,
    &mesh_not_devices::RULE,
    &model_does_not_fit::RULE,
    &model_without_gpus::RULE,
    &mount_without_volume::RULE,
    &multislice_of_single_hosts::RULE,
    &name_too_long::RULE,
    &nodes_in_every_zone::RULE,
    &nodes_overbooked::RULE,
    &object_of_other_namespace::RULE,
    &outer_axis_not_over_slices::RULE,
    &parallelism_product::RULE,
    &pipeline_stages::RULE,
    &pool_without_zone::RULE,
    &port_taken::RULE,
    &ray_too_old::RULE,
    &ray_without_its_vllm::RULE,
    &refused_by_kuberay::RULE,
    &repeated_mount_path::RULE,
    &repeated_variable::RULE,
    &replicas_beyond_slices::RULE,
    &request_above_limit::RULE,
    &requirement_unchecked::RULE,
    &secret_in_plain_text::RULE,
    &service_sets_vllm_port::RULE,
    &setting_without_pool::RULE,
    &slice_unreachable_from_ray::RULE,
    &slices_left_idle::RULE,
    &slices_without_replica::RULE,
    &spot_with_placement::RULE,
    &tensor_beyond_node::RULE,
    &too_few_cpus_per_host::RULE,
    &too_little_memory::RULE,
    &tool_choice_without_parser::RULE,
    &torch_multi_slice::RULE,
    &torch_trains_on_cpu::RULE,
    &tpu_machine_in_nodes::RULE,
    &uncounted_devices::RULE,
    &unknown_accelerator::RULE,
    &unknown_machine_type::RULE,
    &unknown_model::RULE,
    &unknown_network::RULE,
    &unknown_topology::RULE,
    &unknown_tpu_label::RULE,
    &unpinned_image::RULE,
    &unpinned_version::RULE,
    &unused_nodes::RULE,
    &unused_slice::RULE,
    &version_above_facts::RULE,
    &version_below_facts::RULE,
    &volume_not_attachable::RULE,
    &volume_on_many_nodes::RULE,
    &worker_not_one_device::RULE,
    &workers_not_gpus::RULE,
    &workers_not_one_per_host::RULE,
    &wrong_dimensions::RULE,
    &zero_parallelism::RULE,
    &zone_not_listed::RULE,
    &zone_outside_cluster::RULE,
];
