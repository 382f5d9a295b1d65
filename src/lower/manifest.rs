//! Kubernetes objects that a stack gives as they are.

use serde_json::{Map, Value};

use crate::lower::intent::pod::Meta;
use crate::lower::intent::{Intent, Object, RawObject};
use crate::resolve::stack::{RawManifest, Stack};

/// API groups whose objects, where they are known at all, live in a namespace: they get the stack's unless they say another.
/// Others are left as they are.
const NAMESPACED: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "ConfigMap",
            "Endpoints",
            "LimitRange",
            "PersistentVolumeClaim",
            "Pod",
            "PodTemplate",
            "ReplicationController",
            "ResourceQuota",
            "Secret",
            "Service",
            "ServiceAccount",
        ],
    ),
    ("apps", &["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]),
    ("autoscaling", &["HorizontalPodAutoscaler"]),
    ("batch", &["CronJob", "Job"]),
    ("gateway.networking.k8s.io", &["Gateway", "HTTPRoute"]),
    ("jobset.x-k8s.io", &["JobSet"]),
    ("kueue.x-k8s.io", &["LocalQueue"]),
    ("leaderworkerset.x-k8s.io", &["LeaderWorkerSet"]),
    ("monitoring.googleapis.com", &["PodMonitoring"]),
    ("networking.k8s.io", &["Ingress", "NetworkPolicy"]),
    ("policy", &["PodDisruptionBudget"]),
    ("ray.io", &["RayCluster", "RayCronJob", "RayJob", "RayService"]),
    ("rbac.authorization.k8s.io", &["Role", "RoleBinding"]),
    ("resource.k8s.io", &["ResourceClaim", "ResourceClaimTemplate"]),
];

/// The object.
pub fn lower(stack: &Stack, block: &RawManifest) -> Option<Intent> {
    let fields = &block.object.as_ref()?.value;
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let metadata = fields.get("metadata").and_then(Value::as_object);
    let written = |name: &str| metadata.and_then(|metadata| metadata.get(name)?.as_str()).map(str::to_owned);
    let group = api_version.rsplit_once('/').map_or("", |(group, _)| group);
    let known = NAMESPACED.iter().any(|(known, kinds)| *known == group && kinds.contains(&kind.as_str()));
    let own = known.then(|| stack.settings.namespace.value.clone());
    let texts = |name: &str| {
        let map = metadata.and_then(|metadata| metadata.get(name)?.as_object()).into_iter().flatten();
        map.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
    };
    let mut meta = Meta {
        name: written("name")?,
        namespace: written("namespace").or(own).unwrap_or_default(),
        labels: stack.settings.labels.clone(),
        annotations: stack.settings.annotations.clone(),
    };
    let (labels, annotations): (std::collections::BTreeMap<_, _>, std::collections::BTreeMap<_, _>) =
        (texts("labels"), texts("annotations"));
    meta.labels.extend(labels);
    meta.annotations.extend(annotations);
    let rest: Map<String, Value> = fields
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // What else metadata may hold: finalizers, ownerReferences.
    let more: Map<String, Value> = metadata
        .into_iter()
        .flatten()
        .filter(|(name, _)| !matches!(name.as_str(), "name" | "namespace" | "labels" | "annotations"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let object = RawObject { api_version, kind, meta, more, rest };
    Some(Intent::new(block.head.addr.clone(), Object::Raw(object)))
}
