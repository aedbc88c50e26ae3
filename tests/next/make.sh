#!/bin/sh
# make.sh FOLDER: writes next.c and next.h, the schemas and steps of a release after this one, for
# test builds that find GALLEY_NEXT in their environment (lib/store/schemas.h). Each store has a
# number more, a column that the step fills, and a table with rows; the people have lost one.
set -eu

out=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
tab=$(printf '\t')

# Writes the schema FILE with a column behind COLUMN of TABLE.
with_column() {
	sed "/^CREATE TABLE $2 (/,/^)/ s/^$tab$3 .*/&\n${tab}nickname TEXT NOT NULL DEFAULT '',/" "$1"
	printf '\nCREATE TABLE made_up (\n\tid INTEGER PRIMARY KEY,\n\ttext TEXT NOT NULL\n) STRICT;\n'
	printf 'CREATE INDEX made_up_text ON made_up (text);\n'
}

# Writes the lists STORE_next_steps and STORE_next_released. The other words are the present
# number, its schema, and the steps that there are.
lists() {
	store=$1
	number=$2
	schema=$3
	shift 3
	cp "$schema" "$folder/$number.sql"
	cp "tests/next/$store.sql" "$folder/$((number + 1))-made-up.sql"
	sh db/embed.sh --list "${store}_next_steps" "$@" "$folder/$((number + 1))-made-up.sql"
	sh db/embed.sh --list "${store}_next_released" "$folder/$number.sql"
}

number() {
	sed -n '1s/.*number \([0-9]*\)[:,.].*/\1/p' "$1"
}

with_column db/schema.sql account name >"$folder/content"
with_column db/console/schema.sql person language |
	sed '/^CREATE TABLE recovery (/,/^)/d; /^CREATE INDEX [a-z_]* ON recovery /d' >"$folder/console"
# db/pg/steps.sh takes them, too.
cp "$folder/content" "$out/next-content.sql"
cp "$folder/console" "$out/next-console.sql"
{
	sh db/embed.sh --text next_schema "$folder/content"
	sh db/embed.sh --text next_console_schema "$folder/console"
} >"$out/next.h"
set -- db/before/[0-9]*.sql
lists content "$(number db/schema.sql)" db/schema.sql "$@" >"$out/next.c"
set -- db/console/before/[0-9]*.sql
[ -f "$1" ] || shift
lists console "$(number db/console/schema.sql)" db/console/schema.sql "$@" >>"$out/next.c"
