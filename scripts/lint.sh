#!/usr/bin/env bash
# Format, vet, staticcheck, the size of functions, known weaknesses and licences of
# the dependencies.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check_format() {
	local bad
	bad=$(source_files | xargs -0 -r gofmt -l)
	[ -z "$bad" ] || { printf 'not in gofmt form:\n%s\n' "$bad"; return 1; }
}

# With the tags of the tests, so that the toolkit is compiled once for both: no file of
# ours is chosen by the tag ci.
check_vet() { go vet -tags "$TAGS,ci" ./... && go vet -C internal/lab -tags "$TAGS,ci" ./...; }

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
	"$tool" -tags "$TAGS,ci" ./... && (cd internal/lab && "$tool" -tags "$TAGS,ci" ./...)
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

# Known weaknesses in what is called of the dependencies. The list of them is on a
# server; where that can't be reached nothing is known. VULNDB=file:///DIR names a copy.
check_weaknesses() {
	local tool out status=0
	if ! tool=$(find_tool govulncheck golang.org/x/vuln/cmd/govulncheck "$GOVULNCHECK_VERSION"); then
		say "Skipped: govulncheck $GOVULNCHECK_VERSION is not here and could not be fetched."
		return 0
	fi
	if ! curl -fsS --max-time 10 -o /dev/null "$VULNDB/index/db.json" 2>/dev/null; then
		say "Skipped: the list of known weaknesses ($VULNDB) can't be reached."
		return 0
	fi
	out=$("$tool" -db "$VULNDB" -tags "$TAGS" ./... 2>&1) || status=$?
	[ "$status" -eq 0 ] || { printf '%s\n' "$out"; return "$status"; }
}

# Every dependency allows what this program does with it, and asks for no more than
# its notice.
check_licences() {
	local tool
	if ! tool=$(find_tool go-licenses github.com/google/go-licenses "$GO_LICENSES_VERSION"); then
		say "Skipped: go-licenses $GO_LICENSES_VERSION is not here and could not be fetched."
		return 0
	fi
	# The second one is internal/inflection, which is ours.
	"$tool" check --ignore palimpsest --ignore github.com/jinzhu/inflection --allowed_licenses=MIT,BSD-2-Clause,BSD-3-Clause,ISC,Apache-2.0,MPL-2.0,Unlicense . 2>&1 |
		{ grep -E 'ot allowed|nknown license' && return 1 || return 0; }
}

scripts/deps.sh
check "gofmt" check_format
check "go vet" check_vet
check "staticcheck $STATICCHECK_VERSION" check_static
check "revive $REVIVE_VERSION" check_shape
check "govulncheck $GOVULNCHECK_VERSION" check_weaknesses
check "licences" check_licences
checked
