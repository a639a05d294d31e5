#!/usr/bin/env bash
# Tries the Windows programs that make package made under wine, on a screen in memory:
# five verbs, of which restore gives back the same bytes, the installer beside the archive, if
# there is one, and the window with a sample.
#   scripts/wine.sh [build/packages/palimpsest-V-windows-amd64.zip]
# wine 8, as Debian 12 has it, lacks bcryptprimitives.dll, from which each Go program takes
# its random numbers when it starts; a stand-in of three lines is put into the wine of this
# trial. Windows itself has that library.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

zips=("${1:-}")
[ -n "${zips[0]}" ] || zips=(build/packages/palimpsest-*-windows-amd64.zip)
[ -e "${zips[0]}" ] || die "There is no package for Windows: run make package."
for tool in wine xdotool Xvfb import python3 x86_64-w64-mingw32-gcc; do
	have "$tool" || die "$tool is not here (Debian: apt-get install wine64 wine xdotool xvfb imagemagick python3 gcc-mingw-w64-x86-64)."
done

dir=$(mktemp -d)
export WINEPREFIX=$dir/wine WINEDEBUG=-all
# shellcheck source=scripts/xvfb.sh
source scripts/xvfb.sh
trap 'stop_screen; wineserver -k 2>/dev/null || true; rm -rf "$dir"' EXIT
start_screen
python3 -m zipfile -e "${zips[0]}" "$dir"
programs=$(dirname "$(find "$dir" -name palimpsest.exe)")
wine wineboot --init >/dev/null 2>&1 || true
if [ ! -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ]; then
	cat >"$dir/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
C
	x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$dir/random.c" -ladvapi32
fi

cp "$SAMPLE" "$dir/session.jsonl"
cd "$dir"
verb() {
	say "> palimpsest $*"
	wine "$programs/palimpsest.exe" "$@" >"$dir/said" 2>&1 || { cat "$dir/said" >&2; die "palimpsest $1 failed under wine."; }
	tail -n 1 "$dir/said" | tr -d '\r'
}
verb --version
verb inspect session.jsonl
verb compact session.jsonl -o short.jsonl
verb records
verb export R-0001 -f markdown -o summary.md
verb restore R-0001 -o back.jsonl
cmp session.jsonl back.jsonl || die "restore gave other bytes under wine."
say "restore: the same bytes"
cd "$OLDPWD"
if [ -e "${zips[0]%.zip}-setup.exe" ]; then
	wine "${zips[0]%.zip}-setup.exe" /S
	programs=$(dirname "$(find "$WINEPREFIX/drive_c/users" -name palimpsest-window.exe)")
	verb --version
	[ -n "$(find "$WINEPREFIX/drive_c" -name Palimpsest.lnk)" ] || die "The installer made no entry of the menu."
fi
show_window wine "$programs/palimpsest-window.exe" "$(winepath -w "$dir/session.jsonl" | tr -d '\r')"
save_picture build/wine.png
say "The window shows $(picture_colours) colours: build/wine.png"
if [ -e "$programs/uninstall.exe" ]; then
	kill "$WINDOW_PID" 2>/dev/null || true
	wineserver -k 2>/dev/null || true
	wine "$programs/uninstall.exe" /S
	for _ in $(seq 100); do [ -e "$programs" ] || break; sleep 0.2; done # it goes on as a copy of itself
	[ ! -e "$programs" ] || die "The installer left $(ls "$programs")."
	say "The installer: installed, opened, taken away"
fi
