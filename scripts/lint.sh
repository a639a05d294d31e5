#!/usr/bin/env bash
# Format, vet, staticcheck.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check_format() {
	local bad
	bad=$(source_files | xargs -0 -r gofmt -l)
	[ -z "$bad" ] || { printf 'not in gofmt form:\n%s\n' "$bad"; return 1; }
}

check_vet() { go vet -tags "$TAGS" ./...; }

# find_staticcheck prints the path of the pinned version, fetched if need be.
find_staticcheck() {
	local dir="$PWD/build/tools" tool
	for tool in "$dir/staticcheck" "$(go env GOPATH)/bin/staticcheck" "$(command -v staticcheck || true)"; do
		if [ -x "$tool" ] && "$tool" -version 2>/dev/null | grep -qF "${STATICCHECK_VERSION#v}"; then
			echo "$tool"
			return 0
		fi
	done
	mkdir -p "$dir"
	GOBIN=$dir go install "honnef.co/go/tools/cmd/staticcheck@$STATICCHECK_VERSION" >&2 || return 1
	echo "$dir/staticcheck"
}

check_static() {
	local tool
	if ! tool=$(find_staticcheck); then
		say "Skipped: staticcheck $STATICCHECK_VERSION is not here and could not be fetched."
		return 0
	fi
	"$tool" -tags "$TAGS" ./...
}

scripts/deps.sh
step "gofmt" check_format
step "go vet" check_vet
step "staticcheck $STATICCHECK_VERSION" check_static
