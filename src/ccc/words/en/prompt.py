"""What `ccc prompt` says, in English."""

WORDS = {
    "prompt.usage": """Usage: ccc prompt init [--project]

Writes the default SUPERVISOR.md, the reviewer's instructions, to ~/.claude;
never over one that is there.

  --project   into this directory, for this project alone""",
    "prompt.exists": "{file} exists already, and was left as it is",
    "prompt.exists_hint": "Rename or delete it first.",
}
