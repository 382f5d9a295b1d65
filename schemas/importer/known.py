"""What the API server and KubeRay check in code and no schema of theirs says: value sets, patterns, object metadata.

Sources: the field comments of the Kubernetes API (core/v1, storage/v1, meta/v1) for the value sets and names;
Kubernetes' documentation "Object Names and IDs" and "Labels and Selectors" for the patterns; KubeRay v1.7.0
apis/ray/v1/rayjob_types.go and rayservice_types.go for submissionMode and the upgrade types.
"""

QUANTITY = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
NAME = r"([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]"

TEXT = {"type": "string"}
DNS_SUBDOMAIN = {"type": "string", "maxLength": 253, "pattern": f"^{SUBDOMAIN}$"}
DNS_LABEL = {"type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
QUALIFIED = {"pattern": f"^({SUBDOMAIN}/)?{NAME}$", "maxLength": 317}
LABELS = {
    "type": "object",
    "propertyNames": QUALIFIED,
    "additionalProperties": {"type": "string", "pattern": f"^({NAME})?$"},
}
ANNOTATIONS = {"type": "object", "propertyNames": QUALIFIED, "additionalProperties": TEXT}


def closed(properties, required=()):
    """An object that has these properties and no other."""
    out = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**out, "required": sorted(required)} if required else out


def metadata(name=DNS_SUBDOMAIN, namespaced=True):
    """The part of ObjectMeta that a client may write; the server owns the rest and drops it."""
    owner = closed(
        {
            "apiVersion": TEXT, "kind": TEXT, "name": TEXT, "uid": TEXT,
            "controller": {"type": "boolean"}, "blockOwnerDeletion": {"type": "boolean"},
        },
        ["apiVersion", "kind", "name", "uid"],
    )
    properties = {
        "name": name, "labels": LABELS, "annotations": ANNOTATIONS,
        "finalizers": {"type": "array", "items": TEXT}, "ownerReferences": {"type": "array", "items": owner},
    }
    return closed({**properties, "namespace": DNS_LABEL} if namespaced else properties, ["name"])


# (field, a sibling that tells which object it is, values). "" stands where the server takes it for the default.
VALUES = [
    ("imagePullPolicy", "image", ["", "Always", "IfNotPresent", "Never"]),
    ("terminationMessagePolicy", "terminationMessagePath", ["", "FallbackToLogsOnError", "File"]),
    ("restartPolicy", "containers", ["", "Always", "Never", "OnFailure"]),
    ("restartPolicy", "volumeMounts", ["Always", "Never", "OnFailure"]),
    ("dnsPolicy", "containers", ["", "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]),
    ("preemptionPolicy", "containers", ["Never", "PreemptLowerPriority"]),
    ("protocol", "containerPort", ["", "SCTP", "TCP", "UDP"]),
    ("protocol", "targetPort", ["", "SCTP", "TCP", "UDP"]),
    ("scheme", "httpHeaders", ["", "HTTP", "HTTPS"]),
    ("effect", "tolerationSeconds", ["", "NoExecute", "NoSchedule", "PreferNoSchedule"]),
    ("operator", "tolerationSeconds", ["", "Equal", "Exists"]),
    ("operator", "values", ["DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"]),
    ("whenUnsatisfiable", "topologyKey", ["DoNotSchedule", "ScheduleAnyway"]),
    ("mountPropagation", "mountPath", ["Bidirectional", "HostToContainer", "None"]),
    ("volumeMode", "accessModes", ["Block", "Filesystem"]),
    ("type", "clusterIP", ["", "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]),
    ("sessionAffinity", "clusterIP", ["", "ClientIP", "None"]),
    ("externalTrafficPolicy", "clusterIP", ["", "Cluster", "Local"]),
    ("internalTrafficPolicy", "clusterIP", ["Cluster", "Local"]),
    ("ipFamilyPolicy", "clusterIP", ["PreferDualStack", "RequireDualStack", "SingleStack"]),
    ("serviceType", "headService", ["", "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]),
    ("reclaimPolicy", "provisioner", ["Delete", "Retain"]),
    ("volumeBindingMode", "provisioner", ["Immediate", "WaitForFirstConsumer"]),
    ("allocationMode", "deviceClassName", ["", "All", "ExactCount"]),
    ("type", "clusterUpgradeOptions", ["NewCluster", "NewClusterWithIncrementalUpgrade", "None"]),
]
ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"]


def tighten(properties):
    """Adds what is known in code to the properties of one object, in place."""
    for field, sibling, values in VALUES:
        if field in properties and sibling in properties and properties[field].get("type") == "string":
            properties[field] = {"type": "string", "enum": values}
    if "accessModes" in properties:
        properties["accessModes"] = {"type": "array", "items": {"type": "string", "enum": ACCESS_MODES}}
    if {"medium", "sizeLimit"} <= properties.keys():
        properties["medium"] = {"type": "string", "pattern": "^(Memory|HugePages(-[0-9]+[KMG]i)?)?$"}
