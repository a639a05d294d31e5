#!/usr/bin/env bash
# Makes packages for this system in build/packages, with checksums and a list of what
# is in them.
#   Linux:   palimpsest_V_A.deb (the verbs, needs nothing), palimpsest-window_V_A.deb,
#            palimpsest-V-linux-A.tar.xz with install.sh; and for Windows a .zip and an
#            installer, where mingw-w64 and makensis are
#   macOS:   Palimpsest.app in a .zip, with Fyne's own tool (nobody has tried it)
#   PROGRAMS=DIR takes the programs from there in place of building them.
#   APPIMAGE_RUNTIME=FILE makes an AppImage, too, behind that runtime, which is a release of
#   github.com/AppImage/type2-runtime; no distribution has one.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

toml() { sed -n "s/^$1 = \"\\(.*\\)\"/\\1/p" FyneApp.toml | head -n 1; }

VERSION=$(toml Version) ID=$(toml ID)
OUT=$PWD/build/packages
export RELEASE=1

# programs FOLDER puts both programs for GOOS there.
programs() {
	local suffix='' flags="-s -w $(stamp)"
	mkdir -p "$1"
	if [ "${GOOS:-}" = windows ]; then suffix=.exe flags="-H windowsgui $flags"; fi
	if [ -n "${PROGRAMS:-}" ]; then
		cp "$PROGRAMS/palimpsest$suffix" "$PROGRAMS/palimpsest-window$suffix" "$1"
		return
	fi
	# The C in it (SQLite, GLFW) needs no tables for exceptions, .3 MB; Windows unwinds by them.
	[ -n "$suffix" ] || local -x CGO_CFLAGS="-O2 -g -fno-asynchronous-unwind-tables"
	scripts/cli.sh "$1/palimpsest$suffix"
	go build -trimpath -tags "$TAGS,release" -ldflags "$flags" -o "$1/palimpsest-window$suffix" ./gui/palimpsest-window
}

# shares FOLDER fills share/ as the desktop looks for it.
shares() {
	local n dir=$1/share
	mkdir -p "$dir/applications" "$dir/metainfo" "$dir/mime/packages" "$dir/doc/palimpsest" "$dir/icons/hicolor/scalable/apps"
	for n in 16 32 48 64 128 256; do
		mkdir -p "$dir/icons/hicolor/${n}x$n/apps"
		cp "assets/icon/icon-$n.png" "$dir/icons/hicolor/${n}x$n/apps/$ID.png"
	done
	mkdir -p "$dir/icons/hicolor/512x512/apps"
	cp assets/icon/icon.png "$dir/icons/hicolor/512x512/apps/$ID.png"
	cp assets/icon/icon.svg "$dir/icons/hicolor/scalable/apps/$ID.svg"
	cat >"$dir/applications/$ID.desktop" <<DESKTOP
[Desktop Entry]
Type=Application
Name=$(toml Name)
GenericName=$(toml GenericName)
Comment=$(toml Comment)
Exec=palimpsest window -- %F
TryExec=palimpsest
Icon=$ID
Terminal=false
StartupWMClass=Palimpsest
Categories=Development;
Keywords=agent;context;compaction;transcript;tokens;
MimeType=application/x-ndjson;application/jsonl;application/json;
DESKTOP
	cat >"$dir/mime/packages/$ID.xml" <<'MIME'
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/jsonl">
    <comment>JSON Lines</comment>
    <comment xml:lang="zh_CN">JSON Lines 文件</comment>
    <sub-class-of type="text/plain"/>
    <alias type="application/x-ndjson"/>
    <alias type="application/x-jsonlines"/>
    <glob pattern="*.jsonl"/>
    <glob pattern="*.ndjson"/>
  </mime-type>
</mime-info>
MIME
	cat >"$dir/metainfo/$ID.metainfo.xml" <<METAINFO
<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>$ID</id>
  <name>$(toml Name)</name>
  <summary>$(toml Comment)</summary>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>MIT</project_license>
  <description>
    <p>A workbench for context compaction: replacing old messages of an AI agent's history with something shorter, so
    that it fits the model's context window. It shows what a policy would do to every message, applies exactly that,
    and undoes it. The original is never changed.</p>
  </description>
  <launchable type="desktop-id">$ID.desktop</launchable>
  <content_rating type="oars-1.1"/>
  <provides>
    <binary>palimpsest</binary>
    <mediatype>application/jsonl</mediatype>
  </provides>
  <releases>
    <release version="$VERSION" date="$(date -u -d "@$WHEN" +%F)"/>
  </releases>
</component>
METAINFO
	cp LICENSE README.md docs/CHANGELOG.md "$dir/doc/palimpsest/"
	cp LICENSE "$dir/doc/palimpsest/copyright"
}

