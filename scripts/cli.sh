#!/usr/bin/env bash
# Builds build/palimpsest: the verbs without a window. It needs a C compiler for
# SQLite and none of the window's libraries, and runs where there is no library at
# all: with musl-gcc (Debian: musl-tools) wholly static, else static with glibc.
# Elsewhere than on Linux it is a usual program.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ -n "${CC:-}" ] || scripts/deps.sh verbs
out=${1:-build/palimpsest}
mkdir -p "$(dirname "$out")"
if [ "$(go env GOOS)" != linux ]; then
	go build ${RELEASE:+-trimpath} -tags "$TAGS_CLI" -ldflags "-s -w $(stamp)" -o "$out" ./cli/palimpsest
elif [ -n "${CC:-}" ] || have musl-gcc; then
	export CC="${CC:-musl-gcc}"
	go build ${RELEASE:+-trimpath} -tags "$TAGS_CLI" -ldflags "-s -w $(stamp) -linkmode external -extldflags -static" -o "$out" ./cli/palimpsest
else
	say "musl-gcc is not here (Debian: apt-get install musl-tools): linking with glibc, statically."
	go build ${RELEASE:+-trimpath} -tags "$TAGS_CLI" -ldflags "-s -w $(stamp) -linkmode external -extldflags -static" -o "$out" ./cli/palimpsest
fi
ls -l "$out"
