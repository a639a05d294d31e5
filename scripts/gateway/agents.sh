#!/usr/bin/env bash
# Starts each agent that npm has, offline, against scripts/gateway/mock.mjs: one prompt, and STEPS
# files (25) read by its own shell, in three ways:
#   run      by `palimpsest run`, which compacts its calls; the server has faults
#   restart  before `palimpsest serve`, which is killed and started again in the midst of it
#   own      by `palimpsest run --mode watch`, with a limit at which the agent compacts by itself
# Prints a line for each, and the table of docs/live.md; with TABLE=docs/live.md writes it there, too.
# Ends with 1 if a call was refused, an agent did not reach its end, compacted never, or did not
# meet the faults, its user's files changed, something was left, or a session became several transcripts.
# AGENTS names some agents, WAYS some ways, LIMIT the model limit, FAULTS the faults of the server.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh" 2>/dev/null || cd "$(dirname "${BASH_SOURCE[0]}")/../.."

have node && have npm || { say "Skipped: node is not here."; exit 0; }
root=$PWD work=$(mktemp -d "$PWD/build/run.XXXXXX") # below no folder that others may write to, which Gemini CLI asks for
palimpsest=${PALIMPSEST:-$root/palimpsest}
[ -x "$palimpsest" ] || die "$palimpsest is not built: run make build."
trap 'kill "$server" $(cat "$work/gateway" 2>/dev/null) 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p build/agents

# agent DIR PACKAGE… installs packages; 1: they could not be fetched.
agent() {
	local dir=$root/build/agents/$1
	shift
	[ -d "$dir/node_modules" ] || npm install --silent --no-fund --no-audit --prefix "$dir" "$@" || return 1
}

faults=${FAULTS-503:4,500:9,drop:19}
STEPS=${STEPS:-25} FAULTS=$faults node scripts/gateway/mock.mjs "$work/log" "$work/port" &
server=$!
for _ in $(seq 100); do [ -s "$work/port" ] || sleep 0.1; done
real=http://127.0.0.1:$(cat "$work/port")
export HOME=$work/home PALIMPSEST_DB=$work/records.db
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME CLAUDE_CONFIG_DIR CODEX_HOME
mkdir -p "$HOME/work/data" "$work/gateway.d"
cd "$HOME/work"
for i in $(seq 0 39); do for k in $(seq 60); do echo "$i line $k: func f${i}_$k(ctx, id) error { return do(ctx, $((k * 31 + i))) } // zucchini"; done >"data/$i.txt"; done
git init -q .
failed=0

# serve starts a gateway on the port of the one before, if there was one.
serve() {
	rm -f "$work/serve" # its address is looked for there
	"$palimpsest" serve --upstream "$real" --listen "127.0.0.1:${1:-0}" --dir "$work/gateway.d" --mode ledger --model-limit "${LIMIT:-40000}" --window 8000tok >"$work/serve" 2>&1 &
	echo $! >"$work/gateway"
	for _ in $(seq 100); do url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/serve" | head -1) && break || sleep 0.1; done
}

# kill9 waits for some calls, then kills the gateway and starts it again.
kill9() {
	for _ in $(seq 600); do [ "$(wc -l <"$work/log")" -lt 12 ] || break; sleep 0.1; done
	kill -9 "$(cat "$work/gateway")" && serve "${url##*:}"
}

