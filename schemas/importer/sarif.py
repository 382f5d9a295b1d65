"""The schema of SARIF 2.1.0, as a crate ships it, without its prose."""

import json


def bare(value):
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):  # the standard's own pattern of a language has a bracket too many
            value = {**value, "pattern": value["pattern"].replace("]{2}]?$", "]{2}\\]?$")}
        prose = {name for name in ("description", "title") if isinstance(value.get(name), str)}
        return {name: bare(inner) for name, inner in value.items() if name not in prose}
    if isinstance(value, list):
        return [bare(inner) for inner in value]
    return value


def schema(folder):
    """The text of the schema, one definition a line."""
    tree = bare(json.loads((folder / "src" / "schema.json").read_text()))
    definitions = tree.pop("definitions")
    compact = lambda inner: json.dumps(inner, sort_keys=True, separators=(",", ":"))
    head = compact(tree)[:-1] + ',"definitions":{'
    return head + "".join(f"\n{json.dumps(name)}:{compact(definitions[name])}," for name in sorted(definitions))[:-1] + "\n}}\n"
