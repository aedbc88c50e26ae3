#!/bin/sh
# closed.sh: what a script that root runs asks before it changes a folder. It is
# sourced; `here` is the folder of the script, and `fail` says a sentence and ends.
#
# The users of a system may exchange what is in folders that they own, or that are
# open to them, at any moment: a name that root has just looked at is a link to a
# file of the system's when root writes it. So root changes only what root alone can
# exchange. That is so where each folder of the path, from / on, is root's and closed
# to others; what the folders of this script itself lead to is as good: who may change
# those has had root run a script of theirs. What belongs to the owner of an instance
# is left to bin/galley, which becomes that owner.

# The first folder on the way to a folder that others than root can change; nothing
# where there is none. A user who is not root changes nothing that is not that user's.
# shellcheck disable=SC2154
opened_by_others() {
	[ "$(id -u)" -eq 0 ] || return 0
	folder=$(cd "$1" && pwd -P) || return 0
	found=''
	while :; do
		case ${here%/}/ in "${folder%/}"/*) break ;; esac
		seen=$(find "$folder" -prune \( ! -user 0 -o ! -perm -1000 \
			\( -perm -002 -o -perm -020 ! -group 0 \) \) -print)
		[ -z "$seen" ] || found=$folder
		folder=$(dirname "$folder")
	done
	[ -z "$found" ] || echo "$found"
}

# Where a path leads, all links resolved, for root: a link on the way may be another's,
# who can have it lead elsewhere after the path was looked at. What is missing at its
# end is kept as it is.
physical() {
	if [ "$(id -u)" -ne 0 ]; then
		echo "$1"
	elif [ -d "$1" ]; then
		(cd "$1" && pwd -P)
	else
		above=$(physical "$(dirname "$1")")
		echo "${above%/}/$(basename "$1")"
	fi
}

# Ends unless root alone can exchange what is in a folder.
need_closed() {
	open=$(opened_by_others "$1")
	[ -z "$open" ] ||
		fail "$open belongs to $(stat -c %U "$open"), mode $(stat -c %a "$open"): users beside root can change what is in it, and root writes nothing there. Run this as that user; or, as root: chown -h root $open; chmod go-w $open"
}

# Makes a folder, and those above it that are missing, each in one that is closed.
make_closed() {
	if [ ! -d "$1" ]; then
		make_closed "$(dirname "$1")"
		mkdir "$1" || fail "$1 cannot be made"
	fi
	need_closed "$1"
}
