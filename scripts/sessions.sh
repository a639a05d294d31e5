#!/usr/bin/env bash
# Brings the public sessions that internal/lab/judge/sources.tsv lists into a folder, and
# unpacks those of ../shared/data beside them, for the tables of docs/insight.md:
# scripts/sessions.sh FOLDER. Each file is taken from its repository at the commit named
# there, and its hash is checked. They are histories of
# real people: read them, and carry none of them into the project. FROM is where the
# repositories are (https://github.com).
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

into=${1:?a folder for the sessions}
mkdir -p "$into"
into=$(cd "$into" && pwd)
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
# bring has a commit without its files; git then takes those that are asked for.
bring() { # REPOSITORY COMMIT
	local at="$store/$1"
	[ -d "$at" ] || git init -q --bare "$at"
	git -C "$at" config remote.origin.url "${FROM:-https://github.com}/$1"
	git -C "$at" config remote.origin.promisor true
	git -C "$at" config remote.origin.partialclonefilter blob:none
	git -C "$at" fetch -q --depth 1 --filter=blob:none origin "$2"
}
for archive in ../shared/data/sessions/*.tar.xz; do
	[ -f "$archive" ] || continue
	mkdir -p "$into/$(basename "$archive" .tar.xz)"
	tar -xJf "$archive" -C "$into/$(basename "$archive" .tar.xz)"
done
missing=0
while IFS=$'\t' read -r file repository commit path blob; do
	case $file in '#'*) continue ;; esac
	[ -s "$into/$file" ] && [ "$(git hash-object "$into/$file")" = "$blob" ] && continue
	if [ ! -d "$store/$repository" ] && ! bring "$repository" "$commit"; then
		say "$repository is not to be had: $path"
		missing=$((missing + 1))
		continue
	fi
	mkdir -p "$(dirname "$into/$file")"
	if ! git -C "$store/$repository" cat-file blob "$blob" >"$into/$file"; then
		rm -f "$into/$file"
		say "$repository has no $path at $commit"
		missing=$((missing + 1))
	fi
done <internal/lab/judge/sources.tsv
say "$(find "$into" -type f | wc -l) sessions, $missing missing"
