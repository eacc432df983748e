"""What `ccc completion` says, in English."""

WORDS = {
    "completion.usage": """Usage: ccc completion bash|zsh|fish

Prints a script for the shell, which then completes commands, options,
providers and sessions at Tab.

To have it always:
  bash   add to ~/.bashrc:    eval "$(ccc completion bash)"
  zsh    add to ~/.zshrc, after compinit:
                              eval "$(ccc completion zsh)"
  fish   ccc completion fish > ~/.config/fish/completions/ccc.fish""",
}