# try NAME PROGRAM FILE ARG… starts the agent; FILE is one of the user's that stays as it is. With
# GOON, arguments, it is started once more with them: it goes on with its session.
try() {
	local name=$1 program=$2 file=$3 before code=0 fired transcripts killer start most=1
	shift 3
	curl -s "$real/again" >/dev/null
	: >"$work/log"
	before=$(sha256sum "$file" 2>/dev/null || true)
	fired=$("$palimpsest" records 2>/dev/null | grep -c R- || true)
	transcripts=$(ls "$work/gateway.d" | grep -c jsonl || true)
	start=(--model-limit "${LIMIT:-40000}" --window 8000tok)
	[ "$way" != own ] || start=(--mode watch)
	case $way in
	run | own)
		start=("$palimpsest" run --dir "$work/gateway.d" "${start[@]}" --program "$program" "$name" --)
		timeout 400 "${start[@]}" "$@" </dev/null >"$work/out" 2>&1 || code=$?
		# shellcheck disable=SC2086
		[ -z "${GOON:-}" ] || timeout 400 "${start[@]}" $GOON "$@" </dev/null >"$work/out" 2>&1 || code=$?
		;;
	restart)
		kill9 &
		killer=$!
		timeout 400 "$program" "$@" </dev/null >"$work/out" 2>&1 || code=$?
		wait "$killer" || code=9
		kill "$(cat "$work/gateway")" || { say "$name: the gateway was gone: $(cat "$work/serve")"; code=9; }
		;;
	esac
	fired=$(($("$palimpsest" records 2>/dev/null | grep -c R- || true) - fired))
	transcripts=$(($(ls "$work/gateway.d" | grep -c jsonl || true) - transcripts))
	local calls refused largest own met
	calls=$(wc -l <"$work/log") refused=$(grep -c '"answer":400' "$work/log" || true) own=$(grep -c '"compacts":true' "$work/log" || true)
	largest=$(grep -o '"bytes":[0-9]*' "$work/log" | cut -d: -f2 | sort -n | tail -1 || true)
	met=$(grep -c '"fault":"' "$work/log" || true)
	say "$name, $way: exit $code, $calls calls, $refused refused, largest $largest bytes, $fired firings, $met faults, $own of its own, $transcripts transcripts"
	echo "$name	$way	$calls/$refused/$((${largest:-0} / 1000))kB/$([ "$way" = own ] && echo "$own/$transcripts" || echo "$fired")" >>"$work/rows"
	if [ "$code" != 0 ] || [ "$refused" != 0 ] || ! grep -q '"last":true' "$work/log"; then failed=1; tail -5 "$work/out"; fi
	[ "$met" = "$(tr , '\n' <<<"$faults" | grep -c :)" ] || { say "$name: it met $met faults"; failed=1; }
	[ "$([ "$way" = own ] && echo "$own" || echo "$fired")" -gt 0 ] || { say "$name: nothing was compacted"; failed=1; }
	[ -z "${GOON:-}" ] || most=2 # what it goes on with is written in other words
	[ "$transcripts" -le "$most" ] || { say "$name: one session has $transcripts transcripts"; failed=1; }
	[ "$before" = "$(sha256sum "$file" 2>/dev/null || true)" ] || { say "$name: $file was changed"; failed=1; }
	[ -z "$(ls "$HOME/.cache/palimpsest/runs" 2>/dev/null)" ] || [ "$way" = restart ] || { say "$name: something was left"; failed=1; }
}

