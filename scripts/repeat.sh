#!/usr/bin/env bash
# Runs the tests of all packages, or of those that are named, again and again beside four
# processes that burn the processors: a test whose verdict depends on a clock, or on what ran
# before it, fails. Each run has its own order and its own drawn histories, by the seed that
# is printed.
#   [SEED=n] scripts/repeat.sh [RUNS [PACKAGE…]]
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

runs=${1:-20}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- ./...
burners=()
for _ in 1 2 3 4; do
	(while :; do :; done) &
	burners+=($!)
done
trap 'kill "${burners[@]}" 2>/dev/null' EXIT

# tests SEED FLAG… runs the packages whose histories are drawn, and the others, which know no -rapid.seed.
tests() {
	local seed=$1 status=0 p imports drawn=() fixed=()
	shift
	while read -r p imports; do
		case $imports in
		*pgregory.net/rapid*) drawn+=("$p") ;;
		*) fixed+=("$p") ;;
		esac
	done < <(go list -tags "$TAGS,ci" -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' "$@")
	local flags=(-vet=off -count=1 -timeout 180m -tags "$TAGS,ci" "-shuffle=$seed")
	[ ${#fixed[@]} -eq 0 ] || nice go test "${flags[@]}" "${fixed[@]}" || status=1
	[ ${#drawn[@]} -eq 0 ] || nice go test "${flags[@]}" "${drawn[@]}" "-rapid.seed=$seed" || status=1
	return "$status"
}

for run in $(seq "$runs"); do
	seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
	check "run $run of $runs, SEED=$seed" tests "$seed" "$@"
done
checked
say "$runs runs, no failure."
