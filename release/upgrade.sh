#!/bin/sh
# upgrade.sh [--back] DIR: brings the instance DIR to the release in whose folder this script is, or
# leaves it as it was: with its old programs and its old data. An instance that was migrated never
# gets old programs alone.
#
# No program of DIR runs meanwhile, because what is written after the copy of the data would be lost
# on the way back: the caller stops galley-serve, and what has not ended after half a minute is named,
# and nothing is done. DIR/upgrading is there from the first step to the last, and beside it
# galley-serve, the runners and all commands but this script's own refuse to begin. So an upgrade that
# was killed can be taken back, whenever that was: --back does this alone, and each upgrade begins
# with it.
#
# The data is a copy of the files, made while nothing runs: no time has passed for them, and no
# order ended. Only that in PostgreSQL is restored, if it was migrated.
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
copy=$home/db/before-upgrade
mark=$home/upgrading
# Lets the commands of this script pass the mark (start/tool.h).
export GALLEY_UPGRADE="$mark"

# Runs a command as the owner, who may do anything to it. It ends, after hours if it is "slow".
as_owner() {
	limit=600
	if [ "$1" = slow ]; then
		limit=43200
		shift
	fi
	if [ "$(id -u)" -eq 0 ]; then
		apart "$limit" runuser -u "$owner" -- "$@"
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

# set_mark WORD: "begun" while nothing has changed, then "changing".
set_mark() {
	echo "$1" >"$mark.new"
	sync "$mark.new"
	mv -f "$mark.new" "$mark"
	sync "$home"
}

# What was done is on the disk before the mark goes: with power lost, an old mark would take back
# what was answered since.
remove_mark() {
	sync -f "$home" "$home/db"
	rm -f "$mark"
	sync "$home"
	as_owner rm -rf "$copy" || true
}

# A step that failed before anything has changed leaves no mark either.
leave() {
	[ "$(cat "$mark" 2>/dev/null)" != begun ] || remove_mark
}

# Ends before anything has changed.
nothing() {
	remove_mark
	fail "$1 Nothing was changed."
}

# Ends if a program of the instance runs for more seconds than that.
need_alone() {
	running=$(await_end "$home" "$1")
	[ -z "$running" ] || nothing "Programs of the instance run, and may write: $running. End them first."
}

# Copies the files of the data.
# shellcheck disable=SC2016
copy_data() {
	as_owner slow sh -euc 'umask 077
		cd "$1"
		rm -rf db/before-upgrade
		for folder in db people stats; do
			mkdir -p "db/before-upgrade/$folder"
			[ -d "$folder" ] || continue
			for file in "$folder"/*; do
				case $file in *.tar | *-shm) continue ;; esac
				[ ! -L "$file" ] || { echo "$file is a link." >&2; exit 1; }
				[ ! -f "$file" ] || cp -p --reflink=auto "$file" "db/before-upgrade/$file"
			done
		done
		sync -f db' sh "$home"
}

# Puts them back. The copy stays whole, as second names of the same files, so that this can be
# killed and begun again.
# shellcheck disable=SC2016
put_data() {
	as_owner slow sh -euc 'cd "$1"
		rm -rf db/*.db-* db/before-migrate-begun run/generation run/kept
		for file in people/* stats/*; do
			[ ! -f "$file" ] || [ -e "db/before-upgrade/$file" ] || rm -f "$file"
		done
		for file in db/before-upgrade/*/*; do
			[ -e "$file" ] || continue
			to=${file#db/before-upgrade/}
			[ ! "$file" -ef "$to" ] || continue
			ln -f "$file" "${to%/*}/.back" 2>/dev/null || cp -p "$file" "${to%/*}/.back"
			mv -f "${to%/*}/.back" "$to"
		done' sh "$home"
}

can_read() {
	as_owner "$home/bin/galley" workspace list >/dev/null 2>&1
}

# Takes the old data and the old programs. The data needs no room, and what it replaces makes some.
put_back() {
	put_data || return 1
	if [ -x "$home/previous/bin/galley" ]; then
		for kind in bin cgi-bin; do
			for file in "$home/$kind"/*; do
				[ -e "$home/previous/$kind/${file##*/}" ] || rm -f "$file"
			done
		done
		cp -a --remove-destination "$home/previous/." "$home/" || return 1
	fi
	if ! can_read; then
		[ -f "$release/PACKAGES" ] || return 1
		as_owner slow "$home/bin/galley" restore --yes --as-it-was "$kept" >/dev/null || return 1
		can_read || return 1
	fi
	remove_mark
}

# Ends with the reason, once the old release is back.
return_with() {
	if ! put_back; then
		echo "${1:-It was ended.} The old release could NOT be put back: its programs are in $home/previous, its data in $kept." >&2
		exit 3
	fi
	fail "${1:-It was ended.} The old release is in place again, with its data."
}

# Prints the checks of galley doctor that need no server, and hold.
holding() {
	as_owner "$home/bin/galley" doctor 2>/dev/null |
		sed -nE 's/^(ok|note|warn) +(folders|galley\.conf|secrets|programs|database) .*/\2/p'
}

# Prints what galley doctor finds bad that was well before.
worse() {
	as_owner "$home/bin/galley" doctor 2>/dev/null | while read -r level check found; do
		case $level:$before in *BAD:*" $check "*) echo "$check: ${found%%; fix: *}" ;; esac
	done
}

