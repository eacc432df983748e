"""Messages of `ccc completion` in Chinese."""

WORDS = {
    "completion.usage": """用法：ccc completion bash|zsh|fish

输出对应 shell 的脚本，之后按 Tab 即可补全命令、选项、提供商、会话和任务。

长期启用：
  bash   在 ~/.bashrc 中加入：   eval "$(ccc completion bash)"
  zsh    在 ~/.zshrc 的 compinit 之后加入：
                                 eval "$(ccc completion zsh)"
  fish   ccc completion fish > ~/.config/fish/completions/ccc.fish""",
}
