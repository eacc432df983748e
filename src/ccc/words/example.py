"""The smallest configuration that works."""

EXAMPLE = """{
  "providers": {
    "kimi": {
      "env": {
        "ANTHROPIC_BASE_URL": "https://api.moonshot.cn/anthropic",
        "ANTHROPIC_AUTH_TOKEN": "sk-...",
        "ANTHROPIC_MODEL": "kimi-k2.7-code"
      }
    }
  }
}"""
