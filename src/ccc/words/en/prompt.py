"""Messages of `ccc prompt` in English."""

WORDS = {
    "prompt.usage": """Usage: ccc prompt init [--project]

Writes the default SUPERVISOR.md, the reviewer's instructions, to ~/.claude.
Never overwrites an existing file.

  --project   write it to this directory, for this project only""",
    "prompt.exists": "{file} already exists and was not changed\n→ Rename or delete it first.",
}
