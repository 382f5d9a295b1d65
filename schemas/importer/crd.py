"""KubeRay's kinds from the CRDs of its Go module, and the versions that since.json builds on the newest of them.

CEL rules rebuilt by hand: managedBy and deletionPolicy (a set of values), deletionStrategy (both legacy policies, or
rules, never mixed). Not rebuilt, because they compare with the stored object: `self == oldSelf` of managedBy.
"""

import copy
import json

import yaml

from . import known
from .core import integer

DROPPED = {"description", "format", "default", "anyOf", "x-kubernetes-int-or-string", "x-kubernetes-list-type",
           "x-kubernetes-map-type", "x-kubernetes-list-map-keys", "x-kubernetes-validations", "nullable"}
KEPT = {"type", "enum", "pattern", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum",
        "properties", "required", "items", "additionalProperties"}
API = "ray.io/v1"
KINDS = {"RayCluster": "rayclusters", "RayJob": "rayjobs", "RayService": "rayservices"}
SUBMISSION_MODES = ["HTTPMode", "InteractiveMode", "K8sJobMode"]

LEGACY = ["onSuccess", "onFailure"]
CEL = {
    "self == oldSelf": {},
    "self in ['ray.io/kuberay-operator', 'kueue.x-k8s.io/multikueue']":
        {"enum": ["kueue.x-k8s.io/multikueue", "ray.io/kuberay-operator"]},
    "self in ['DeleteCluster', 'DeleteWorkers', 'DeleteSelf', 'DeleteNone']":
        {"enum": ["DeleteCluster", "DeleteNone", "DeleteSelf", "DeleteWorkers"]},
    "!((has(self.onSuccess) || has(self.onFailure)) && has(self.deletionRules))":
        {"not": {"required": ["deletionRules"], "anyOf": [{"required": [field]} for field in LEGACY]}},
    "((has(self.onSuccess) && has(self.onFailure)) || has(self.deletionRules))":
        {"anyOf": [{"required": ["deletionRules"]}, {"required": LEGACY}]},
}

# Where a spec stands: since.json names the spec, the kinds repeat it.
PLACES = {
    "RayClusterSpec": ["RayCluster.spec", "RayJob.spec.rayClusterSpec", "RayService.spec.rayClusterConfig",
                       "RayCronJob.spec.jobTemplate.rayClusterSpec"],
    "RayJobSpec": ["RayJob.spec", "RayCronJob.spec.jobTemplate"],
    "RayServiceSpec": ["RayService.spec"],
    "RayCronJobSpec": ["RayCronJob.spec"],
}


def convert(node, where):
    """The closed form of one node of a structural schema."""
    if unknown := node.keys() - DROPPED - KEPT:
        raise SystemExit(f"{where}: unknown keywords {sorted(unknown)}")
    if node.get("x-kubernetes-int-or-string"):
        text = {"type": "string", **({"pattern": node["pattern"]} if "pattern" in node else {})}
        return {"anyOf": [integer({}), text]}
    out = {"object": objects, "array": arrays}.get(node["type"], scalars)(node, where)
    for rule in node.get("x-kubernetes-validations", []):
        if rule["rule"] not in CEL:
            raise SystemExit(f"{where}: unknown CEL rule {rule['rule']}")
        out.update(CEL[rule["rule"]])
    if node.get("nullable"):
        out["type"] = [out["type"], "null"]
    return out


def scalars(node, _where):
    if node["type"] == "integer":
        return integer(node)
    return {key: sorted(node[key]) if key == "enum" else node[key] for key in KEPT & node.keys()}


def arrays(node, where):
    out = {"type": "array", "items": convert(node["items"], where + "[]")}
    out.update({key: node[key] for key in ("minItems", "maxItems") if key in node})
    if node.get("x-kubernetes-list-type") == "set":
        out["uniqueItems"] = True
    if keys := node.get("x-kubernetes-list-map-keys"):
        fields = node["items"]["properties"]
        out["listMapKeys"] = {key: fields[key].get("default") for key in sorted(keys)}
    return out


