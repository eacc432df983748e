"""What `ccc prompt` says, in English."""

WORDS = {
    "prompt.usage": "usage: ccc prompt init [--project]",
    "prompt.exists": "{file} exists already, and was left as it is",
    "prompt.exists_hint": "Rename or delete it first.",
    "prompt.written": "wrote {file}",
}
