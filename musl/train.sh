#!/bin/sh
# musl/train.sh COMPILER WORD...: builds train.c in the present folder with this
# compiler, these flags and this SQLite, and runs it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
db=$here/../db
lib=$here/../lib
compiler=$1
shift

for text in "$db/schema.sql" "$db/guards.sql" "$here/train.sql"; do
	name=$(basename "$text" .sql)
	sh "$db/embed.sh" --text "$name" "$text" >"$name.h"
done
"$compiler" -I. -I"$lib" -o train "$here/train.c" "$lib/store/db-schema.c" "$@"
./train
