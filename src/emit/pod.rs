//! Pods: the template that every workload shares, in the order in which Kubernetes people write it.

use serde_json::{Value, json};

use crate::emit::tree::{Tree, list, texts};
use crate::lower::intent::pod::{
    Container, Env, EnvFrom, EnvValue, Mount, Pod, ResourceClaim, Resources, Security, Toleration, Volume, VolumeSource,
};

/// `PodTemplateSpec`.
pub fn template(pod: &Pod) -> Tree {
    let metadata = Tree::new().some("labels", texts(&pod.labels)).some("annotations", texts(&pod.annotations));
    Tree::new().some("metadata", metadata).with("spec", spec(pod))
}

fn spec(pod: &Pod) -> Tree {
    let head = Tree::new()
        .some("serviceAccountName", pod.service_account.clone())
        .some("priorityClassName", pod.priority_class.clone())
        .some("restartPolicy", pod.restart_policy.clone())
        .some("hostNetwork", pod.host_network)
        // A pod on the node's network resolves cluster names only with this policy.
        .some("dnsPolicy", pod.host_network.then_some("ClusterFirstWithHostNet"));
    let linked = if pod.service_links { head } else { head.with("enableServiceLinks", false) };
    linked
        .some("terminationGracePeriodSeconds", pod.termination_grace_period_s)
        .some("initContainers", list(&pod.init_containers, container))
        .with("containers", list(&pod.containers, container))
        .some("volumes", list(&pod.volumes, volume))
        .some("nodeSelector", texts(&pod.node_selector))
        .some("tolerations", list(&pod.tolerations, toleration))
        .some("resourceClaims", list(&pod.resource_claims, claim))
}

fn container(container: &Container) -> Tree {
    Tree::new()
        .with("name", container.name.clone())
        .with("image", container.image.clone())
        .some("imagePullPolicy", container.image_pull_policy.clone())
        // How Kubernetes spells an init container that stays.
        .some("restartPolicy", container.keep_running.then_some("Always"))
        .some("command", container.command.clone())
        .some("args", container.args.clone())
        .some("workingDir", container.working_dir.clone())
        .some(
            "ports",
            list(&container.ports, |port| Tree::new().with("name", port.name.clone()).with("containerPort", port.port)),
        )
        .some("env", list(&container.env, env))
        .some("envFrom", list(&container.env_from, env_from))
        .some("resources", resources(&container.resources))
        .some("volumeMounts", list(&container.mounts, mount))
        .some("securityContext", security(&container.security))
}

fn env(env: &Env) -> Tree {
    let named = Tree::new().with("name", env.name.clone());
    match &env.value {
        EnvValue::Plain(value) => named.with("value", value.clone()),
        EnvValue::Field(path) => named.with("valueFrom", json!({"fieldRef": {"fieldPath": path}})),
        EnvValue::SecretKey { name, key, optional } => {
            let reference = Tree::new().with("name", name.clone()).with("key", key.clone()).some("optional", *optional);
            named.with("valueFrom", Tree::new().with("secretKeyRef", reference))
        }
    }
}

fn env_from(source: &EnvFrom) -> Value {
    match source {
        EnvFrom::Secret { name, optional } => {
            Tree::new().with("secretRef", Tree::new().with("name", name.clone()).some("optional", *optional)).into()
        }
        EnvFrom::ConfigMap(name) => json!({"configMapRef": {"name": name}}),
    }
}

fn resources(resources: &Resources) -> Tree {
    let claims = list(&resources.claims, |name| Tree::new().with("name", name.clone()));
    Tree::new()
        .some("limits", texts(&resources.limits))
        .some("requests", texts(&resources.requests))
        .some("claims", claims)
}

fn mount(mount: &Mount) -> Tree {
    Tree::new()
        .with("name", mount.volume.clone())
        .with("mountPath", mount.path.clone())
        .some("subPath", mount.sub_path.clone())
        .some("readOnly", mount.read_only)
}

fn security(security: &Security) -> Tree {
    let capabilities = (!security.add_capabilities.is_empty()).then(|| json!({"add": security.add_capabilities}));
    Tree::new()
        .some("privileged", security.privileged)
        .some("runAsUser", security.run_as_user)
        .some("capabilities", capabilities)
}

fn volume(volume: &Volume) -> Tree {
    let named = Tree::new().with("name", volume.name.clone());
    match &volume.source {
        VolumeSource::EmptyDir { memory, size_limit } => named.with(
            "emptyDir",
            Tree::new().some("medium", memory.then_some("Memory")).some("sizeLimit", size_limit.clone()),
        ),
        VolumeSource::GcsFuse { bucket, mount_options, read_only } => {
            let options = (!mount_options.is_empty()).then(|| mount_options.join(","));
            named.with(
                "csi",
                Tree::new().with("driver", "gcsfuse.csi.storage.gke.io").some("readOnly", *read_only).with(
                    "volumeAttributes",
                    Tree::new().with("bucketName", bucket.clone()).some("mountOptions", options),
                ),
            )
        }
        VolumeSource::ConfigMap(name) => named.with("configMap", json!({"name": name})),
        VolumeSource::Secret { name, optional } => {
            named.with("secret", Tree::new().with("secretName", name.clone()).some("optional", *optional))
        }
        VolumeSource::Claim { name, read_only } => named
            .with("persistentVolumeClaim", Tree::new().with("claimName", name.clone()).some("readOnly", *read_only)),
        VolumeSource::HostPath(path) => named.with("hostPath", json!({"path": path})),
    }
}

fn claim(claim: &ResourceClaim) -> Tree {
    Tree::new().with("name", claim.name.clone()).with("resourceClaimTemplateName", claim.template.clone())
}

fn toleration(toleration: &Toleration) -> Tree {
    Tree::new()
        .some("key", toleration.key.clone())
        .with("operator", if toleration.value.is_some() { "Equal" } else { "Exists" })
        .some("value", toleration.value.clone())
        .some("effect", toleration.effect.clone())
        .some("tolerationSeconds", toleration.seconds)
}
