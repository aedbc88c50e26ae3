#!/bin/sh
# closed.sh: what a script that root runs checks before it changes a folder. It is
# sourced. `here` is the folder of the script; `fail` prints a sentence and ends.
#
# A user of the system may at any moment exchange what is in folders that the user
# owns or may write: a name that root has just looked at can be a link to a file of
# the system when root writes it. So root changes only what nobody but root can
# exchange. That is true if each folder of the path, from / on, belongs to root and is
# closed to others. The folders of this script itself are as good: a user who may
# change them has had root run that user's script. What belongs to the owner of an
# instance is left to bin/galley, which becomes that owner.

uid=$(id -u)

# Prints the first folder on the way to a folder that a user other than root can
# change, or nothing. For a user who is not root it prints nothing: that user can
# change only what is that user's.
# shellcheck disable=SC2154
opened_by_others() {
	[ "$uid" -eq 0 ] || return 0
	folder=$(cd "$1" && pwd -P) || return 0
	set --
	while :; do
		case ${here%/}/ in "${folder%/}"/*) break ;; esac
		set -- "$folder" "$@"
		folder=${folder%/*}
	done
	[ $# -gt 0 ] || return 0
	find "$@" -prune \( ! -user 0 -o ! -perm -1000 \
		\( -perm -002 -o -perm -020 ! -group 0 \) \) -print | sed -n 1p
}

# Prints a path with all links resolved, for root: a link on the way may belong to
# another user, who can make it lead elsewhere after the path was looked at. A missing
# end of the path stays as it is.
physical() {
	if [ "$uid" -ne 0 ]; then
		echo "$1"
	elif [ -d "$1" ]; then
		(cd "$1" && pwd -P)
	else
		above=$(physical "$(dirname "$1")")
		echo "${above%/}/$(basename "$1")"
	fi
}

# Ends the script if a user other than root can exchange what is in a folder.
need_closed() {
	open=$(opened_by_others "$1")
	[ -z "$open" ] ||
		fail "$open belongs to $(stat -c %U "$open"), mode $(stat -c %a "$open"): users beside root can change what is in it, and root writes nothing there. Run this as that user; or, as root: chown -h root $open; chmod go-w $open"
}

# Makes a folder and the missing folders above it, each inside a closed one.
make_closed() {
	if [ ! -d "$1" ]; then
		make_closed "$(dirname "$1")"
		mkdir "$1" || fail "$1 cannot be made"
	fi
	need_closed "$1"
}