at() { echo "$root/build/agents/$1/node_modules/.bin/$2"; }
for name in ${AGENTS:-claude codex opencode qwen pi copilot gemini cline}; do for way in ${WAYS:-run restart own}; do
	url=$real window=200000
	[ "$way" != restart ] || serve
	[ "$way" != own ] || window=30000
	case $name in
	claude)
		agent claude-2.1.332 @anthropic-ai/claude-code@2.1.332 || continue
		mkdir -p ~/.claude; echo '{"model": "sonnet"}' >~/.claude/settings.json
		[ "$way" != own ] || export CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000 CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=45
		ANTHROPIC_BASE_URL=$url ANTHROPIC_API_KEY=sk-ant-mock DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1 \
			try claude "$(at claude-2.1.332 claude)" ~/.claude/settings.json -p "Read all files" --dangerously-skip-permissions
		;;
	codex)
		agent codex-0.171.0 @openai/codex@0.171.0 || continue
		mkdir -p ~/.codex
		echo "openai_base_url = \"$url/v1\"" >~/.codex/config.toml
		# It compacts by itself for any provider but OpenAI, whose server it asks to.
		[ "$way" != own ] || printf 'model_provider = "mock"\nmodel_auto_compact_token_limit = 22000\n[model_providers.mock]\nname = "Mock"\nbase_url = "%s/v1"\nwire_api = "responses"\n' "$url" >~/.codex/config.toml
		echo sk-mock | "$(at codex-0.171.0 codex)" login --with-api-key >/dev/null 2>&1
		try codex "$(at codex-0.171.0 codex)" ~/.codex/config.toml exec -m mock-model --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox "Read all files"
		;;
	opencode)
		agent opencode-1.18.33 opencode-ai@1.18.33 || continue
		mkdir -p ~/.config/opencode
		echo '{"$schema":"https://opencode.ai/config.json","provider":{"mock":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"'"$url"'/v1","apiKey":"x"},"models":{"mock-model":{"limit":{"context":'$window',"output":8000}}}}},"model":"mock/mock-model","permission":{"*":"allow"}}' >~/.config/opencode/opencode.json
		try opencode "$(at opencode-1.18.33 opencode)" ~/.config/opencode/opencode.json run "Read all files"
		;;
	qwen)
		agent qwen-0.15.10 @qwen-code/qwen-code@0.15.10 || continue
		mkdir -p ~/.qwen; echo '{"model":{"chatCompression":{"contextPercentageThreshold":'"$([ "$way" = own ] && echo 0.15 || echo 0.9)"'}}}' >~/.qwen/settings.json
		OPENAI_API_KEY=x OPENAI_BASE_URL=$url/v1 OPENAI_MODEL=mock-model try qwen "$(at qwen-0.15.10 qwen)" /dev/null --yolo -p "Read all files"
		;;
	pi)
		agent pi-0.73.1 @mariozechner/pi-coding-agent@0.73.1 || continue
		mkdir -p ~/.pi/agent
		echo '{"providers":{"mock":{"baseUrl":"'"$url"'/v1","api":"openai-completions","apiKey":"x","models":[{"id":"mock-model","contextWindow":'$window',"maxTokens":8000}]}}}' >~/.pi/agent/models.json
		echo '{"compaction":{"keepRecentTokens":4000}}' >~/.pi/agent/settings.json
		PI_OFFLINE=1 try pi "$(at pi-0.73.1 pi)" ~/.pi/agent/models.json --provider mock --model mock-model -p "Read all files"
		;;
	copilot)
		agent copilot-1.0.102 @github/copilot@1.0.102 node@24 || continue
		printf '#!/bin/sh\nexec %s %s "$@"\n' "$(at copilot-1.0.102 node)" "$root/build/agents/copilot-1.0.102/node_modules/@github/copilot/npm-loader.js" >"$work/copilot"
		chmod +x "$work/copilot"
		[ "$way" != own ] || export COPILOT_PROVIDER_MAX_PROMPT_TOKENS=25000
		COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=$url/v1 COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=gpt-4.1 COPILOT_AUTO_UPDATE=false \
			try copilot "$work/copilot" /dev/null -p "Read all files" --allow-all-tools
		;;
	gemini)
		agent gemini-0.61.0 @google/gemini-cli@0.61.0 || continue
		mkdir -p ~/.gemini # it compacts only before a prompt, so it is given a second one
		echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"model":{"compressionThreshold":'"$([ "$way" = own ] && echo 0.015 || echo 0.5)"'}}' >~/.gemini/settings.json
		GOON=$([ "$way" != own ] || echo "-r latest") GEMINI_API_KEY=x GOOGLE_GEMINI_BASE_URL=$url try gemini "$(at gemini-0.61.0 gemini)" ~/.gemini/settings.json --yolo --skip-trust -m gemini-2.5-pro -p "Read all files"
		;;
	cline)
		agent cline-3.0.65 cline@3.0.65 || continue
		rm -f ~/.cline/data/settings/providers.json # it would keep the limit of the way before
		"$(at cline-3.0.65 cline)" auth -p openai -k x -m mock-model -b "$url/v1" >/dev/null
		sed -i 's/"model": "mock-model"/&, "contextWindow": '$window/ ~/.cline/data/settings/providers.json
		try cline "$(at cline-3.0.65 cline)" /dev/null "Read all files"
		;;
	esac
done; done
{
	echo "| tool, version | by \`run\`: calls/refused/largest request/firings | killed | by itself: calls/refused/largest/compactions/transcripts |"
	echo "|---|---|---|---|"
	for name in $(cut -f1 "$work/rows" | uniq); do
		echo "| $name$(ls -d "$root/build/agents/$name"-* | sed "s/.*$name-/ /" | tail -1) |$(for way in run restart own; do echo -n " $(grep "^$name	$way	" "$work/rows" | cut -f3 | tail -1) |"; done)"
	done
} >"$work/table"
cat "$work/table"
[ -z "${TABLE:-}" ] || sed -i -e "/^| tool, version |/,/^\$/{ /^\$/!d }" -e "/^<!-- By scripts.gateway.sh: -->\$/r $work/table" "$root/$TABLE"
exit "$failed"