# When the packaged commit was made, in seconds: packages of it are the same on any day.
WHEN=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH=$WHEN

# deb NAME FOLDER CONTROL makes NAME from a tree; CONTROL are lines about what it needs and is.
deb() {
	local name=$1 dir=$2
	mkdir -p "$dir/DEBIAN"
	cat >"$dir/DEBIAN/control" <<CONTROL
Package: $name
Version: $VERSION
Architecture: $ARCH
Maintainer: Palimpsest <$ID@localhost>
Section: devel
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$dir" | cut -f 1)
$3
CONTROL
	find "$dir" -type d -exec chmod 755 {} +
	dpkg-deb --root-owner-group -Zxz --build "$dir" "$OUT/${name}_${VERSION}_$ARCH.deb" >/dev/null
}

linux_packages() {
	local stage files
	stage=$(mktemp -d)
	programs "$stage/programs"
	files=$stage/palimpsest-$VERSION-linux-$ARCH
	mkdir -p "$files/bin" "$files/lib/palimpsest"
	install -m 755 "$stage/programs/palimpsest" "$files/bin/"
	install -m 755 "$stage/programs/palimpsest-window" "$files/lib/palimpsest/"
	shares "$files"
	completions "$files"
	install -m 755 scripts/install.sh "$files/"
	tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$WHEN" \
		-cJf "$OUT/$(basename "$files").tar.xz" "$(basename "$files")"
	if have dpkg-deb; then
		mkdir -p "$stage/verbs/usr/bin" "$stage/verbs/usr/share" "$stage/window/usr/share/doc/palimpsest-window"
		cp "$files/bin/palimpsest" "$stage/verbs/usr/bin/"
		for part in doc man bash-completion zsh fish; do
			[ ! -d "$files/share/$part" ] || cp -r "$files/share/$part" "$stage/verbs/usr/share/"
		done
		cp -r "$files/lib" "$stage/window/usr/"
		for part in applications metainfo mime icons; do cp -r "$files/share/$part" "$stage/window/usr/share/"; done
		cp LICENSE "$stage/window/usr/share/doc/palimpsest-window/copyright"
		deb palimpsest "$stage/verbs" "Suggests: palimpsest-window
Description: compaction of AI agents' histories, without a window
 Shows, previews, replays, compacts and restores the histories of AI agents. A
 static program that needs no display and no library."
		deb palimpsest-window "$stage/window" "Depends: palimpsest (= $VERSION), libc6, libgl1, libx11-6, libxcursor1, libxrandr2, libxinerama1, libxi6, libxxf86vm1, libwayland-client0, libwayland-cursor0, libwayland-egl1, libxkbcommon0
Recommends: libgl1-mesa-dri
Description: workbench for the compaction of AI agents' histories
 The window of palimpsest: see what a policy would do to every message of a
 history, tune it, apply exactly that, and undo it."
	else
		say "dpkg-deb is not here: no .deb."
	fi
	contents "$files/lib/palimpsest/palimpsest-window" "$files/bin/palimpsest" >"$OUT/palimpsest-$VERSION-linux-$ARCH.spdx"
	app_image "$files"
	rm -rf "$stage"
}

# app_image FOLDER makes one file of it, which runs where it lies.
app_image() {
	local dir=$1.AppDir image=$OUT/palimpsest-$VERSION-$(uname -m).AppImage
	if [ -z "${APPIMAGE_RUNTIME:-}" ]; then
		say "No AppImage: its runtime comes from no distribution. APPIMAGE_RUNTIME=FILE names one."
		return 0
	fi
	mkdir "$dir"
	cp -r "$1" "$dir/usr"
	rm "$dir/usr/install.sh"
	cp "$dir/usr/share/applications/$ID.desktop" "$dir/usr/share/icons/hicolor/256x256/apps/$ID.png" "$dir/"
	ln -s "$ID.png" "$dir/.DirIcon"
	ln -s usr/bin/palimpsest "$dir/AppRun"
	mksquashfs "$dir" "$dir.squashfs" -root-owned -noappend -quiet -no-progress -comp zstd
	cat "$APPIMAGE_RUNTIME" "$dir.squashfs" >"$image"
	chmod 755 "$image"
}

