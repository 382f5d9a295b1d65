"""Closed attribute lists of the Terraform resources that Sliceform emits, read from cdktn's bindings of the provider.

Only names, types, nesting and what is required are read. An attribute may also be an expression: "${...}".
"""

import io
import re
import tarfile

from . import known

RESOURCES = ["container_cluster", "container_node_pool", "compute_resource_policy", "storage_bucket", "service_account",
             "service_account_iam_member", "storage_bucket_iam_member", "project_iam_member"]

EXPRESSION = {"type": "string", "pattern": r"\$\{"}
SCALARS = {
    "string": {"type": "string"},
    "number": {"anyOf": [{"type": "number"}, EXPRESSION]},
    "boolean": {"anyOf": [{"type": "boolean"}, EXPRESSION]},
}


def either(*schemas):
    return {"anyOf": [*schemas, EXPRESSION]}


COLLECTIONS = {
    "stringList": either({"type": "array", "items": SCALARS["string"]}),
    "numberList": either({"type": "array", "items": SCALARS["number"]}),
    "stringMap": either({"type": "object", "additionalProperties": SCALARS["string"]}),
}
REFERENCES = {"type": "array", "items": {"type": "string"}}
META = {  # arguments of every resource
    "count": SCALARS["number"], "for_each": either({"type": "object"}, {"type": "array"}), "depends_on": REFERENCES,
    "provider": {"type": "string"},
    "lifecycle": known.closed({
        "create_before_destroy": {"type": "boolean"}, "prevent_destroy": {"type": "boolean"},
        "ignore_changes": {"anyOf": [REFERENCES, {"const": "all"}]}, "replace_triggered_by": REFERENCES,
    }),
}

INTERFACE = re.compile(r"^export interface (\w+)[^\n]*\{$(.*?)^\}", re.M | re.S)
FIELD = re.compile(r"^    readonly (\w+)(\??):", re.M)
STRUCT = re.compile(r"^function (\w+)ToHclTerraform\(struct\) \{$(.*?)^\}", re.M | re.S)
RESOURCE = re.compile(r"^    synthesizeHclAttributes\(\) \{$(.*?)^    \}", re.M | re.S)
ATTRIBUTE = re.compile(
    r"^ +(\w+): \{\n +value: ([^\n]+),\n +isBlock: (true|false),\n +type: \"(\w+)\",\n +storageClassType: \"(\w+)\",\n", re.M)
ACCESS = re.compile(r"(?:struct|this)\.(?:_)?(\w+)")
PROVIDER = re.compile(r"providerVersion: '([\d.]+)'")


def kinds(wheel):
    """(provider version, kinds by terraform/<type>)."""
    bundle = next(name for name in wheel.namelist() if name.endswith(".jsii.tgz"))
    folders = {f"package/lib/{name.replace('_', '-')}/": name for name in RESOURCES}
    code = {name: {"js": "", "ts": ""} for name in RESOURCES}
    with tarfile.open(fileobj=io.BytesIO(wheel.read(bundle))) as archive:
        for member in archive:
            folder = next((f for f in folders if member.name.startswith(f)), None)
            if folder and member.name.endswith((".js", ".d.ts")):
                text = archive.extractfile(member).read().decode()
                code[folders[folder]]["ts" if member.name.endswith(".d.ts") else "js"] += text
    out = {f"terraform/google_{name}": resource(name, **code[name]) for name in RESOURCES}
    return PROVIDER.search(code["container_cluster"]["js"]).group(1), out


def resource(name, js, ts):
    required = {who: dict(FIELD.findall(body)) for who, body in INTERFACE.findall(ts)}
    structs = {who[0].upper() + who[1:]: body for who, body in STRUCT.findall(js)}
    title = "".join(part.capitalize() for part in name.split("_"))

    def block(who, body):
        properties, needed = {}, []
        for attribute, value, is_block, _, storage in ATTRIBUTE.findall(body):
            if who.endswith("Config") and attribute == "id" and who == title + "Config":
                continue  # computed by the provider
            properties[attribute] = nested(value, storage) if is_block == "true" else scalar(attribute, storage)
            optional = required[who][ACCESS.findall(value)[-1]]
            if not optional:
                needed.append(attribute)
        return known.closed(properties, needed)

    def scalar(attribute, storage):
        found = SCALARS.get(storage) or COLLECTIONS.get(storage)
        if found is None:
            raise SystemExit(f"{name}.{attribute}: unknown type {storage}")
        return found

    def nested(value, storage):
        who = re.sub(r"(List|Set)$", "", storage)
        inner = block(who, structs[who])
        items = {"type": "array", "items": inner}
        return {"anyOf": [inner, items if "listMapper" in value else {**items, "maxItems": 1}]}

    out = block(title + "Config", RESOURCE.search(js).group(1))
    out["properties"].update(META)
    return out
