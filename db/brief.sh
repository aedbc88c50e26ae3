#!/bin/sh
# brief.sh SCHEMA...: a C header that holds of each table its
# whole text, as SQLite keeps it (WHOLE_table), and one without what binds writers only: CHECK,
# NOT NULL and REFERENCES (BRIEF_table). A DEFAULT stays: a row that is older than its column
# reads it. A unit test compares what SQLite makes of both.
set -eu

# The comments go as in embed.sh.
cat "$@" | sed 's/[[:space:]]*--.*//; /^$/d' | awk '
function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\n/, "\\n", text)
	return "\"" text "\""
}
# Takes away each CHECK with its parentheses, and the comma before one of the table.
function unchecked(text,    at, end, depth, c) {
	while ((at = match(text, /,? *CHECK *\(/)) > 0) {
		end = at + RLENGTH
		for (depth = 1; depth > 0; end++) {
			c = substr(text, end, 1)
			depth += (c == "(") - (c == ")")
		}
		text = substr(text, 1, at - 1) substr(text, end)
	}
	return text
}
function brief(text) {
	gsub(/[ \t\n]+/, " ", text)
	text = unchecked(text)
	gsub(/ NOT NULL/, "", text)
	gsub(/ REFERENCES [a-z_]+ \([a-z_]+\)/, "", text)
	gsub(/ ?\( ?/, "(", text)
	gsub(/ ?\) ?/, ")", text)
	gsub(/ ?, ?/, ",", text)
	return text
}
/^CREATE TABLE / { whole = ""; open = 1 }
open {
	whole = whole (whole == "" ? "" : "\n") $0
	if ($0 ~ /;$/) {
		sub(/;$/, "", whole)
		split(whole, word, " ")
		print "#define WHOLE_" word[3] " " quoted(whole)
		print "#define BRIEF_" word[3] " " quoted(brief(whole))
		open = 0
	}
}'
