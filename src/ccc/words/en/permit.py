"""Messages about the permissions of an unattended agent, in English."""

WORDS = {
    "permit.question": "`ccc run` works without you: nobody can answer a permission prompt. "
    "What may its agent do?",
    "permit.choice_sandbox": "edit files in the project, run your checks, and run any "
    "command inside claude's sandbox (recommended)",
    "permit.choice_edit": "edit files in the project and run your checks",
    "permit.choice_all": "everything, without asking",
    "permit.pick": "Choose 1, 2 or 3",
    "permit.kept": "saved in {file} (run.permissions)",
    "permit.root": "claude refuses to run without permission checks as root\n"
    "→ Run ccc as another user, or set run.permissions in ccc.json to\n"
    '"sandbox" or "edit". In a dedicated container: export IS_SANDBOX=1',
    "permit.denied_one": "{counted} was denied: {calls}.",
    "permit.allow_one": "Allow it with {options}.",
    "permit.denied": "{counted} were denied: {calls}.",
    "permit.allow": "Allow them with {options}.",
    "permit.no_rule": "claude has no rule for such a command, only a mode that allows everything.",
    "permit.sentences": "{first} {second}",
    "permit.granted": "These tool calls are allowed now: {rules}. Go on with the task.",
    "permit.note": "Note from ccc: these tool calls of yours were denied because this unattended "
    "run has no permission for them. No person rejected them, and nobody can approve them while "
    "it runs:\n{calls}\nDon't repeat them. {may} If the task can't be done without "
    "them, say which one you need and why, and stop.",
    "permit.may_sandbox": "You may edit files in the project, run the project's checks, and run "
    "any command inside the sandbox, where there is no network.",
    "permit.may_edit": "You may edit files in the project and run the project's checks.",
    "permit.may_all": "You may use every other tool.",
    "permit.level_sandbox": "The agent may edit files here, run your checks, and run commands in "
    "claude's sandbox.",
    "permit.level_edit": "The agent may edit files here and run your checks.",
    "permit.level_all": "The agent may do everything without asking.",
    "permit.no_sandbox": "claude's sandbox can't run here, so other commands are denied "
    "(see ccc doctor).",
}
