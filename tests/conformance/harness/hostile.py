"""Strings that a careless writer of YAML, Python or HCL gets wrong, and a stack that is full of them."""

import json
import random
import re

TRAPS = [
    # words and numbers of YAML 1.1
    *"y n yes no on off Yes NO On OFF true false True FALSE null Null NULL ~ 0 1 -1 +1 00 017 0o17 0x1 0b1 1_000 1e3 1E3".split(),
    *"1e-5 1.0 .5 5. -.5 .inf -.inf .nan 12:30 12:30:45 1:2.5 190:20:30 2026-12-01 2026-12-01T10:00:00Z 1.2.3 = << - ? :".split(),
    # blanks and lines
    "", " ", "  ", " lead", "trail ", "\t", "tab\there", "\ttab first", "\n", "\n\n", "a\n", "a\n\n", "\na", "multi\nline",
    "multi\nline\n", " indented\n  more\n", "a \nb", "a\n\tb", "\n\tx", "a\r\nb", "a\rb", "x" * 300, "long words " * 30,
    # syntax
    "#x", "a #b", "a#b", ": y", "a: b", "a:b", "k:", "- a", "-a", "? a", "[a]", "{a}", "{a: b}", "a, b", "&a", "*a", "!a", "!!str a",
    "|", ">", "|-\n", "%TAG", "@a", "`a`", "---", "...", "--- a", "\n---\na: b\n", "'", "''", '"', "a'b", 'a"b', "it's", "\\", "\\n",
    "a\\", "\\u0041", "$(HOME)", "$$", "${a}", "%{ if a }", "{{a}}", "{% a %}", "$", "%", "'''", "r'''", "\\'''", '"""', "'''\nimport os\n'''",
    # text
    "Grüße", "日本語", "🦀", "é", "\u00a0", "\u200b", "\u202eabc", "\u2028",
    "\u2029", "\u0085", "\ufeff", "a\ufeffb", "\u0001", "\u001b[31m", "\u007f", "\u0080", "\ue000", "\ufffd", "\U0010ffff",
]  # fmt: skip
ALPHABET = list("aZ0 1.:-_#'\"\\,[]{}&*!|>%@`~?=\t\n\n  $ey") + ["é", "\u2028", "🦀"]
NUMBERS = [0, -1, 1e-5, 0.1, 1.5e-300, 2**53 + 1, -(2**63)]
INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def strings():
    """The traps, and 300 more that are always the same."""
    dice = random.Random(0)
    more = ("".join(dice.choices(ALPHABET, k=dice.randint(1, 14))) for _ in range(300))
    return list(dict.fromkeys([*TRAPS, *more]))


def hcl(text):
    """An HCL string literal."""
    plain = re.sub(r"([$%])\{", r"\1\1{", json.dumps(text, ensure_ascii=False))
    return re.sub("[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]", lambda odd: f"\\u{ord(odd[0]):04x}", plain)


def environment():
    """What the compiler lets into a manifest: control characters and marks that nobody sees, it refuses."""
    return {f"H{index}": text for index, text in enumerate(strings()) if not INVISIBLE.search(text)}


def write(folder):
    """The stack `hostile`: the strings as variables of the pods, in the loop's configuration and as annotations."""
    values = "\n".join(f"    H{index} = {hcl(text)}" for index, text in enumerate(strings()))
    pairs = "\n".join(f"    {key} = {hcl(text)}" for key, text in environment().items())
    keyed = "\n".join(f"    {hcl('k' + text)} = 1" for text in strings())
    notes = "\n".join(f"    {hcl(f'example.com/{key}')} = {hcl(text)}" for key, text in environment().items())
    (folder / "hostile.stack.hcl").write_text(
        STACK % (pairs, values, keyed, json.dumps(NUMBERS), notes), encoding="utf-8"
    )
    return folder / "hostile.stack.hcl"


STACK = """
stack "hostile" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
cluster "main" {
  project  = "demo"
  location = "us-central1"
}
slice "v6e" {
  cluster     = cluster.main
  accelerator = "v6e"
  topology    = "4x4"
  provision   = "existing"
}
train "run" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "us-docker.pkg.dev/demo/ml/jax:2.60.0"
  train_loop_per_worker = "hello:train_loop_per_worker"
  storage_path          = "gs://demo-runs/hello"
  env = {
%s
  }
  train_loop_config = {
    values = {
%s
    }
    keys = {
%s
    }
    numbers = %s
  }
  annotations = {
%s
  }
}
"""
