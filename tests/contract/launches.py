"""Shared by the launch tests: two providers, and the arguments that claude got."""

from harness import CccProject

GLM = {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "sk-glm"}}

OURS = ("--settings", "--session-id")


def two_providers(project: CccProject, **more: object) -> CccProject:
    """Return a project with the providers kimi and glm."""
    project.configure(providers={"kimi": project.provider(), "glm": GLM}, **more)
    return project


def option(argv: list[str], name: str) -> str:
    """Return the value of an option."""
    return argv[argv.index(name) + 1]


def users(argv: list[str]) -> list[str]:
    """Return the arguments without the ones that ccc added."""
    rest = list(argv)
    for name in OURS:
        at = rest.index(name)
        del rest[at : at + 2]
    return rest
