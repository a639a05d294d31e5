#!/usr/bin/env bash
# Runs every fuzz target of the packages without a window, one after the
# other, and writes the result of each to build/fuzz.tsv: target, outcome, inputs
# tried, inputs that reached new code. What is found stays in the package's
# testdata/fuzz, where every later `go test` reads it.
#   FUZZTIME=60s   how long each target runs
#   FUZZ=Read      only targets whose name holds this
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mkdir -p build/fuzz
out=build/fuzz.tsv
printf 'package\ttarget\toutcome\tinputs tried\tnew inputs\n' >"$out"
found=0
while IFS=: read -r file target; do
	dir=$(dirname "$file")
	log=build/fuzz/$target.log
	outcome=passed
	go test -tags "$TAGS" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-60s}" -fuzzminimizetime 20x -parallel 1 "./$dir" >"$log" 2>&1 ||
		{ outcome=FAILED; found=1; }
	last=$(grep -o 'execs: [0-9]* .*new interesting: [0-9]*' "$log" | tail -1 || true)
	printf '%s\t%s\t%s\t%s\t%s\n' "$dir" "$target" "$outcome" \
		"$(sed -n 's/execs: \([0-9]*\) .*/\1/p' <<<"$last")" "$(sed -n 's/.*new interesting: //p' <<<"$last")" | tee -a "$out"
done < <(grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9]*\(' cli compaction model |
	sed 's/func //; s/($//' | grep -E "${FUZZ:-.}" | sort)
say "Written to $out; the logs are in build/fuzz"
exit "$found"
