#!/bin/sh
# upgrade.sh [--back] DIR: brings the instance DIR to the release in whose folder this script is, or
# leaves it as it was: with its old programs and its old data. An instance that was migrated never
# gets old programs alone.
#
# DIR has no requests and no runner meanwhile: the caller stops galley-serve, because what is
# written after the backup would be lost on the way back. --back takes back the upgrade that this
# script made last, when the caller finds that the new release does not answer.
#
# Root touches what belongs to the instance's owner only as that owner. On standard output is what
# happened; the last line of standard error is one sentence that says why it failed. The exit
# status is 1 if the old release is in place as it was, 3 if it could not be put back.
set -eu
umask 022
cd /

back=''
if [ "${1:-}" = --back ]; then
	back=yes
	shift
fi
home=${1:-}
release=$(dirname "$(readlink -f "$0")")
# shellcheck disable=SC2034
here=$release
# shellcheck source=release/closed.sh
. "$release/closed.sh"

fail() {
	echo "$*" >&2
	exit 1
}

[ -d "$home/db" ] || fail "$home is no instance."
home=$(physical "$home")
need_closed "$home"
owner=$(stat -c %U "$home/db")
kept=$home/db/before-upgrade.tar
mark=$home/upgrading

as_owner() {
	if [ "$(id -u)" -eq 0 ]; then
		runuser -u "$owner" -- "$@" </dev/null
	else
		"$@" </dev/null
	fi
}

# Prints the sentence of a command that failed: its last line.
last_line() {
	printf '%s\n' "$1" | sed -n '/./h
		$ { g
		s/^[a-z-]*: //
		p
		}'
}

# Takes the old programs and the old data.
put_back() {
	[ -x "$home/previous/bin/galley" ] || return 1
	for kind in bin cgi-bin; do
		for file in "$home/$kind"/*; do
			[ -e "$home/previous/$kind/${file##*/}" ] || rm -f "$file"
		done
	done
	cp -a --remove-destination "$home/previous/." "$home/" || return 1
	as_owner "$home/bin/galley" restore --yes --as-it-was "$kept" >/dev/null || return 1
	as_owner "$home/bin/galley" workspace list >/dev/null || return 1
	rm -f "$mark"
}

# Ends with the reason, once the old release is back.
return_with() {
	if [ ! -x "$home/previous/bin/galley" ]; then
		rm -f "$mark"
		fail "$1 Nothing was changed."
	fi
	if ! put_back; then
		echo "$1 The old release could NOT be put back: its programs are in $home/previous, its data in $kept." >&2
		exit 3
	fi
	fail "$1 The old release is in place again, with its data."
}

if [ -n "$back" ]; then
	put_back || exit 3
	exit 0
fi

# An upgrade that was killed: nothing was answered since, and nothing installed before previous/.
[ ! -e "$mark" ] || [ ! -x "$home/previous/bin/galley" ] || put_back ||
	fail "An upgrade was interrupted, and cannot be taken back: $kept has its data, $home/previous its programs."

# Backup, migration and the migration's own backup need the room of the data each, in KiB.
used=$(as_owner du -skc "$home/db" "$home/people" "$home/htdocs/media" | sed -n '$s/[^0-9].*//p')
room=$(df -Pk "$home" | awk 'NR == 2 { print $4 }')
need=$((3 * used + 204800))
[ "$room" -ge "$need" ] ||
	fail "The disk has $((room / 1024)) MiB free, and this upgrade may need $((need / 1024)) MiB. Nothing was changed."

# A picture that is lost is named, and left out: the backup is good all the same.
as_owner rm -f "$kept"
if ! said=$(as_owner "$home/bin/galley" backup "$kept" 2>&1); then
	said="$said
$(as_owner "$home/bin/galley" restore --check "$kept" 2>&1)" || true
	case $said in
	*' can be restored'*) ;;
	*) fail "No backup that is whole could be made: $(last_line "$said") Nothing was changed." ;;
	esac
fi
# What an earlier upgrade kept is not the way back from this one.
rm -rf "$home/previous"
: >"$mark"
said=$("$release/setup" "$home" 2>&1) ||
	return_with "$(last_line "$said")"
[ -d "$home/previous" ] || rm -f "$mark"
said=$(as_owner "$home/bin/galley" workspace list 2>&1) ||
	return_with "The new programs cannot read the data: $(last_line "$said")"
rm -f "$mark"
as_owner "$home/bin/galley" --version | sed -n '1s/:.*//p'
