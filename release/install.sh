#!/bin/sh
# install.sh INSTANCE FILE...  what `make install PREFIX=INSTANCE` does.
#
# Makes the folders of an instance and puts what was built into them: programs
# into cgi-bin/ or bin/ by the folder that each comes from, so Apache's files into
# apache-conf/, manual pages and the shell's completion into share/, pages to where they are below a folder htdocs/;
# and the assets. Over an existing instance it
# replaces programs, pages and assets only; what `galley init` makes (galley.conf,
# the database, the pepper) is never touched. When other programs and pages come,
# the old ones stay in previous/. Each file appears whole, so that a running server
# can continue.
#
# FILE is an absolute path, or a path from the source folder. With SECRETS=DIR in the
# environment (shared hosting), the database and everything else that no web server
# may see is in DIR, and files `instance` beside the programs name DIR; a later run
# finds it there.
set -eu
umask 022

fail() {
	echo "install: $*" >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=release/closed.sh
. "$here/closed.sh"
# In the sources this script has a folder of its own, in a release it is beside what it installs.
top=$here
[ -d "$top/htdocs" ] || top=${here%/release}

instance=${1:-}
[ -n "$instance" ] || fail 'say make install PREFIX=DIR'
shift
for script in install.sh release/install.sh; do
	[ ! -e "$instance/$script" ] || fail 'PREFIX must not be a source folder'
done
instance=$(physical "$instance")
make_closed "$instance"
instance=$(cd "$instance" && pwd)
if [ -n "${SECRETS:-}" ]; then
	SECRETS=$(physical "$SECRETS")
	make_closed "$SECRETS"
	SECRETS=$(cd "$SECRETS" && pwd)
fi
cd "$top"

# put MODE FOLDER FILE...: puts the files into a folder of the instance. Two processes put all
# of them: a release has hundreds of files, and a host may start processes slowly.
put() {
	mode=$1
	to=$instance/$2
	shift 2
	[ $# -gt 0 ] || return 0
	rm -rf "$to/.new"
	mkdir -m 0700 "$to/.new"
	install -m "$mode" "$@" "$to/.new"
	mv -f "$to/.new"/* "$to"
	rmdir "$to/.new"
}

# Each folder comes before those in it: a link in a folder of another user may be
# that user's.
folders="$(find -H htdocs -type d | tr '\n' ' ')htdocs/docs htdocs/clients htdocs/media apache-conf nginx\
 cgi-bin bin share share/man share/man/man1 share/bash-completion share/bash-completion/completions"
for folder in $folders; do
	[ "$folder" != htdocs/media ] || [ ! -d "$instance/$folder" ] || continue
	make_closed "$instance/$folder"
done

home=$instance
[ ! -f "$instance/bin/instance" ] ||
	home=$(physical "$(cat "$instance/bin/instance")")
if [ -n "${SECRETS:-}" ]; then
	home=$SECRETS
	for kind in bin cgi-bin; do
		echo "$home" >"$instance/$kind/instance.new"
		mv "$instance/$kind/instance.new" "$instance/$kind/instance"
	done
fi
need_closed "$home"
# The path back to the instance, for --instance.
if [ "$home" != "$instance" ] &&
	[ "$(cat "$home/programs" 2>/dev/null)" != "$instance" ]; then
	echo "$instance" >"$home/programs.new"
	mv "$home/programs.new" "$home/programs"
fi
# apache-conf/htaccess says what it is for.
[ "$home" = "$instance" ] || [ -e "$instance/cgi" ] || [ -L "$instance/cgi" ] ||
	ln -s cgi-bin "$instance/cgi"
for folder in db run log good people stats; do
	[ ! -d "$home/$folder" ] || continue
	install -d -m 0700 "$home/$folder"
	# An existing instance has an owner.
	[ "$uid" -ne 0 ] ||
		chown -h "$(stat -c %u:%g "$home/db")" "$home/$folder"
done

# Hides a folder that a web server might serve without knowing what to hide. A folder
# that already belongs to the instance's owner is left: bin/galley fix looks at it.
for folder in "$instance/bin" "$home/db" "$home/run" "$home/log" "$home/good" \
    "$home/people" "$home/stats"; do
	[ "$uid" -ne 0 ] || [ "$(stat -c %u "$folder")" -eq 0 ] || continue
	if [ -f "$folder/.htaccess" ] &&
		[ "$(cat "$folder/.htaccess")" != 'Require all denied' ]; then
		continue
	fi
	cat >"$folder/.htaccess" <<-'END'
		# Nothing here is for the web: for clients it does not exist.
		<IfModule mod_alias.c>
			RedirectMatch 404 ".*"
		</IfModule>
		<IfModule !mod_alias.c>
			Require all denied
		</IfModule>
	END
done

# Finds the name of a file, that of its folder, and the folder of the instance where it goes.
name_parts() {
	name=${1##*/}
	kind=${1%/*}
	kind=${kind##*/}
	case $kind in
	bin | cgi-bin | apache-conf | nginx) place=$kind ;;
	man1) place=share/man/man1 ;;
	completions) place=share/bash-completion/completions ;;
	*)
		place=htdocs/${1##*/htdocs/}
		place=${place%/*} ;;
	esac
}

# Succeeds if a new program differs from the installed one.
is_upgrade() {
	[ -x "$instance/bin/galley" ] || return 1
	for file in "$@"; do
		name_parts "$file"
		case $kind in
		bin | cgi-bin)
			cmp -s "$file" "$instance/$kind/$name" || return 0
			;;
		esac
	done
	return 1
}

# Keeps what is replaced in previous/, for the way back that `galley migrate`
# prints. Installing the same programs again does not replace previous/.
if is_upgrade "$@"; then
	[ ! -d "$instance/previous" ] || need_closed "$instance/previous"
	rm -rf "$instance/previous.new"
	mkdir "$instance/previous.new"
	(cd "$instance" && tar cf - --exclude=htdocs/media bin cgi-bin htdocs \
		apache-conf nginx share) | (cd "$instance/previous.new" && tar xpf -)
	cmp -s "$instance/bin/galley" "$instance/previous.new/bin/galley" ||
		fail "$instance/previous cannot be written"
	# With power lost, the way back would be empty files.
	sync -f "$instance/previous.new" 2>/dev/null || true
	rm -rf "$instance/previous"
	mv "$instance/previous.new" "$instance/previous"
fi

# Puts those of the files that go into a folder.
put_those_of() {
	wanted=$1
	shift
	for file; do
		shift
		name_parts "$file"
		[ "$place" != "$wanted" ] || set -- "$@" "$file"
	done
	case $wanted in
	bin | cgi-bin) put 0755 "$wanted" "$@" ;;
	*) put 0644 "$wanted" "$@" ;;
	esac
}

for file; do
	name_parts "$file"
	case " $folders " in *" $place "*) ;; *) fail "$file goes into no folder" ;; esac
done
for folder in $folders; do
	put_those_of "$folder" "$@"
done
find -H htdocs -type d ! -path htdocs/media ! -path 'htdocs/media/*' | while read -r folder; do
	# shellcheck disable=SC2046
	put 0644 "$folder" $(find -H "$folder" ! -path "$folder" -prune -type f ! -name '.*')
done
# shellcheck disable=SC2046
put 0644 apache-conf $(find -H apache-conf -name '*.conf' -o -name htaccess)
# shellcheck disable=SC2046
put 0644 nginx $(find -H nginx -name '*.conf')
# The time zones of a release: used where the system has none.
if [ -d share/zoneinfo ]; then
	find -H share/zoneinfo -type d | while read -r folder; do
		make_closed "$instance/$folder"
		# shellcheck disable=SC2046
		put 0644 "$folder" $(find -H "$folder" ! -path "$folder" -prune -type f)
	done
fi
# Programs of the build STORE=pg reach a server, and each process has a connection to it: of what
# people use there are few.
if [ "${STORE:-}" = pg ]; then
	for program in console pages collect picture not-found; do
		echo GALLEY_PROCESSES=2 >"$instance/apache-conf/$program.env.new"
		mv "$instance/apache-conf/$program.env.new" "$instance/apache-conf/$program.env"
	done
fi
for file in crontab logrotate galley.service; do
	sed "s|@INSTANCE@|$instance|; s|@HOME@|$home|" "apache-conf/$file" \
		>"$instance/apache-conf/$file.new"
	mv "$instance/apache-conf/$file.new" "$instance/apache-conf/$file"
done
