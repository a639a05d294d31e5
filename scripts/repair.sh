#!/usr/bin/env bash
# Proves the mends with the agents themselves, offline, against a server of this machine that
# answers as a provider does and refuses what providers refuse. Each agent does one task with one
# call; its session is broken, resumed, repaired and resumed again. The agents come from npm into
# build/agents; what is not there is skipped with its reason. AGENTS and FAULTS name some of them.
#
# A line says how far the agent came: "goes on" with all that was said, "goes on with a part",
# "is refused" by the provider, or "is not resumed". 1 if a repaired session is not resumed.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

have node && have npm || { say "Skipped: node is not here."; exit 0; }
root=$PWD
palimpsest=${PALIMPSEST:-$root/palimpsest}
[ -x "$palimpsest" ] || die "$palimpsest is not built: run make build."
mkdir -p build/agents
work=$(mktemp -d "$root/build/repair.XXXXXX") # below no folder that others may write to, which Gemini CLI asks for
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

STEPS=1 FAULTS="" node scripts/gateway/mock.mjs "$work/log" "$work/port" &
server=$!
until [ -s "$work/port" ]; do kill -0 "$server" && sleep 0.1; done
url=http://127.0.0.1:$(cat "$work/port")
export HOME=$work/home PALIMPSEST_DB=$work/records.db IS_SANDBOX=1
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME CLAUDE_CONFIG_DIR CODEX_HOME
mkdir -p "$HOME/work/data"
cd "$HOME/work"
for i in 0 1 2; do echo "file $i" >"data/$i.txt"; done
git init -q .
failed=0

# damage KIND writes the session $work/good into $file with a fault of a kind; 1: it has no place for it.
damage() {
	python3 - "$1" "$work/good" "$file" <<'PY'
import json, re, sys
kind, good, out = sys.argv[1:]
b = open(good, "rb").read()
if b.lstrip().startswith(b"{\n"):  # one value: an export
    lines, said = None, b.replace
else:
    lines = b.rstrip(b"\n").split(b"\n")
mark = b"ALL-READ"
def last(of):
    return max(i for i, l in enumerate(lines) if of(l))
def answer(l):  # the record of the last answer, not an event about it
    return mark in l and not re.search(rb'"(event_msg|token_usage_record|last-prompt|assistant.turn_end)"', l)
def result(l):
    return re.search(rb'"tool_result"|function_call_output|"functionResponse"|"toolResult"|"tool.execution_complete"', l)
def call(l):
    return re.search(rb'"tool_use"|"function_call"|"functionCall"|"toolCall"|"toolRequests":\[\{', l) and not result(l)
def joined(l):
    return b"\n".join(l) + b"\n"
def at(i, *new):
    return joined(lines[:i] + list(new) + lines[i + 1:])
def parents(l, to):
    return re.sub(rb'"parent(Uuid|Id)":("[^"]*"|null)', lambda m: b'"parent' + m[1] + b'":' + to, l, count=1)
def rotated(i):  # the record at i moves to the end
    return joined(lines[:i] + lines[i + 1:] + [lines[i]])
inside = lambda what: b[: b.rindex(mark) + 4] + what + b[b.rindex(mark) + 4 :]
i = last(answer) if lines else 0
def own(l):
    return re.search(rb'"(uuid|id)":"([^"]*)"', l)[2]
kinds = {
    "half-character": lambda: b.replace(mark, mark + b" \\ud83d"),
    "not-utf8": lambda: b.replace(mark, mark + b" \xff\xfe"),
    "nul-bytes": lambda: at(i, b"\0" * 1000 + lines[i]),
    "nul-bytes at the end": lambda: b + b"\0" * 1000,
    "control-character": lambda: b.replace(mark, mark + b"\x01"),
    "line-separator": lambda: b.replace(mark, mark + "\u2028".encode()),
    "split-record": lambda: b.replace(mark, mark + b"\n."),
    "glued-lines": lambda: joined(lines[: i - 1] + [lines[i - 1] + lines[i]] + lines[i + 1 :]),
    "cut-record": lambda: at(i, lines[i][:60] + lines[i]),
    "cut-line": lambda: joined(lines) + lines[i][:60],
    "cut-line in the middle": lambda: at(last(result), lines[last(result)][:60]),
    "no-record": lambda: at(i, b"[warn] this is no record", lines[i]),
    "first line cut": lambda: at(0, lines[0][:60]),
    "byte-order-mark": lambda: b"\xef\xbb\xbf" + b,
    "not-a-number": lambda: at(i, lines[i].rstrip()[:-1] + b',"x":NaN}'),
    "missing-parent": lambda: at(i, parents(lines[i], b'"deadbeef-0000-4000-8000-000000000001"')),
    "parent-loop": lambda: at(last(call), parents(lines[last(call)], b'"' + own(lines[i]) + b'"')),
    "call-without-result": lambda: joined(l for l in lines if not result(l)),
    "result-without-call": lambda: joined(l for l in lines if not call(l)),
    "second-result": lambda: at(last(result), lines[last(result)], re.sub(rb'("(?:uuid|id)":")(....)', rb"\1abcd", lines[last(result)], count=1)),
    "huge-number": lambda: at(i, lines[i].rstrip()[:-1] + b',"x":1e999}'),
    "empty-text": lambda: re.sub(rb'\{"type":"text","text":"ALL-READ"[^{}]*\}', rb'\g<0>,{"type":"text","text":""}', b),
}
try:
    made = kinds[kind]()
except (ValueError, TypeError):
    made = b
open(out, "wb").write(made)
sys.exit(made == b)
PY
}

