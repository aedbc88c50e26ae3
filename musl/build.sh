#!/bin/sh
# musl/build.sh [--choose] FOLDER [cgi|tool]
#
# Builds libraries for static programs with musl, and leaves FOLDER/lib/*.a,
# FOLDER/include and FOLDER/copyright: those of the programs of cgi-bin/ (`cgi`,
# a minute on two cores), or those of bin/, too (`tool`, two minutes more). Once: a
# further run with the same files here, but for musl.mk and train*, does nothing. SQLite
# is only prepared: it is trained with programs that need the others (train.sh).
#
# The sources are those that musl/sources names: fetch.sh gets them, library.sh
# builds each. Nothing of them is committed or installed. Needs the packages of the
# purpose `musl` in the file `packages`, for `tool` also those of `dist`.
#
# Fails with one line that says why. With --choose that is no failure: prints the
# word for the Makefile's LINK, `musl` or, with that line, `static`.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
choose=''
if [ "$1" = --choose ]; then
	choose=yes
	shift
fi
mkdir -p "$1"
# Without links: CMake takes a folder that holds a link to itself for another one.
out=$(cd "$1" && pwd -P)
group=${2:-cgi}

fail() {
	[ -z "$choose" ] || {
		echo "musl: $*: so Debian's static libraries are taken, and a program starts half as fast (LINK=static)" >&2
		echo static
		exit 0
	}
	echo "musl: $*" >&2
	exit 1
}

finish() {
	[ -z "$choose" ] || echo musl
	exit 0
}

# All that the libraries are made of.
stamp=$(cd "$here" && cat build.sh fetch.sh library.sh sources |
	sha256sum | cut -d' ' -f1)
is_built() {
	[ "$(cat "$out/stamp-$1" 2>/dev/null || true)" = "$stamp" ]
}
! is_built "$group" || finish
exec 9>"$out/lock"
flock 9 # another build that shares the folder
! is_built "$group" || finish

for tool in musl-gcc dpkg-source apt-get tclsh autoreconf libtoolize; do
	command -v "$tool" >/dev/null ||
		fail "there is no $tool (the packages of the purpose musl)"
done
[ "$group" = cgi ] || command -v cmake >/dev/null ||
	fail "there is no cmake (the packages of the purpose dist)"
[ "$(uname -m)" = x86_64 ] || fail "this is no x86-64 machine"

# build LIBRARY...: one after another; `failed` names the first that cannot be.
build() {
	for library; do
		if ! (cd "$out/src/$library" && exec sh "$here/library.sh" \
			"$library" "$out") >"$out/$library.log" 2>&1; then
			echo "$library" >>"$out/failed"
			return 0
		fi
	done
}

# build_group GROUP: two chains, for two cores.
build_group() {
	case $1 in
	cgi) set -- 'sqlite3' 'utf8proc jansson libb2 libfcgi' ;;
	tool) set -- 'openssl curl' \
		'libyaml expat zlib gumbo-parser cmark-gfm cryptsetup nettle qrencode' ;;
	esac
	# shellcheck disable=SC2086
	build $1 &
	# shellcheck disable=SC2086
	build $2
	wait
}

make_group() {
	echo "musl: fetching and building libraries, once ($1)" >&2
	rm -rf "$out/stamp-$1" "$out/failed" "$out/src"
	mkdir -p "$out/src"
	(cd "$out/src" && exec sh "$here/fetch.sh" "$1" "$out") \
		>"$out/fetch.log" 2>&1 ||
		fail "source packages cannot be had here (see $out/fetch.log)"
	build_group "$1"
	[ ! -f "$out/failed" ] || {
		library=$(head -n 1 "$out/failed")
		fail "$library cannot be built (see $out/$library.log)"
	}
	rm -rf "$out/src"
	echo "$stamp" >"$out/stamp-$1"
}

mkdir -p "$out/lib/pkgconfig" "$out/include"
is_built cgi || make_group cgi
is_built "$group" || make_group "$group"
finish
