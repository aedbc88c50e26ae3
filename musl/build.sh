#!/bin/sh
# musl/build.sh FOLDER  builds the libraries of the static programs for musl.
#
# Fetches Debian's source packages named in musl/sources with the archives that
# this machine's apt uses, checks them, and leaves FOLDER/lib/*.a and
# FOLDER/include. Nothing of them is committed or installed. Takes a minute and a
# half on two cores, once; a further run with the same sources does nothing. Needs
# the packages of the purpose `musl` in the file `packages`. Fails with one line
# that says why; then LINK=static is the way.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
log=$out/build.log

fail() {
	echo "musl: $*" >&2
	exit 1
}

stamp=$(cat "$here/sources" "$here/build.sh" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$out/stamp" 2>/dev/null || true)" = "$stamp" ]; then
	exit 0
fi
for tool in musl-gcc dpkg-source apt-get tclsh autoreconf libtoolize; do
	command -v "$tool" >/dev/null ||
		fail "$tool is missing: the packages of the purpose musl are needed"
done
rm -rf "$out/src" "$out/lib" "$out/include" "$out/stamp"
mkdir -p "$out/src/lists/partial" "$out/lib" "$out/include"
cd "$out/src"
: >"$log"

# The source packages of the archives that apt has binaries of, with lists of our
# own, so that no right and no change of the system is needed.
fetch() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' | sort -u | awk '$2 ~ /^bookworm/ {
		print "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]", $0 }' \
		>sources.list
	set -- -o "Dir::Etc::SourceList=$PWD/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null \
		-o "Dir::State::Lists=$PWD/lists" -o APT::Sandbox::User=
	apt-get "$@" update
	grep -v '^#' "$here/sources" | while read -r package version sum; do
		apt-get "$@" source --download-only "$package=$version"
		echo "$sum  ${package}_${version#*:}.dsc" | sha256sum --check
		dpkg-source --no-check -x "${package}_${version#*:}.dsc" "$package"
	done
}

flags='-O2 -fPIE -ffunction-sections -fdata-sections -fno-strict-aliasing
	-fstack-protector-strong -D_FORTIFY_SOURCE=0'

# Kernel headers that musl has none of are not needed by any of the five.
sqlite_flags='-DSQLITE_THREADSAFE=0 -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_DQS=0
	-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_SHARED_CACHE
	-DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_PROGRESS_CALLBACK
	-DSQLITE_USE_ALLOCA -DHAVE_USLEEP=1 -DHAVE_PREAD=1 -DHAVE_PWRITE=1
	-DUSE_PREAD=1 -DSQLITE_DEFAULT_PCACHE_INITSZ=0
	-DSQLITE_DEFAULT_LOOKASIDE=0,0 -DHAVE_FDATASYNC=1 -DHAVE_LOCALTIME_R=1'

build_sqlite3() {
	cd "$out/src/sqlite3"
	./configure --disable-tcl --disable-readline
	make sqlite3.c
	# shellcheck disable=SC2086
	musl-gcc $flags $sqlite_flags -c -o sqlite3.o sqlite3.c
	ar rcs "$out/lib/libsqlite3.a" sqlite3.o
	cp sqlite3.h "$out/include"
}

build_autotools() {
	cd "$out/src/$1"
	shift
	autoreconf -fi
	CC=musl-gcc CFLAGS="$(echo $flags)" ./configure --host=x86_64-linux-musl \
		--disable-shared --enable-static --prefix="$out" "$@"
}

build_libb2() {
	build_autotools libb2 --disable-openmp --disable-native --enable-fat=no
	make -C src install
}

build_jansson() {
	build_autotools jansson
	make -C src install
}

build_libfcgi() {
	build_autotools libfcgi
	make -C libfcgi libfcgi.la
	cp libfcgi/.libs/libfcgi.a "$out/lib"
	cp include/*.h "$out/include"
}

build_utf8proc() {
	cd "$out/src/utf8proc"
	make libutf8proc.a CC=musl-gcc CFLAGS="$(echo $flags)"
	cp libutf8proc.a "$out/lib"
	cp utf8proc.h "$out/include"
}

echo "musl: fetching and building the libraries (a minute and a half, once)"
(set -e; fetch) >>"$log" 2>&1 ||
	fail "source packages cannot be had here (see $log)"
for library in utf8proc jansson libb2 libfcgi sqlite3; do
	(set -e; "build_$library") >>"$log" 2>&1 ||
		fail "$library cannot be built (see $log)"
done
rm -rf "$out/src"
echo "$stamp" >"$out/stamp"