# resumed ARG… resumes the session, and says how far the agent came.
resumed() {
	: >"$work/log"
	find "$(dirname "$file")" -maxdepth 1 -name "*.jsonl" ! -path "$file" -delete # what the agent began anew
	timeout -k 5 120 "$@" </dev/null >"$work/out" 2>&1 || true
	case $(tail -1 "$work/log") in
	*'"answer":200'*'"holds":true,"ends":true'*) echo "goes on" ;;
	*'"answer":200'*) echo "goes on with a part" ;;
	*'"answer":400'*) echo "is refused" ;;
	*) echo "is not resumed" ;;
	esac
}

# prove NAME RESUME… breaks the session $file in each way, resumes it, mends it and resumes it again.
prove() {
	local name=$1 kind before after
	shift
	[ -n "$file" ] && [ -s "$file" ] || { say "$name: skipped, it wrote no session."; tail -3 "$work/out"; return; }
	cp "$file" "$work/good"
	before=$(resumed "$@")
	[ "$before" = "goes on" ] || { say "$name: skipped, a whole session $before."; tail -3 "$work/out"; return; }
	while read -r kind; do
		damage "$kind" || continue
		before=$(resumed "$@")
		[ "$before" != "goes on" ] || { say "$name: $kind: goes on by itself"; continue; }
		damage "$kind" # the agent wrote into it
		touch -d '1 minute ago' "$file"
		"$palimpsest" repair "$file" --replace-source >"$work/repaired" || { cat "$work/repaired"; failed=1; }
		after=$(resumed "$@")
		say "$name: $kind: $before, and once it is repaired $after"
		case $after in "goes on"*) ;; *) failed=1; head -3 "$work/out"; tail -1 "$work/log" ;; esac
	done < <(printf '%s\n' "half-character" "not-utf8" "nul-bytes" "nul-bytes at the end" "control-character" "line-separator" "split-record" \
		"glued-lines" "cut-record" "cut-line" "cut-line in the middle" "no-record" "first line cut" "byte-order-mark" "not-a-number" \
		"missing-parent" "parent-loop" "call-without-result" "result-without-call" "second-result" "empty-text" "huge-number" | grep -E "${KINDS:-.}")
}

# agent DIR PACKAGE… installs packages; 1: they could not be fetched.
agent() {
	local dir=$root/build/agents/$1
	shift
	[ -d "$dir/node_modules" ] || npm install --silent --no-fund --no-audit --prefix "$dir" "$@" ||
		{ say "$1: skipped, it could not be fetched."; return 1; }
}

# begin ARG… has an agent do its task.
begin() {
	curl -s "$url/again" >/dev/null
	timeout -k 5 120 "$@" </dev/null >"$work/out" 2>&1 || true
}

at() { echo "$root/build/agents/$1/node_modules/.bin/$2"; }
newest() { find "$1" -name "$2" -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -1 | cut -d' ' -f2-; }
task="say the word zucchini"

