#!/bin/sh
# make.sh PAGE GALLEY  a manual page on standard output: for @COMMANDS@ what the
# program tells of its commands, for @DATE@ the page's own date (that of the
# newest source where SOURCE_DATE_EPOCH names it).
set -eu
if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
	when=@$SOURCE_DATE_EPOCH
else
	when=$(date -u -r "$1" +@%s)
fi
date=$(LC_ALL=C date -u -d "$when" '+%B %-d, %Y')
while IFS= read -r line; do
	case $line in
	@COMMANDS@) "$2" help --man ;;
	.Dd\ @DATE@) echo ".Dd $date" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$1"