def objects(node, where):
    fields = node.get("properties")
    if fields is None:
        extra = node.get("additionalProperties")
        return {"type": "object", "additionalProperties": convert(extra, where + "{}") if extra else False}
    service = {"serviceType", "headService"} <= fields.keys() or "serveService" in fields
    properties = {}
    for key, sub in fields.items():
        properties[key] = convert(sub, f"{where}.{key}")
        if service and key in ("headService", "serveService"):
            del properties[key]["properties"]["status"]
        if key == "metadata" and {"annotations", "labels"} <= sub.get("properties", {}).keys():
            properties[key]["properties"].update(labels=known.LABELS, annotations=known.ANNOTATIONS)
    known.tighten(properties)
    return known.closed(properties, [key for key in node.get("required", []) if "default" not in fields[key]])


def kind_schema(kind, spec):
    fields = {"apiVersion": {"const": API}, "kind": {"const": kind}, "metadata": known.metadata(), "spec": spec}
    return known.closed(fields, fields)


def module_kinds(folder, minor):
    """The kinds of one KubeRay module."""
    out = {}
    for kind, plural in KINDS.items():
        text = (folder / "config/crd/bases" / f"ray.io_{plural}.yaml").read_text()
        versions = yaml.load(text, Loader=yaml.CSafeLoader)["spec"]["versions"]
        schema = next(v["schema"]["openAPIV3Schema"] for v in versions if v["name"] == "v1")
        out[f"{API}/{kind}"] = kind_schema(kind, convert(schema["properties"]["spec"], f"{kind}.spec"))
    modes = SUBMISSION_MODES + (["SidecarMode"] if minor >= (1, 5) else [])
    out[f"{API}/RayJob"]["properties"]["spec"]["properties"]["submissionMode"] = {"type": "string", "enum": modes}
    return out


def number(version):
    return tuple(int(part) for part in version.lstrip("v").split("."))


def versions(modules, since, k8s):
    """(version, origin, kinds) of every KubeRay version whose schema differs from the one before."""
    kinds = {}
    for tag, folder in modules.items():
        kinds = module_kinds(folder, number(tag)[:2])
        yield tag.lstrip("v").removesuffix(".0"), f"KubeRay {tag}, config/crd/bases", kinds
    newest = list(modules)[-1]
    rows = json.loads(since.read_text())
    for version in sorted({row["since"] for row in rows}, key=number):
        kinds = copy.deepcopy(kinds)
        for row in rows:
            if row["since"] == version:
                overlay(kinds, row, k8s)
        yield version, f"KubeRay {newest}, config/crd/bases, and since.json up to {version}", kinds


def overlay(kinds, row, k8s):
    """Applies one row of since.json: a kind, a new field (schema), or a field that may now be left out (optional)."""
    spec, _, path = row["path"].partition(".")
    if not path:
        kinds[f"{API}/{spec}"] = kind_schema(spec, resolve(row["schema"], kinds, k8s))
        return
    for place in PLACES[spec]:
        kind, *parents = f"{place}.{path}".split(".")
        if f"{API}/{kind}" not in kinds:
            continue
        parent = find(kinds, ".".join([kind, *parents[:-1]]))
        if row.get("optional"):
            parent["required"].remove(parents[-1])
            parent["required"] or parent.pop("required")
        if "exactlyOne" in row:
            parent["oneOf"] = [{"required": [field]} for field in row["exactlyOne"]]
        if "schema" in row:
            parent["properties"][parents[-1]] = resolve(row["schema"], kinds, k8s)


def find(kinds, path):
    """The schema at Kind.field.list[].map{}."""
    kind, *fields = path.split(".")
    node = kinds[f"{API}/{kind}"]
    for field in fields:
        node = node["properties"][field.rstrip("[]{}")]
        if field.endswith("[]"):
            node = node["items"]
        if field.endswith("{}"):
            node = node["additionalProperties"]
    return node


def resolve(schema, kinds, k8s):
    """A row's schema with its shorthands filled in: `like` a field of this API, `core` a Kubernetes definition."""
    match schema:
        case {"like": path}:
            spec, _, rest = path.partition(".")
            place = PLACES[spec][0]
            return copy.deepcopy(find(kinds, f"{place}.{rest}" if rest else place))
        case {"core": name}:
            return k8s.named(name)
        case {"type": "integer"}:
            return integer(schema)
        case {"type": "object", "properties": properties}:
            filled = {key: resolve(sub, kinds, k8s) for key, sub in properties.items()}
            return known.closed(filled, schema.get("required", []))
        case {"type": "array", "items": items}:
            return {**schema, "items": resolve(items, kinds, k8s)}
    return schema