# An upgrade that was killed. galley-serve has not run since: nothing was answered.
case $(cat "$mark" 2>/dev/null) in
changing) running=$(await_end "$home" 30)
	[ -z "$running" ] || {
		echo "An upgrade was interrupted, and programs of the instance run, so that it cannot be put back: $running." >&2
		exit 3
	}
	(put_back) || {
	echo "An upgrade was interrupted, and could NOT be put back: $kept has its data, $home/previous its programs." >&2
	exit 3
} ;;
*) [ -z "$back" ] || remove_mark ;;
esac
[ -z "$back" ] || exit 0
set_mark begun
trap leave EXIT
need_alone 30

# Backup, copy, migration and the migration's own backup need the room of the data each, in KiB.
used=$(as_owner du -skc --exclude='before-upgrade*' "$home/db" "$home/people" "$home/stats" \
	"$home/htdocs/media" 2>/dev/null | sed -n '$s/[^0-9].*//p')
room=$(df -Pk "$home" | awk 'NR == 2 { print $4 }')
need=$((4 * used + 204800))
[ "$room" -ge "$need" ] ||
	nothing "The disk has $((room / 1024)) MiB free, and this upgrade may need $((need / 1024)) MiB."

# A picture that is lost is named, and left out: the backup is good all the same.
as_owner rm -f "$kept" 2>/dev/null || nothing "$kept cannot be removed: is it a folder?"
if ! said=$(as_owner slow "$home/bin/galley" backup "$kept" 2>&1); then
	said="$said
$(as_owner slow "$home/bin/galley" restore --check "$kept" 2>&1)" || true
	case $said in
	*' can be restored'*) ;;
	*)
		as_owner rm -f "$kept" || true
		nothing "No backup that is whole could be made: $(last_line "$said")" ;;
	esac
fi
before=" $(holding | tr '\n' ' ')"
said=$(copy_data 2>&1) || nothing "The data could not be copied: $(last_line "$said")"
# Programs of an older release do not know the mark.
need_alone 0
# What an earlier upgrade kept is not the way back from this one.
rm -rf "$home/previous"
set_mark changing
said=$(apart 43200 "$release/setup" "$home" 2>&1) || return_with "$(last_line "$said")"
said=$(as_owner "$home/bin/galley" workspace list 2>&1) ||
	return_with "The new programs cannot read the data: $(last_line "$said")"
said=$(worse | sed -n 1p)
[ -z "$said" ] || return_with "galley doctor finds bad what was well before: $said."
remove_mark
as_owner "$home/bin/galley" --version | sed -n '1s/:.*//p'
