#!/usr/bin/env bash
# Does to running compactions what happens to programs, for a given time, and counts
# what was lost: kills, signals, a full disk, a lock, two writers, a database that is
# damaged. The table goes to build/soak.tsv, what the programs said to build/soak.log.
#   SOAKTIME=60   seconds in all
#   SAMPLE=…      the history that is compacted
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ -x palimpsest ] || scripts/build.sh
have sqlite3 || have python3 || die "The soak needs python3."
mkdir -p build
: >build/soak.log # what the compactions complained of
SOAKTIME=${SOAKTIME:-60}
dir=$(mktemp -d)
# shellcheck disable=SC2064
trap "rm -rf '$dir'" EXIT
bin=$PWD/palimpsest
cp "$SAMPLE" "$dir/source.jsonl"
export PALIMPSEST_DB=$dir/p.db
declare -A tried lost
end=$((SECONDS + SOAKTIME))

note() { # KIND LOST
	tried[$1]=$((${tried[$1]:-0} + 1))
	lost[$1]=$((${lost[$1]:-0} + $2))
}

# whole reports 0 if all records check and the newest applied one gives back the source,
# and nothing was left beside the outputs; else 1.
whole() {
	"$bin" records check >/dev/null 2>&1 || { echo 1; return; }
	local id
	id=$("$bin" records --json 2>/dev/null | python3 -c 'import json,sys
print(next((r["id"] for r in json.load(sys.stdin) if r["outcome"]=="applied"), ""))')
	if [ -n "$id" ]; then
		rm -f "$dir/back"
		"$bin" restore "$id" -o "$dir/back" >/dev/null 2>&1 && cmp -s "$dir/back" "$dir/source.jsonl" || { echo 1; return; }
	fi
	[ -z "$(find "$dir" -name '.palimpsest-*' -print -quit)" ] && echo 0 || echo 1
}

compact() { "$bin" compact "$dir/source.jsonl" --window "$((RANDOM % 20 + 4))" -o "$dir/out-$BASHPID-$RANDOM" >/dev/null 2>>build/soak.log; }

interrupted() { # KIND SIGNAL
	compact &
	local pid=$!
	python3 -c "import time; time.sleep($((RANDOM % 900)) / 1000)"
	pkill -"$2" -P "$pid" 2>/dev/null || kill -"$2" "$pid" 2>/dev/null || true
	wait "$pid" 2>/dev/null || true
	note "$1" "$(whole)"
}

two_writers() {
	compact & local a=$!
	compact & local b=$!
	local bad=0
	wait "$a" || bad=1
	wait "$b" || bad=1
	[ "$bad" -eq 1 ] || bad=$(whole)
	note "two writers" "$bad"
}

locked() { # another program holds the write lock: everything that reads works
	rm -f "$dir/held"
	python3 - "$PALIMPSEST_DB" "$dir/held" <<'PY' &
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").close(); time.sleep(1.5)
PY
	local pid=$! bad=0
	while [ ! -e "$dir/held" ]; do kill -0 "$pid" 2>/dev/null || break; done
	bad=$(whole)
	wait "$pid" || true
	note "another program's lock" "$bad"
}

full() { # a disk of its own, where it can be mounted
	local m=$dir/full bad=0
	mkdir -p "$m"
	mount -t tmpfs -o size=6m palimpsest-soak "$m" 2>/dev/null || return 0
	(
		export PALIMPSEST_DB=$m/p.db
		"$bin" compact "$dir/source.jsonl" --window 10 >/dev/null
		dd if=/dev/zero of="$m/fill" bs=4k 2>/dev/null || true
		rm -f "$dir/from-full"
		"$bin" records >/dev/null && "$bin" restore 1 -o "$dir/from-full" >/dev/null && cmp -s "$dir/from-full" "$dir/source.jsonl"
	) || bad=1
	umount "$m"
	note "full disk" "$bad"
}

flipped() { # damaged bytes: what is given back is the original, or nothing
	cp "$PALIMPSEST_DB" "$dir/flip.db"
	python3 - "$dir/flip.db" <<'PY'
import os, random, sys
n = os.path.getsize(sys.argv[1])
with open(sys.argv[1], "r+b") as f:
    for _ in range(random.randint(1, 20)):
        f.seek(random.randrange(n)); f.write(bytes([random.randrange(256)]))
PY
	rm -f "$dir/flip-back"
	local bad=0
	if PALIMPSEST_DB=$dir/flip.db "$bin" restore 1 -o "$dir/flip-back" >/dev/null 2>&1; then
		cmp -s "$dir/flip-back" "$dir/source.jsonl" || bad=1
	fi
	rm -f "$dir"/flip.db*
	note "damaged database" "$bad"
}

compact
while [ "$SECONDS" -lt "$end" ]; do
	interrupted "kill -9" KILL
	interrupted "TERM" TERM
	interrupted "HUP" HUP
	interrupted "INT" INT
	two_writers
	locked
	full
	flipped
	rm -f "$dir"/out-*
done
{
	printf 'fault\ttried\tlost or left behind\n'
	for k in "${!tried[@]}"; do printf '%s\t%s\t%s\n' "$k" "${tried[$k]}" "${lost[$k]}"; done | sort
} | tee build/soak.tsv
for k in "${!lost[@]}"; do [ "${lost[$k]}" -eq 0 ] || exit 1; done