# completions FOLDER: for the shells, and man pages, by the program itself.
completions() {
	local sh=$1/share
	"$1/bin/palimpsest" completion bash >/dev/null 2>&1 || return 0
	mkdir -p "$sh/bash-completion/completions" "$sh/zsh/vendor-completions" "$sh/fish/vendor_completions.d" "$sh/man/man1"
	"$1/bin/palimpsest" completion bash >"$sh/bash-completion/completions/palimpsest"
	"$1/bin/palimpsest" completion zsh >"$sh/zsh/vendor-completions/_palimpsest"
	"$1/bin/palimpsest" completion fish >"$sh/fish/vendor_completions.d/palimpsest.fish"
	"$1/bin/palimpsest" completion man | gzip -9n >"$sh/man/man1/palimpsest.1.gz"
}

# contents PROGRAM… prints the modules in the programs, as SPDX 2.3.
contents() {
	printf 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: palimpsest-%s\n' "$VERSION"
	printf 'DocumentNamespace: https://spdx.org/spdxdocs/palimpsest-%s-%s\n' "$VERSION" "$(cat "$@" | sha256sum | cut -c 1-16)"
	printf 'Creator: Tool: palimpsest-package\nCreated: %s\n' "$(date -u -d "@$WHEN" +%FT%TZ)"
	printf '\nPackageName: palimpsest\nSPDXID: SPDXRef-palimpsest\nPackageVersion: %s\nPackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseDeclared: MIT\nRelationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-palimpsest\n' "$VERSION"
	for p in "$@"; do go version -m "$p"; done | awk '$1 == "dep" && !seen[$2]++ {
		id = $2; gsub(/[^A-Za-z0-9.]/, "-", id)
		printf "\nPackageName: %s\nSPDXID: SPDXRef-%s\nPackageVersion: %s\nPackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\n", $2, id, $3
		printf "ExternalRef: PACKAGE-MANAGER purl pkg:golang/%s@%s\nRelationship: SPDXRef-palimpsest CONTAINS SPDXRef-%s\n", $2, $3, id
	}'
}

windows_packages() {
	local stage dir
	export GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc
	stage=$(mktemp -d) dir=$stage/palimpsest-$VERSION-windows-amd64
	mkdir -p "$dir"
	programs "$dir"
	cp LICENSE README.md docs/CHANGELOG.md "$dir/"
	if have zip; then
		(cd "$stage" && zip -qrX "$OUT/$(basename "$dir").zip" "$(basename "$dir")")
	else
		python3 -m zipfile -c "$OUT/$(basename "$dir").zip" "$dir"
	fi
	if have makensis; then
		makensis -V2 -DVERSION="$VERSION" -DFILES="$dir" -DOUT="$OUT/palimpsest-$VERSION-windows-amd64-setup.exe" scripts/windows.nsi
	else
		say "makensis is not here (Debian: apt-get install nsis): no installer for Windows."
	fi
	rm -rf "$stage"
	unset GOOS GOARCH CC
}

mac_bundle() {
	local tools=v1.7.2 dir
	dir=build/tools/fyne-$tools
	say "The bundle for macOS is made as Fyne's documents say; nobody has tried it."
	# In a module of its own: `go run tool@version` asks for the list of all versions,
	# which some module servers refuse.
	mkdir -p "$dir"
	printf 'module tool\n\ngo 1.24\n\nrequire fyne.io/tools %s\n' "$tools" >"$dir/go.mod"
	(cd "$dir" && go build -mod=mod -o fyne fyne.io/tools/cmd/fyne)
	"$dir/fyne" package --release --tags "$TAGS" --os darwin --icon assets/icon/icon.png
	zip -qry "$OUT/palimpsest-$VERSION-macos-$ARCH.zip" Palimpsest.app
	rm -rf Palimpsest.app
}

rm -rf "$OUT"
mkdir -p "$OUT"
ARCH=$(go env GOARCH)
case $(uname -s) in
Linux)
	[ -n "${PROGRAMS:-}" ] || scripts/deps.sh package
	linux_packages
	if [ -n "${WINDOWS:-}" ] || [ -z "${PROGRAMS:-}" ] && have x86_64-w64-mingw32-gcc; then
		windows_packages
	else
		say "No packages for Windows: x86_64-w64-mingw32-gcc is not here (Debian: apt-get install gcc-mingw-w64-x86-64)."
	fi
	;;
Darwin) mac_bundle ;;
*) die "Packages are made on Linux, for Windows too, and on macOS." ;;
esac
# macOS has another program for sums, and a bundle is a folder.
sums=$(cd "$OUT" && for f in *; do
	[ ! -f "$f" ] || if have sha256sum; then sha256sum "$f"; else shasum -a 256 "$f"; fi
done)
printf '%s\n' "$sums" >"$OUT/SHA256SUMS"
ls -l "$OUT"
