#!/bin/sh
# closed.sh: what a script that root runs checks before it changes a folder, how it runs what a user may
# reach, and which programs run there. It is sourced. `here` is the folder of the script; `fail` prints a
# sentence and ends.
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

# apart SECONDS COMMAND...: runs a command of which processes of another user are part. That user may do
# anything to them: stop them, and take what they have open, and keep it. So the command ends in time, has no
# lock and no terminal, and writes into files of root's, which are printed once it has ended: root would read
# a pipe for as long as it is kept. They are in memory, because the disk may be full.
apart() {
	apart_seconds=$1
	shift
	apart_said=$(mktemp -d /run/galley.XXXXXX 2>/dev/null || mktemp -d) || return 1
	apart_status=0
	timeout -k 10 "$apart_seconds" "$@" </dev/null >"$apart_said/out" 2>"$apart_said/err" 3>&- 8>&- 9>&- || apart_status=$?
	cat "$apart_said/out" || true
	cat "$apart_said/err" >&2 || true
	rm -rf "$apart_said"
	return "$apart_status"
}

# Prints the processes that run a program of an instance, each as "PID NAME". They are known by the file
# that they run, by whatever path; and those of the instance's owner whose file cannot be seen, or was
# replaced, by their name. Those of users who reach no data of it, neither root nor its owner, are left out.
processes_of() {
	{
		stat -Lc 'program %d:%i %n' "$1"/bin/* "$1"/cgi-bin/* "$1"/previous/bin/* "$1"/previous/cgi-bin/* || true
		stat -Lc 'process %d:%i:%h %n' /proc/[0-9]*/exe || true
		grep -sE '^(Name|State|Uid):' /proc/[0-9]*/status || true
	} 2>/dev/null | awk -v owner="$(stat -c %u "$1/db")" '
		$1 == "program" {
			name = $0
			sub(/.*\//, "", name)
			program[$2] = known[substr(name, 1, 15)] = name
			next
		}
		{ split($1 == "process" ? $3 : $1, path, "/") }
		$1 == "process" {
			split($2, file, ":")
			runs[path[3]] = file[1] ":" file[2]
			gone[path[3]] = file[3] == 0
		}
		$1 ~ /:Name:$/ { comm[path[3]] = $2 }
		$1 ~ /:State:$/ { dead[path[3]] = $2 == "Z" }
		$1 ~ /:Uid:$/ {
			own[path[3]] = $2 == owner || $3 == owner
			root[path[3]] = $3 == 0
		}
		END {
			for (pid in comm) {
				if (!own[pid] && !root[pid])
					continue
				if (pid in runs && runs[pid] in program)
					print pid, program[runs[pid]]
				else if ((!(pid in runs) || gone[pid]) && own[pid] && !dead[pid] && comm[pid] in known)
					print pid, known[comm[pid]]
			}
		}'
}

# Waits until no program of an instance runs, for at most so many seconds. Prints those that do.
await_end() {
	seconds=$2
	while running=$(processes_of "$1") && [ -n "$running" ]; do
		[ "$seconds" -gt 0 ] || break
		seconds=$((seconds - 1))
		sleep 1
	done
	[ -z "$running" ] || printf '%s\n' "$running" | sed 's/\([0-9]*\) \(.*\)/\2 (process \1)/' | paste -sd, | sed 's/,/, /g'
}
