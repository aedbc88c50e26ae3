#!/bin/sh
# make.sh FILE.in PROGRAM...  prints the file of apache-conf/ or nginx/ that FILE.in is the pattern
# of, with the resources that the programs answer: those of their --routes.
#
#	@RESOURCES@   all names, with | between them
#	@RESOURCE@    a name; its line is there once for each
#	@PG@          begins a line that only the build STORE=pg has (STORE in the environment)
set -eu

template=$1
shift
routes=
for program; do
	routes="$routes $("$program" --routes)"
done
names=$(echo "$routes" | grep -o '"path":"/[^/"]*' | sed 's|.*/||' | LC_ALL=C sort -u)
[ -n "$names" ] || { echo "make.sh: the programs have no routes" >&2; exit 1; }
awk -v names="$(echo "$names" | tr '\n' ' ')" -v store="${STORE:-sqlite}" '
BEGIN {
	count = split(names, name, " ")
	for (i = 1; i <= count; i++)
		all = all (i > 1 ? "|" : "") name[i]
}
sub(/^@PG@ /, "") && store != "pg" { next }
{
	gsub(/@RESOURCES@/, all)
	many = index($0, "@RESOURCE@") ? count : 1
	for (i = 1; i <= many; i++) {
		line = $0
		gsub(/@RESOURCE@/, name[i], line)
		print line
	}
}' "$template"
