#!/usr/bin/env bash
# Format, vet, staticcheck, and the size of functions.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check_format() {
	local bad
	bad=$(source_files | xargs -0 -r gofmt -l)
	[ -z "$bad" ] || { printf 'not in gofmt form:\n%s\n' "$bad"; return 1; }
}

check_vet() { go vet -tags "$TAGS" ./...; }

# find_tool NAME MODULE VERSION prints the path of the pinned version of a tool,
# fetched if need be.
find_tool() {
	local name=$1 module=$2 version=$3 dir="$PWD/build/tools" tool
	for tool in "$dir/$name" "$(go env GOPATH)/bin/$name" "$(command -v "$name" || true)"; do
		if [ -x "$tool" ] && go version -m "$tool" 2>/dev/null | awk '$1 == "mod" { print $3 }' | grep -qxF "$version"; then
			echo "$tool"
			return 0
		fi
	done
	mkdir -p "$dir"
	GOBIN=$dir go install "$module@$version" >&2 || return 1
	echo "$dir/$name"
}

check_static() {
	local tool
	if ! tool=$(find_tool staticcheck honnef.co/go/tools/cmd/staticcheck "$STATICCHECK_VERSION"); then
		say "Skipped: staticcheck $STATICCHECK_VERSION is not here and could not be fetched."
		return 0
	fi
	"$tool" -tags "$TAGS" ./...
}

# Functions of at most 80 lines, 20 paths and 5 parameters, four levels deep, in
# lines of at most 140 characters. The size of packages and types is held by
# the tests of internal/layers.
check_shape() {
	local tool
	if ! tool=$(find_tool revive github.com/mgechev/revive "$REVIVE_VERSION"); then
		say "Skipped: revive $REVIVE_VERSION is not here and could not be fetched."
		return 0
	fi
	"$tool" -config scripts/revive.toml -formatter plain ./...
}

scripts/deps.sh
step "gofmt" check_format
step "go vet" check_vet
step "staticcheck $STATICCHECK_VERSION" check_static
step "revive $REVIVE_VERSION" check_shape
