"""Closed schemas to a small file: equal subtrees become one definition, keys are sorted, one definition a line."""

import collections
import hashlib
import json

SMALLEST = 60  # bytes of JSON below which a subtree is cheaper repeated than referred to


def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def children(schema):
    """(where, name, subschema) of every subschema directly below."""
    for name, sub in schema.get("properties", {}).items():
        yield "properties", name, sub
    for key in ("items", "additionalProperties", "propertyNames", "not"):
        if isinstance(schema.get(key), dict):
            yield key, None, schema[key]
    for key in ("anyOf", "oneOf", "allOf"):
        for index, sub in enumerate(schema.get(key, [])):
            yield key, index, sub


def rebuilt(hint, schema, change):
    """The schema with each subschema replaced by change(hint, subschema); the hint is the nearest field's name."""
    out = dict(schema)
    for where, name, sub in children(schema):
        if name is None:
            out[where] = change(hint, sub)
        else:
            if out[where] is schema[where]:
                out[where] = schema[where].copy()
            out[where][name] = change(name if where == "properties" else hint, sub)
    return out


class Definitions:
    """Names subtrees that occur more than once by a hint and the hash of their content."""

    def __init__(self, kinds):
        self.count = collections.Counter()
        for kind in kinds.values():
            self.tally(kind)
        self.defs = {}

    def tally(self, schema):
        key = text(schema)
        self.count[key] += 1
        if self.count[key] == 1:
            for _, _, sub in children(schema):
                self.tally(sub)

    def shorten(self, hint, schema):
        key = text(schema)
        if len(key) < SMALLEST or self.count[key] < 2:
            return rebuilt(hint, schema, self.shorten)
        digest = hashlib.sha256(key.encode()).hexdigest()[:8]
        name = next((known for known in self.defs if known.endswith(digest)), f"{hint}-{digest}")
        if name not in self.defs:
            self.defs[name] = None  # reserves the place; schemas have no cycles
            self.defs[name] = rebuilt(hint, schema, self.shorten)
        return {"$ref": f"#/$defs/{name}"}


def render(origin, kinds):
    """The text of a file."""
    definitions = Definitions(kinds)
    top = {name: rebuilt(name, kinds[name], definitions.shorten) for name in sorted(kinds)}

    def block(entries):
        return ",\n".join(f"{json.dumps(name)}:{text(entries[name])}" for name in sorted(entries))

    return f'{{"origin":{json.dumps(origin)},\n"kinds":{{\n{block(top)}\n}},\n"$defs":{{\n{block(definitions.defs)}\n}}}}\n'
