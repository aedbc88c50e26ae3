#!/bin/sh
# musl/train.sh [--exact] FOLDER PROGRAMS TOOL OBJECT... LIBRARY...: the second half of
# SQLite, whose first half is in FOLDER (build.sh).
#
# Links the programs of cgi-bin/ (each OBJECT with all of LIBRARY and of LIBS in the
# environment) with a SQLite that counts, and has them answer requests on an instance
# that TOOL makes, the operator's tool (train.pl); they are in the folder PROGRAMS then.
# Compiles SQLite again by these counts: FOLDER/lib/libsqlite3.a.
#
# Does nothing where that was done with the same files here, the same schema and the same
# list of requests; with --exact, with the same objects and libraries, too. Fails with one
# line that says why.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
exact=''
if [ "$1" = --exact ]; then
	exact=yes
	shift
fi
out=$(cd "$1" && pwd)
mkdir -p "$2/bin" "$2/cgi-bin"
programs=$(cd "$2" && pwd)
tool=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
shift 3

fail() {
	echo "musl: $* (see $out/sqlite3-trained.log; LINK=static needs no training)" >&2
	exit 1
}

exec 9>"$out/lock"
flock 9 # another build that shares the folder
stamp=$(cd "$here" && cat "$out/stamp-cgi" train* ../db/*.sql ../lib/store/sqlite/db-schema.* \
	../tests/lib/Galley/Instructions.pm | sha256sum | cut -d' ' -f1)
parts=$(cat "$@" | sha256sum | cut -d' ' -f1)
if grep -qsxF "$stamp${exact:+ $parts}" "$out/stamp-trained"; then
	exit 0
fi
rm -f "$out/stamp-trained"
echo 'musl: training SQLite' >&2

link() {
	musl-gcc -O1 -c -o "$programs/training.o" "$here/training.c" &&
		gcc -O1 -shared -fPIC -o "$programs/training.so" "$here/training.c" ||
		return 1
	for object; do
		[ "$object" != "${object%.o}" ] || continue
		# shellcheck disable=SC2046,SC2086
		musl-gcc -static -o "$programs/cgi-bin/$(basename "$object" .o)" \
			-Wl,--build-id=sha1,--gc-sections,--wrap=_exit,--wrap=harden_confine \
			"$object" "$programs/training.o" -L"$out/counting" \
			-L"$out/lib" -Wl,-u,__gcov_dump,--start-group \
			$(printf '%s\n' "$@" | grep '\.a$') $LIBS -Wl,--end-group -lgcov ||
			return 1
	done
	ln -sf "$tool" "$programs/bin/galley"
}

train() {
	rm -f "$out/counting/sqlite3.gcda"
	GALLEY_BUILD=$programs perl -I"$here/../tests/lib" "$here/train.pl" \
		"$out/counting/sqlite3.gcda"
}

compile() {
	cd "$out/counting" && sh "$here/library.sh" sqlite3-trained "$out"
}

{
	link "$@" && train && compile
} >"$out/sqlite3-trained.log" 2>&1 || fail 'SQLite cannot be trained'
printf '%s\n' "$stamp" "$stamp $parts" >"$out/stamp-trained"
