#!/bin/sh
# musl/fetch.sh GROUP FOLDER: the sources of a group of musl/sources, each in a
# folder of its own below the present one; what they are licensed under goes to
# FOLDER/copyright. Through apt with all of its settings, from the Debian archives
# that this machine uses, else from any other of its archives: the sums are pinned.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$2

# The archives of this machine, Debian's first.
archives() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' \
		'Created-By: Packages' |
		sed 's/^Debian /1 /; t; s/^.* /2 /' | sort -u | sed 's/^. //'
}

# fetch PLACE SUM: a file of the pool, into the present folder. A source package has the files in
# musl/pool; with MUSL_POOL in the environment they are kept there (release/deb.sh).
fetch() {
	file=$(basename "$1")
	if [ -f "$here/pool/$file" ]; then
		cp "$here/pool/$file" .
		echo "$2  $file" | sha256sum -c - && return 0
	fi
	for archive in $archives; do
		for pool in pool/main pool/updates/main; do
			if /usr/lib/apt/apt-helper -o APT::Sandbox::User= \
				-o Acquire::http::Timeout=10 -o Acquire::Retries=1 \
				download-file "${archive%/}/$pool/$1" \
				"$file" "SHA256:$2"; then
				[ -z "${MUSL_POOL:-}" ] || { mkdir -p "$MUSL_POOL" && cp "$file" "$MUSL_POOL"; }
				return 0
			fi
		done
	done
	return 1
}

# fetch_package NAME PLACE SUM: unpacks it as the folder NAME. A .dsc names the
# package's files and their sums.
fetch_package() {
	fetch "$2" "$3"
	case $2 in
	*.dsc)
		sed -n '/^Checksums-Sha256:/,/^[^ ]*:$/s/^ //p' "$(basename "$2")" |
			while read -r sum _ file; do
				fetch "$(dirname "$2")/$file" "$sum"
			done
		dpkg-source -x "$(basename "$2")" "$1" ;;
	*)
		mkdir "$1"
		tar -xf "$(basename "$2")" -C "$1" --strip-components=1 ;;
	esac
	licence=$1/debian/copyright
	[ -f "$licence" ] || licence=$1/doc/COPYING
	[ -f "$licence" ] || licence=$1/COPYING
	cp "$licence" "$out/copyright/$1"
}

archives=$(archives)
mkdir -p "$out/copyright"
cp /usr/share/doc/musl-dev/copyright "$out/copyright/musl"
while read -r group place sum; do
	[ "$group" = "$1" ] || continue
	fetch_package "$(basename "$(dirname "$place")")" "$place" "$sum"
done <"$here/sources"
