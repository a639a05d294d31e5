#!/usr/bin/env bash
# Makes a package for this system with Fyne's own tool. Where that can't be
# fetched, Linux gets an archive with the same parts.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fyne_tools=v1.7.2

# fetch_fyne builds Fyne's tool in a module of its own. `go run tool@version`
# would ask for the list of all versions, which some module servers refuse.
fetch_fyne() {
	local dir=build/tools/fyne-$fyne_tools
	[ ! -x "$dir/fyne" ] || return 0
	mkdir -p "$dir"
	printf 'module tool\n\ngo 1.24\n\nrequire fyne.io/tools %s\n' "$fyne_tools" >"$dir/go.mod"
	(cd "$dir" && go build -mod=mod -o fyne fyne.io/tools/cmd/fyne)
}

toml() { sed -n "s/^$1 = \"\\(.*\\)\"/\\1/p" FyneApp.toml | head -n 1; }

plain_archive() {
	local stage
	stage=$(mktemp -d)
	mkdir -p "$stage/palimpsest"
	go build -tags "$TAGS,release" -trimpath -ldflags '-s -w' -o "$stage/palimpsest/palimpsest" .
	cp LICENSE "$stage/palimpsest/"
	[ ! -e assets/icon/icon.png ] || cp assets/icon/icon.png "$stage/palimpsest/palimpsest.png"
	cat >"$stage/palimpsest/$(toml ID).desktop" <<DESKTOP
[Desktop Entry]
Type=Application
Name=$(toml Name)
GenericName=$(toml GenericName)
Comment=$(toml Comment)
Exec=palimpsest %f
Icon=palimpsest
Terminal=false
Categories=Development;Utility;
Keywords=agent;context;compaction;transcript;tokens;
MimeType=application/json;application/x-ndjson;application/jsonl;
DESKTOP
	tar -C "$stage" -czf "build/palimpsest-$(toml Version)-linux-$(go env GOARCH).tar.gz" palimpsest
	rm -rf "$stage"
}

scripts/deps.sh
mkdir -p build
case $(uname -s) in
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) os=windows ;;
*) os=linux ;;
esac

if fetch_fyne && "build/tools/fyne-$fyne_tools/fyne" package --release --tags "$TAGS" --os "$os" --icon assets/icon/icon.png; then
	for made in [Pp]alimpsest.tar.xz [Pp]alimpsest.app [Pp]alimpsest.exe; do
		[ ! -e "$made" ] || { rm -rf "build/$made"; mv "$made" build/; }
	done
elif [ "$os" = linux ]; then
	say "Fyne's packaging tool did not work here: making a plain archive."
	plain_archive
else
	die "Fyne's packaging tool did not work here."
fi
ls -l build
