#!/usr/bin/env bash
# Lets a scripted agent talk through the gateway with the official clients of OpenAI and
# Anthropic (node), for TURNS turns (300) in each mode; the clients come from npm into
# build/clients. Then each agent that npm has goes the same way, started by `palimpsest run`.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

have node && have npm || { say "Skipped: node is not here."; exit 0; }
[ -x ./palimpsest ] || die "./palimpsest is not built: run make build."
if [ ! -d build/clients/node_modules ]; then
	npm install --silent --no-fund --no-audit --prefix build/clients openai@7.57.0 @anthropic-ai/sdk@1.12.0 ||
		{ say "Skipped: the clients could not be fetched."; exit 0; }
fi
cp scripts/gateway/agent.mjs build/clients/agent.mjs # beside the packages, where node looks for them
node build/clients/agent.mjs "$PWD/palimpsest" "${TURNS:-300}"
exec scripts/gateway/agents.sh
