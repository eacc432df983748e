"""Messages about files with tasks, in English."""

WORDS = {
    "tasks.wrong": "{file}{where}: {reason}",
    "tasks.line": ", line {n}",
    "tasks.entry": ", task {n}",
    "tasks.no_file": "there is no such file\n"
    "→ ccc looked in {directory}. Check the name, or give the tasks on stdin: ccc queue add "
    "--from -",
    "tasks.directory": "this is a directory\n→ Name a file with tasks in it.",
    "tasks.empty": "there are no tasks\n"
    '→ Write a list, for example "- fix the failing test", one line per task.',
    "tasks.large": "larger than {size}\n"
    "→ Split it into several files, or put long texts into files of the repository and name "
    "them in the task.",
    "tasks.many": "more than {n} tasks\n→ Split it into several files.",
    "tasks.not_utf8": "not UTF-8\n→ Save it as UTF-8.",
    "tasks.syntax": "neither YAML nor JSON: {detail}\n"
    '→ A text with ": ", "#" or quotes in it needs quotes around it: - \'fix this: all of '
    "it'.",
    "tasks.alias": "anchors (&) and aliases (*) are not supported\n"
    "→ Use defaults for what all tasks share. A text that begins with & or * needs quotes.",
    "tasks.deep": "nested too deeply\n"
    "→ A file is a list of tasks, or has the keys tasks and defaults.",
    "tasks.twice": "the key is given twice\n→ Remove one of them. A new task begins with a dash.",
    "tasks.not_key": "a key must be a word\n→ A text that begins with {{, [ or ? needs quotes.",
    "tasks.not_tasks": "must be a list of tasks\n"
    '→ Write one task per line, each with a dash: "- fix the test".',
    "tasks.not_task": "must be a text, or keys with values\n"
    '→ For example "- fix the test", or "- task: fix the test". Put numbers and dates in '
    "quotes.",
    "tasks.not_mapping": 'must be keys with values\n→ For example "defaults: {{repo: ~/shop}}".',
    "tasks.unknown": "there is no such key\n"
    "→ The keys are: {known}. A text with a colon needs quotes.",
    "tasks.unknown_near": "there is no such key\n"
    "→ Did you mean {near}? A text with a colon needs quotes.",
    "tasks.both": "{other} is also given\n→ Both mean the same: remove one of them.",
    "tasks.no_text": 'the task is missing\n→ Say what is to be done: "task: fix the failing test".',
    "tasks.no_such_task": 'no earlier task of this file has the id "{name}"\n'
    "→ Name the id of a task above this one, or the number of a task in the queue (ccc queue "
    "list).",
    "tasks.id_twice": 'an earlier task has the id "{id}", too\n'
    "→ Give each task its own id, or none.",
    "tasks.not_text": "must be a text\n→ Put it in quotes.",
    "tasks.not_texts": "must be a text or a list of texts\n"
    '→ For example "make test", or ["make lint", "make test"].',
    "tasks.not_name": "must be the name of a branch or commit\n"
    "→ For example main: no spaces, and no dash at the start.",
    "tasks.not_repo": "must be a directory or a URL\n"
    "→ For example ~/shop, or git@example.com:team/shop.git.",
    "tasks.not_provider": 'no provider can have the name "{name}"\n'
    "→ Use a name from ccc.json: ccc provider list shows them.",
    "tasks.not_rule": "not a permission rule: {rule}\n"
    '→ For example "Bash(npm install *)", or a list of such rules.',
    "tasks.not_id": "must be a short text or a number\n→ For example: schema.",
    "tasks.not_number": "must be the number of an issue\n"
    "→ For GitHub: gh issue list --json number,title,body",
}
