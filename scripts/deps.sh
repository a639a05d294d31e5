#!/usr/bin/env bash
# Installs what is missing to build Palimpsest, and nothing else.
#   scripts/deps.sh            what a build needs
#   scripts/deps.sh headless   also what shows a window without a screen
#   scripts/deps.sh verbs      what a build of the verbs alone needs
#   scripts/deps.sh package    what packages for this system need
#   DRY_RUN=1 scripts/deps.sh  prints the commands instead of running them
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# check_go PACKAGE… ends with an advice if Go is missing or too old, which names the packages
# that are missing, too: nobody should have to ask an administrator twice.
check_go() {
	local need found
	need=$(awk '$1 == "go" { print $2; exit }' go.mod)
	have go || die "Go is not installed.
$(go_advice "$need" "$@")"
	if ! found=$(go env GOVERSION 2>&1); then
		die "This project needs Go $need or newer. The go command says: $found
$(go_advice "$need" "$@")"
	fi
	found=${found#go}
	if [ "$(printf '%s\n%s\n' "$need" "${found%% *}" | sort -V | head -n 1)" != "$need" ]; then
		die "Go $found is too old: this project needs Go $need or newer.
$(go_advice "$need" "$@")"
	fi
}

# go_advice NEED PACKAGE… prints how to get Go. What a system calls golang-go is too old; Ubuntu
# has newer ones beside it, and a Go from 1.21 fetches the version of a project by itself.
go_advice() {
	local need=$1 arch packages own='' minor
	shift
	packages=$*
	minor=$(cut -d . -f 1,2 <<<"$need")
	case $(. "${OS_RELEASE:-/etc/os-release}" 2>/dev/null && echo "${ID:-} ${VERSION_ID:-}") in
	'ubuntu 22.04' | 'ubuntu 24.04')
		own="apt-get update && apt-get install -y golang-$minor${packages:+ $packages}
  export PATH=/usr/lib/go-$minor/bin:\$PATH" ;;
	'debian 13')
		own="apt-get update && apt-get install -y ca-certificates golang-go${packages:+ $packages}
  export GOTOOLCHAIN=auto    # golang-go fetches Go $need by itself" ;;
	esac
	if [ -n "$own" ]; then
		printf 'This works here (as root, or with sudo):\n  %s\n' "$own"
		return
	fi
	have curl || packages="curl ca-certificates${packages:+ $packages}"
	have apt-get || packages=''
	case $(uname -m) in
	aarch64 | arm64) arch=arm64 ;;
	*) arch=amd64 ;;
	esac
	cat <<ADVICE
A golang package of the system is often older than that, as in Debian 12. This works there (as root, or with sudo):${packages:+
  apt-get update && apt-get install -y $packages}
  curl -fsSL https://go.dev/dl/go$need.linux-$arch.tar.gz | tar -C /usr/local -xz
  export PATH=\$PATH:/usr/local/go/bin
A Go from 1.21 on does, too: with GOTOOLCHAIN=auto it fetches Go $need by itself.
ADVICE
}

# installed PACKAGE: Debian says it is there.
installed() {
	have dpkg-query && [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

libraries() { have pkg-config && pkg-config --exists "$@"; }

# present PACKAGE: installed, or what it provides is there by other means.
present() {
	installed "$1" && return 0
	case $1 in
	gcc) have gcc || have clang ;;
	musl-tools) have musl-gcc || { have gcc && [ -e "$(gcc -print-file-name=libc.a)" ]; } ;;
	pkg-config) have pkg-config ;;
	libgl1-mesa-dev) libraries gl ;;
	xorg-dev) libraries x11 xcursor xrandr xinerama xi xxf86vm ;;
	libwayland-dev) libraries wayland-client wayland-cursor wayland-egl ;;
	libxkbcommon-dev) libraries xkbcommon ;;
	libgl1-mesa-dri) compgen -G '/usr/lib*/*/dri/*_dri.so' >/dev/null || compgen -G '/usr/lib*/dri/*_dri.so' >/dev/null ;;
	xz-utils) have xz ;;
	squashfs-tools) have mksquashfs ;;
	xvfb) have Xvfb ;;
	imagemagick) have import && have identify ;;
	xdotool) have xdotool ;;
	x11-utils) have xwininfo ;;
	*) return 1 ;;
	esac
}

reason() {
	case $1 in
	gcc) echo "C compiler: the window toolkit and SQLite have C parts" ;;
	pkg-config) echo "finds the C libraries" ;;
	libgl1-mesa-dev) echo "headers of OpenGL, which draws the window" ;;
	libgl1-mesa-dri) echo "OpenGL driver, also for machines without a graphics card" ;;
	xorg-dev) echo "headers of X11" ;;
	libwayland-dev) echo "headers of Wayland" ;;
	libxkbcommon-dev) echo "headers of the keyboard library that Wayland uses" ;;
	musl-tools) echo "C compiler that links the verbs without any library: SQLite is C" ;;
	xz-utils) echo "packs the archive" ;;
	squashfs-tools) echo "packs the AppImage" ;;
	xvfb) echo "a screen in memory, as there is none here" ;;
	imagemagick) echo "takes the picture of that screen" ;;
	xdotool) echo "finds the window on that screen, and presses its keys" ;;
	x11-utils) echo "tells the size of that window" ;;
	esac
}

install_packages() {
	local as=()
	if [ "$(id -u)" -ne 0 ]; then
		have sudo || return 1
		# Without a terminal sudo must not wait for a password.
		as=(sudo)
		[ -t 0 ] || as=(sudo -n)
	fi
	quietly build/install.log "${as[@]}" env DEBIAN_FRONTEND=noninteractive sh -c \
		'apt-get update -q && exec apt-get install -q -y --no-install-recommends "$@"' sh "$@"
}

main() {
	# Elsewhere the system's own compiler brings what is needed.
	[ "$(uname -s)" = Linux ] || { check_go; return 0; }

	local wanted=(gcc pkg-config libgl1-mesa-dev libgl1-mesa-dri xorg-dev libwayland-dev libxkbcommon-dev)
	case ${1:-} in
	headless) wanted+=(xvfb imagemagick xdotool x11-utils) ;;
	verbs) wanted=(musl-tools) ;;
	package) wanted+=(musl-tools xz-utils ${APPIMAGE_RUNTIME:+squashfs-tools}) ;;
	esac

	local missing=() p
	for p in "${wanted[@]}"; do present "$p" || missing+=("$p"); done
	check_go "${missing[@]}"
	[ ${#missing[@]} -eq 0 ] && return 0

	say "Missing, and needed to build or show Palimpsest:"
	for p in "${missing[@]}"; do printf '  %-18s %s\n' "$p" "$(reason "$p")"; done

	local command="apt-get update && apt-get install -y ${missing[*]}"
	if [ -n "${DRY_RUN:-}" ]; then
		say "Would run: $command"
		return 0
	fi
	if ! have apt-get; then
		die "There is no apt-get here. On Debian or Ubuntu the command is: $command
On Fedora the build needs: gcc pkgconf-pkg-config mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel wayland-devel libxkbcommon-devel"
	fi
	say "Installing with apt-get: ${missing[*]}"
	say "With what they need these are up to 225 packages and 1 GB."
	install_packages "${missing[@]}" ||
		die "They could not be installed from here (no rights, or no package server). As root, run: $command"
	for p in "${missing[@]}"; do
		present "$p" || die "$p is still missing after apt-get ran. As root, run: $command"
	done
}

main "$@"
