#!/bin/sh -e
# Runs a command of claude's, such as a hook, with the provider's key, which claude removes from
# the environment. CLAUDE_CODE_SHELL_PREFIX names this script if share_key_with_hooks is true.
for name in ANTHROPIC_AUTH_TOKEN ANTHROPIC_API_KEY ANTHROPIC_CUSTOM_HEADERS \
    CLAUDE_CODE_OAUTH_TOKEN AWS_BEARER_TOKEN_BEDROCK ANTHROPIC_FOUNDRY_API_KEY \
    ANTHROPIC_FOUNDRY_AUTH_TOKEN ANTHROPIC_AWS_API_KEY; do
    eval "value=\${CCC_SHARED_$name-}"
    if [ -n "$value" ]; then
        export "$name=$value"
    fi
done
# the shell that claude itself would use
case ${SHELL-} in
*/bash | */zsh) shell=$SHELL ;;
*) shell= ;;
esac
if [ ! -x "$shell" ]; then
    shell=$(command -v bash || command -v zsh || echo /bin/sh)
fi
exec "$shell" -c "$1"
