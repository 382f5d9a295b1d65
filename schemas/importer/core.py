"""Core Kubernetes kinds from kubernetes-validate's copy of the OpenAPI document."""

import json

from . import known

PREFIX = "#/$defs/"
DROPPED = {"description", "format", "x-kubernetes-group-version-kind", "x-kubernetes-list-map-keys", "x-kubernetes-list-type",
           "x-kubernetes-map-type", "x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy", "x-kubernetes-unions",
           "default", "items", "properties", "required", "additionalProperties", "type", "$ref"}

# kind -> definition, whether it is namespaced, the pattern of its name (None: a DNS subdomain)
SERVICE_NAME = {"type": "string", "maxLength": 63, "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"}
KINDS = {
    "v1/ConfigMap": ("io.k8s.api.core.v1.ConfigMap", True, known.DNS_SUBDOMAIN),
    "v1/Namespace": ("io.k8s.api.core.v1.Namespace", False, known.DNS_LABEL),
    "v1/PersistentVolumeClaim": ("io.k8s.api.core.v1.PersistentVolumeClaim", True, known.DNS_SUBDOMAIN),
    "v1/Service": ("io.k8s.api.core.v1.Service", True, SERVICE_NAME),
    "v1/ServiceAccount": ("io.k8s.api.core.v1.ServiceAccount", True, known.DNS_SUBDOMAIN),
    "storage.k8s.io/v1/StorageClass": ("io.k8s.api.storage.v1.StorageClass", False, known.DNS_SUBDOMAIN),
    "resource.k8s.io/v1/ResourceClaimTemplate": ("io.k8s.api.resource.v1.ResourceClaimTemplate", True, known.DNS_SUBDOMAIN),
}
INTEGERS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}


def integer(node):
    """A whole number within its format, or within what the source says where that is narrower."""
    low, high = INTEGERS[node.get("format", "int64")]
    return {"type": "integer", "whole": True,
            "minimum": max(low, node.get("minimum", low)), "maximum": min(high, node.get("maximum", high))}


class Kubernetes:
    """The definitions of one Kubernetes release."""

    SPECIAL = {
        "io.k8s.apimachinery.pkg.api.resource.Quantity": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": known.QUANTITY}]},
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"anyOf": [integer({"format": "int32"}), {"type": "string"}]},
        "io.k8s.apimachinery.pkg.runtime.RawExtension": {"type": "object"},
    }

    def __init__(self, archive, version):
        name = f"kubernetes_validate/kubernetes-json-schema/v{version}.0-local/_definitions.json"
        self.definitions = json.loads(archive.read(name))["$defs"]

    def kinds(self):
        out = {}
        for kind, (definition, namespaced, name) in KINDS.items():
            schema = self.named(definition)
            properties = {key: sub for key, sub in schema["properties"].items() if key != "status"}
            properties["metadata"] = known.metadata(name, namespaced)
            for key, value in zip(("apiVersion", "kind"), kind.rsplit("/", 1)):
                properties[key] = {"const": value}
            out[kind] = known.closed(properties, {"apiVersion", "kind", "metadata", *schema.get("required", [])})
        keys = {"pattern": "^[-._a-zA-Z0-9]+$", "maxLength": 253}
        for field in ("data", "binaryData"):
            out["v1/ConfigMap"]["properties"][field]["propertyNames"] = keys
        return out

    def named(self, name):
        """The closed schema of a definition."""
        if name in self.SPECIAL:
            return self.SPECIAL[name]
        if name.endswith("meta.v1.ObjectMeta"):
            return known.closed({"labels": known.LABELS, "annotations": known.ANNOTATIONS})
        return self.convert(self.definitions[name], name)

    def convert(self, node, where):
        if "$ref" in node:
            return self.named(node["$ref"].removeprefix("/api/_definitions.json").removeprefix(PREFIX))
        if unknown := {key for key in node if key not in DROPPED and key not in ("minimum", "maximum", "enum")}:
            raise SystemExit(f"{where}: unknown keywords {sorted(unknown)}")
        kinds = node.get("type", [])
        kind = next((k for k in ([kinds] if isinstance(kinds, str) else kinds) if k != "null"), None)
        match kind:
            case "object":
                return self.object(node, where)
            case "array":
                return self.array(node, where)
            case "integer":
                return integer(node)
            case "string" | "boolean" | "number":
                return {"type": kind, **({"enum": node["enum"]} if "enum" in node else {})}
        raise SystemExit(f"{where}: no type")

    def object(self, node, where):
        if "properties" in node:
            properties = {key: self.convert(sub, f"{where}.{key}") for key, sub in node["properties"].items()}
            known.tighten(properties)
            return known.closed(properties, node.get("required", []))
        extra = node.get("additionalProperties")
        return {"type": "object", "additionalProperties": self.convert(extra, where + "{}") if extra else False}

    def array(self, node, where):
        out = {"type": "array", "items": self.convert(node["items"], where + "[]")}
        if node.get("x-kubernetes-list-type") == "set":
            out["uniqueItems"] = True
        if keys := node.get("x-kubernetes-list-map-keys"):
            defaults = {"protocol": "TCP"}
            out["listMapKeys"] = {key: defaults.get(key) for key in sorted(keys)}
        return out
