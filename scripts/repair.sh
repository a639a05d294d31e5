#!/usr/bin/env bash
# Proves the mends with the agents themselves, offline, against a server of this machine that
# answers as a provider does and refuses what providers refuse: a broken session is resumed and
# fails, the repaired one makes its next call. The agents come from npm into build/agents; what
# is not there is skipped with its reason.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

have node && have npm || { say "Skipped: node is not here."; exit 0; }
[ -x ./palimpsest ] || die "./palimpsest is not built: run make build."
root=$PWD work=$(mktemp -d)
palimpsest=${PALIMPSEST:-$root/palimpsest}
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p build/agents

# agent DIR PACKAGE… installs packages; 1: they could not be fetched.
agent() {
	local dir=build/agents/$1
	shift
	[ -d "$dir/node_modules" ] || npm install --silent --no-fund --no-audit --prefix "$dir" "$@" || return 1
}

node scripts/gateway/mock.mjs "$work/log" "$work/port" &
server=$!
until [ -s "$work/port" ]; do kill -0 "$server" && sleep 0.1; done
url=http://127.0.0.1:$(cat "$work/port")
export HOME=$work/home PALIMPSEST_DB=$work/records.db XDG_CONFIG_HOME=$work/home/.config
export ANTHROPIC_BASE_URL=$url ANTHROPIC_API_KEY=sk-ant-mock CLAUDE_CONFIG_DIR=$HOME/.claude DISABLE_TELEMETRY=1
export DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
export COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=$url/v1 COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=gpt-4.1 COPILOT_AUTO_UPDATE=false
mkdir -p "$HOME/work"
cd "$HOME/work"
failed=0

# went is whether the last call of the run was answered and held what was said before.
went() { tail -1 "$work/log" | grep -q '"answer":200,"why":"","holds":true'; }

# prove NAME DAMAGE RESUME… breaks the session $file, and says how it is resumed before and after.
prove() {
	local name=$1 damage=$2
	shift 2
	python3 -c "import sys; b=open('$work/good','rb').read(); L=b.split(b'\n'); open('$file','wb').write($damage)"
	: >"$work/log"
	timeout 120 "$@" </dev/null >"$work/out" 2>&1 || true
	if went; then
		say "$name: the agent gets over it by itself"
		return
	fi
	touch -d '1 minute ago' "$file"
	"$palimpsest" repair "$file" --replace-source >"$work/repaired" || { cat "$work/repaired"; failed=1; }
	: >"$work/log"
	timeout 120 "$@" </dev/null >"$work/out" 2>&1 || true
	if went; then say "$name: fails, and goes on once it is repaired"; else
		say "$name: FAILS after the repair, too: $(tail -1 "$work/log") $(head -2 "$work/out")"
		failed=1
	fi
}

half="b.replace(b'word zucchini\"',b'word zucchini \\\\ud83d\"')"
for v in 2.0.76 2.1.332; do
	agent="$root/build/agents/claude-$v"
	(cd "$root" && agent "claude-$v" "@anthropic-ai/claude-code@$v") || { say "Claude Code $v: skipped, it could not be fetched."; continue; }
	claude=$agent/node_modules/.bin/claude
	rm -rf "$CLAUDE_CONFIG_DIR"
	timeout 120 "$claude" -p "say the word zucchini" --session-id 11111111-1111-4111-8111-111111111111 </dev/null >/dev/null 2>&1 || true
	file=$(find "$CLAUDE_CONFIG_DIR" -name '11111111*.jsonl' 2>/dev/null | head -1 || true)
	[ -n "$file" ] || { say "Claude Code $v: skipped, it wrote no session."; continue; }
	cp "$file" "$work/good"
	again=("$claude" -p again --resume 11111111-1111-4111-8111-111111111111)
	prove "Claude Code $v, half an emoji" "$half" "${again[@]}"
	prove "Claude Code $v, an empty text" "b.replace(b'\"text\":\"pong\"',b'\"text\":\"\"')" "${again[@]}"
	prove "Claude Code $v, a parent that is gone" \
		"b'\n'.join([__import__('re').sub(rb'\"parentUuid\":\"[^\"]*\"',b'\"parentUuid\":\"deadbeef-0000-4000-8000-000000000001\"',l) if b'\"role\":\"assistant\"' in l else l for l in L])" "${again[@]}"
done

for v in 1.0.35 1.0.102; do
	(cd "$root" && agent "copilot-$v" "@github/copilot@$v" node@24) || { say "Copilot CLI $v: skipped, it could not be fetched."; continue; }
	bin=$root/build/agents/copilot-$v/node_modules
	copilot=("$bin/.bin/node" "$bin/@github/copilot/npm-loader.js")
	id=22222222-2222-4222-8222-222222222222
	rm -rf "$HOME/.copilot"
	timeout 120 "${copilot[@]}" -p "say the word zucchini" --allow-all-tools </dev/null >/dev/null 2>&1 || true
	file=$(find "$HOME/.copilot" -name events.jsonl 2>/dev/null | head -1 || true)
	[ -n "$file" ] || { say "Copilot CLI $v: skipped, it wrote no session."; continue; }
	id=$(basename "$(dirname "$file")")
	cp "$file" "$work/good"
	again=("${copilot[@]}" -p again "--resume=$id" --allow-all-tools)
	answer="next(n for n,l in enumerate(L) if b'\"assistant.message\"' in l)"
	prove "Copilot CLI $v, half an emoji" "$half" "${again[@]}"
	prove "Copilot CLI $v, zero bytes at the end" "b.rstrip(b'\n')+b'\n'+b'\0'*1000" "${again[@]}"
	prove "Copilot CLI $v, a line end in a text" "b.replace(b'pong',b'po\nng')" "${again[@]}"
	prove "Copilot CLI $v, two events on a line" "(lambda i: b'\n'.join(L[:i]+[L[i]+L[i+1]]+L[i+2:]))($answer)" "${again[@]}"
	prove "Copilot CLI $v, an event in another" "(lambda i: b'\n'.join(L[:i]+[L[i][:120]+L[i]]+L[i+1:]))($answer)" "${again[@]}"
	prove "Copilot CLI $v, its first event cut" "b'\n'.join([L[0][:60]]+L[1:])" "${again[@]}"
	prove "Copilot CLI $v, a line separator" "b.replace(b'pong','po\u2028ng'.encode())" "${again[@]}"
	prove "Copilot CLI $v, a call without a result" \
		"(lambda i: b'\n'.join(L[:i]+[b'{\"type\":\"assistant.message\",\"data\":{\"messageId\":\"c60fcffe-6b16-4323-82fe-6d80117b7f99\",\"content\":\"\",\"toolRequests\":[{\"toolCallId\":\"call_9\",\"name\":\"view\",\"arguments\":{\"path\":\"/x\"},\"type\":\"function\"}]},\"id\":\"11111111-1111-4111-8111-111111111113\",\"timestamp\":\"2026-11-27T09:07:01.747Z\",\"parentId\":null}']+L[i:]))($answer)" "${again[@]}"
done
exit "$failed"
