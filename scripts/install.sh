#!/bin/sh
# Installs Palimpsest from the archive this lies in: for all users as root, in
# /usr/local; else for you, in ~/.local.
#   ./install.sh                     installs
#   ./install.sh --prefix DIR        … there
#   ./install.sh --uninstall         takes everything away again; records and settings stay
set -eu
cd "$(dirname "$0")"
prefix=$HOME/.local
[ "$(id -u)" -ne 0 ] || prefix=/usr/local
remove=
while [ $# -gt 0 ]; do
	case $1 in
	--prefix) prefix=${2:?--prefix needs a folder}; shift ;;
	--uninstall) remove=1 ;;
	*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
	shift
done
find bin lib share -type f | while read -r f; do
	if [ -n "$remove" ]; then
		rm -f "$prefix/$f"
		continue
	fi
	mkdir -p "$prefix/$(dirname "$f")"
	case $f in
	bin/* | lib/*) install -m 755 "$f" "$prefix/$f" ;;
	# A desktop may not have this folder among those of its programs.
	share/applications/*) sed "s|Exec=palimpsest|Exec=$prefix/bin/palimpsest|" "$f" >"$prefix/$f" ;;
	*) install -m 644 "$f" "$prefix/$f" ;;
	esac
done
[ -z "$remove" ] || rmdir "$prefix/lib/palimpsest" "$prefix/share/doc/palimpsest" 2>/dev/null || true
if [ -d "$prefix/share/mime/packages" ] && command -v update-mime-database >/dev/null 2>&1; then
	update-mime-database "$prefix/share/mime" || true
fi
if [ -d "$prefix/share/applications" ] && command -v update-desktop-database >/dev/null 2>&1; then
	update-desktop-database -q "$prefix/share/applications" || true
fi
if [ -n "$remove" ]; then
	echo "Taken away from $prefix. Records and settings are still there."
	exit 0
fi
echo "Installed in $prefix."
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not among the folders of your programs (PATH)." ;;
esac
