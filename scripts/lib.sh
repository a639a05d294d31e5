# shellcheck shell=bash
# Shared by the scripts beside it, which source it first. It moves to the
# project's root and sets what every build needs.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The window toolkit and SQLite are C underneath.
export CGO_ENABLED=1
# The version comes from FyneApp.toml; asking git for one fails in a checkout
# that belongs to somebody else, as in many containers.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-buildvcs=false"

# migrated_fynedo declares to Fyne that all calls to it are made on its own thread;
# sqlite_fts5 builds SQLite with its full-text index, without which no database is opened.
export TAGS=migrated_fynedo,sqlite_fts5
# The verbs alone: names are looked up without the C library, SQLite loads no extension.
export TAGS_CLI=sqlite_fts5,netgo,osusergo,sqlite_omit_load_extension

export SAMPLE=assets/samples/long-coding-run.jsonl
export STATICCHECK_VERSION=v0.8.2
export REVIVE_VERSION=v1.15.0
export GOVULNCHECK_VERSION=v1.1.4
export GO_LICENSES_VERSION=v1.6.0
export VULNDB=${VULNDB:-https://vuln.go.dev}

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# stamp prints the flag of the linker that puts revision and date of this checkout into
# the program; nothing where there is no git. With the same commit it is the same.
stamp() {
	local revision date
	revision=$(git -c safe.directory='*' rev-parse --short=12 HEAD 2>/dev/null) || return 0
	date=$(TZ=UTC git -c safe.directory='*' log -1 --format=%cd --date=format-local:%Y-%m-%d)
	[ -z "$(git -c safe.directory='*' status --porcelain --untracked-files=no)" ] || revision+=-modified
	printf -- '-X palimpsest/model/program.revision=%s -X palimpsest/model/program.date=%s' "$revision" "$date"
}

# cpu prints the seconds of CPU that the programs of this script have taken; Linux counts
# them in hundredths, elsewhere it is 0.
cpu() { awk '{ print int(($16 + $17) / 100) }' "/proc/$$/stat" 2>/dev/null || echo 0; }

# step TITLE COMMAND… runs the command under a header and prints its time on the clock
# and that of the CPU.
step() {
	local title=$1 start=$SECONDS status=0 used
	shift
	used=$(cpu)
	printf '\n== %s\n' "$title"
	"$@" || status=$?
	if [ "$status" -ne 0 ]; then
		printf -- '-- %s: FAILED after %d s\n' "$title" $((SECONDS - start))
		return "$status"
	fi
	printf -- '-- %s: ok, %d s, %d s of CPU\n' "$title" $((SECONDS - start)) $(($(cpu) - used))
}

# check TITLE COMMAND… is a step that does not end the script when it fails; see checked.
FAILED=()
check() { step "$@" || FAILED+=("$1"); }

# checked says which of the checks failed, and fails then.
checked() {
	[ ${#FAILED[@]} -gt 0 ] || return 0
	printf '\nFailed:\n'
	printf '  %s\n' "${FAILED[@]}"
	say "Look for the first line with FAIL below the title of each. A test alone: go test -tags $TAGS,ci ./FOLDER -run NAME"
	return 1
}

# quietly LOG COMMAND… runs a command that says much, shows the seconds that pass, and its
# words only when it fails. They stay in the log.
quietly() {
	local log=$1 start=$SECONDS pid status=0
	shift
	mkdir -p "$(dirname "$log")"
	"$@" >"$log" 2>&1 &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		[ ! -t 1 ] || printf '\r  %d s ' $((SECONDS - start))
	done
	wait "$pid" || status=$?
	if [ "$status" -eq 0 ]; then
		say "  done in $((SECONDS - start)) s"
	else
		cat "$log"
		say "  failed after $((SECONDS - start)) s; the same words are in $log"
	fi
	return "$status"
}

# source_files prints the Go files that belong to the project, NUL between.
source_files() {
	if have git && git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -z --cached --others --exclude-standard -- '*.go'
	else
		find . -name '*.go' -not -path './build/*' -print0
	fi
}
