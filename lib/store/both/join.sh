#!/bin/sh
# join.sh OUT OWN... -- PG... -- SQLITE...   one object with both stores (both.mk)
#
# What OWN defines has the name pg_NAME in the objects of PostgreSQL, and all that SQLite's define
# has the name sqlite_NAME.
#
# Lists of objects are words: their paths hold no space.
# shellcheck disable=SC2086
set -eu

out=$1
shift
own='' pg='' lite='' part=own
for word; do
	case $word in
	--) if [ $part = own ]; then part=pg; else part=lite; fi ;;
	*) eval "$part=\"\$$part $word\"" ;;
	esac
done
names() { ${NM:-nm} -g --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u; }
names $own | sed 's/.*/& pg_&/' >"$out.pg"
names $lite | sed 's/.*/& sqlite_&/' >"$out.lite"
${LD:-ld} -r -o "$out.pg.o" $pg
${LD:-ld} -r -o "$out.lite.o" $lite
${OBJCOPY:-objcopy} --redefine-syms="$out.pg" "$out.pg.o"
${OBJCOPY:-objcopy} --redefine-syms="$out.lite" "$out.lite.o"
${LD:-ld} -r -o "$out" $own "$out.pg.o" "$out.lite.o"
rm -f "$out.pg" "$out.lite" "$out.pg.o" "$out.lite.o"
