#!/bin/sh
# steps.sh          C lists of the steps from one schema to the next, for PostgreSQL: pg_content_steps
#                   and so on (lib/store/schemas.h, struct migration)
# steps.sh FOLDER   and those of the made-up next release, whose schemas are in FOLDER
#                   (tests/next/make.sh)
#
# A step NNNN-x.pg.sql is PostgreSQL's own; any other one is SQLite's text, translated. PostgreSQL has
# the stores since content 9, people 2 and counts 1: a step to one of these never runs.
set -eu

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# step NAME FILE: the text of a step.
step() {
	case $2 in
	*.pg.sql) cp "$2" "$folder/step" ;;
	*) sh db/pg/translate.sh '' "$2" >"$folder/step" ;;
	esac
	sh db/embed.sh --text "$1" "$folder/step"
}

# list STORE FOLDER SINCE: the texts of the steps, and $folder/rows for the list.
list() {
	: >"$folder/rows"
	for file in "$2"/before/[0-9]*.sql; do
		number=$(basename "$file" | sed 's/^0*//; s/[-.].*//')
		case $file in
		*.pg.sql) ;;
		*) [ ! -f "${file%.sql}.pg.sql" ] || continue ;;
		esac
		if [ ! -f "$file" ] || [ "$number" -le "$3" ]; then continue; fi
		step "pg_$1_$number" "$file"
		printf '\t{ %s, "%s", pg_%s_%s },\n' "$number" "$(basename "$file")" "$1" "$number" >>"$folder/rows"
	done
	rows "pg_$1_steps"
}

rows() {
	printf 'static const struct migration %s[] = {\n' "$1"
	cat "$folder/rows"
	printf '\t{ 0, NULL, NULL },\n};\n'
}

# next STORE SCHEMA MADE: the schema of the next release, and its step.
next() {
	number=$(($(sed -n '1s/.*number \([0-9]*\)[:,.].*/\1/p' "$2") + 1))
	sh db/pg/translate.sh "$1" "$3" >"$folder/schema"
	sh db/embed.sh --text "pg_next_$1" "$folder/schema"
	file=tests/next/$1.pg.sql
	[ -f "$file" ] || file=tests/next/$1.sql
	step "pg_next_$1_step" "$file"
	printf '\t{ %s, "next", pg_next_%s_step },\n' "$number" "$1" >>"$folder/rows"
	rows "pg_next_$1_steps"
}

list content db 9
[ $# -eq 0 ] || next content db/schema.sql "$1/next-content.sql"
list console db/console 2
[ $# -eq 0 ] || next console db/console/schema.sql "$1/next-console.sql"
list stats db/stats 1
