"""Messages of `ccc completion` in English."""

WORDS = {
    "completion.usage": """Usage: ccc completion bash|zsh|fish

Prints a script that completes commands, options, providers, sessions and tasks.

To enable it permanently:
  bash   add to ~/.bashrc:    eval "$(ccc completion bash)"
  zsh    add to ~/.zshrc, after compinit:
                              eval "$(ccc completion zsh)"
  fish   ccc completion fish > ~/.config/fish/completions/ccc.fish""",
}