for v in ${AGENTS:-claude-2.0.76 claude-2.1.332 copilot-1.0.35 copilot-1.0.102 codex-0.171.0 qwen-0.15.10 pi-0.73.1 gemini-0.61.0 opencode-1.18.33}; do
	case $v in
	claude-*)
		agent "$v" "@anthropic-ai/claude-code@${v#*-}" || continue
		export ANTHROPIC_BASE_URL=$url ANTHROPIC_API_KEY=sk-ant-mock DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
		rm -rf ~/.claude
		id=11111111-1111-4111-8111-111111111111
		begin "$(at "$v" claude)" -p "$task" --dangerously-skip-permissions --session-id $id
		file=$(newest ~/.claude "$id.jsonl")
		prove "Claude Code ${v#*-}" "$(at "$v" claude)" -p again --dangerously-skip-permissions --resume $id
		;;
	copilot-*)
		agent "$v" "@github/copilot@${v#*-}" node@24 || continue
		export COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=$url/v1 COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=gpt-4.1 COPILOT_AUTO_UPDATE=false
		copilot=("$(at "$v" node)" "$root/build/agents/$v/node_modules/@github/copilot/npm-loader.js")
		rm -rf ~/.copilot
		begin "${copilot[@]}" -p "$task" --allow-all-tools
		file=$(newest ~/.copilot events.jsonl)
		prove "Copilot CLI ${v#*-}" "${copilot[@]}" -p again "--resume=$(basename "$(dirname "$file")")" --allow-all-tools
		;;
	codex-*)
		agent "$v" "@openai/codex@${v#*-}" || continue
		mkdir -p ~/.codex
		printf 'model_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "%s"\nwire_api = "responses"\n' "$url/v1" >~/.codex/config.toml
		codex=("$(at "$v" codex)" exec)
		flags=(-m mock-model --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox)
		begin "${codex[@]}" "${flags[@]}" "$task"
		file=$(newest ~/.codex/sessions 'rollout*.jsonl')
		id=$(basename "$file" .jsonl | grep -oE '[0-9a-f-]{36}$' || true)
		prove "Codex ${v#*-}" "${codex[@]}" resume "$id" "${flags[@]}" again
		;;
	qwen-*)
		agent "$v" "@qwen-code/qwen-code@${v#*-}" || continue
		export OPENAI_API_KEY=x OPENAI_BASE_URL=$url/v1 OPENAI_MODEL=mock-model
		begin "$(at "$v" qwen)" --yolo -p "$task"
		file=$(newest ~/.qwen/projects '*.jsonl')
		prove "Qwen Code ${v#*-}" "$(at "$v" qwen)" --yolo --resume "$(basename "$file" .jsonl)" -p again
		;;
	pi-*)
		agent "$v" "@mariozechner/pi-coding-agent@${v#*-}" || continue
		mkdir -p ~/.pi/agent
		echo '{"providers":{"mock":{"baseUrl":"'"$url"'/v1","api":"openai-completions","apiKey":"x","models":[{"id":"mock-model","contextWindow":200000,"maxTokens":8000}]}}}' >~/.pi/agent/models.json
		export PI_OFFLINE=1
		pi=("$(at "$v" pi)" --provider mock --model mock-model -p)
		begin "${pi[@]}" "$task"
		file=$(newest ~/.pi/agent/sessions '*.jsonl')
		prove "pi ${v#*-}" "${pi[@]}" --session "$file" again
		;;
	gemini-*)
		agent "$v" "@google/gemini-cli@${v#*-}" || continue
		mkdir -p ~/.gemini
		echo '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' >~/.gemini/settings.json
		export GEMINI_API_KEY=x GOOGLE_GEMINI_BASE_URL=$url
		gemini=("$(at "$v" gemini)" --yolo --skip-trust -m gemini-2.5-pro)
		begin "${gemini[@]}" -p "$task"
		file=$(newest ~/.gemini/tmp 'session-*.jsonl')
		prove "Gemini CLI ${v#*-}" "${gemini[@]}" --resume latest -p again
		;;
	opencode-*) # its sessions are in a database: what is exported, broken and repaired is imported again
		agent "$v" "opencode-ai@${v#*-}" || continue
		mkdir -p ~/.config/opencode
		echo '{"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"'"$url"'/v1","apiKey":"x"},"models":{"mock-model":{"limit":{"context":200000,"output":8000}}}}},"model":"mock/mock-model","permission":{"*":"allow"}}' >~/.config/opencode/opencode.json
		begin "$(at "$v" opencode)" run "$task"
		id=$("$(at "$v" opencode)" session list 2>/dev/null | grep -oE 'ses_[A-Za-z0-9]+' | head -1 || true)
		file=$work/export.json
		"$(at "$v" opencode)" export "$id" >"$file" 2>/dev/null || true
		printf '#!/bin/sh\nrm -rf ~/.local/share/opencode/opencode.db*\n%s import %s && %s run -s %s again\n' \
			"$(at "$v" opencode)" "$file" "$(at "$v" opencode)" "$id" >"$work/again"
		chmod +x "$work/again"
		prove "opencode ${v#*-}" "$work/again"
		;;
	esac
done
exit "$failed"
