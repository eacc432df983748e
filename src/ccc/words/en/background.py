"""What claude's background service can't do, in English."""

WORDS = {
    "background.provider": "{word}: background sessions can't use provider {provider}\n"
    "→ claude's background service passes neither the endpoint nor the key to a session. Use "
    "`ccc run` or a second terminal, or plain `claude` on your own login.",
    "background.supervisor": "{word}: claude chooses the session's id itself, so --supervisor "
    "can't switch supervision on\n"
    '→ Begin the task with /supervisor: ccc {word} "/supervisor …"',
}
