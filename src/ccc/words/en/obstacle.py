"""Options and variables of claude's that prevent supervision, in English."""

WORDS = {
    "obstacle.refused": "{word} makes supervision impossible: {reason}\n"
    "→ Remove it, or start without supervision.",
    "obstacle.warning": "ccc: {word} is set, so this session is not supervised: {reason}",
    "obstacle.hooks": "claude runs no hooks, so no stop can be judged",
    "obstacle.command": "claude does not run /supervisor",
    "obstacle.record": "claude keeps no record of the session that a reviewer could read",
}
