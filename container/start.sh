#!/bin/sh
# start.sh          is process 1 of the container: it makes the instance in the volume, or brings it to
#                   the image's release, and then becomes galley-serve
# start.sh web      runs nginx until SIGTERM, and copies lines of the logs (for galley-serve)
# start.sh health   says how the instance is (for the container's check)
#
# This script alone reads the environment: what it takes is checked, and written into galley.conf.
# Programs are started without it. Nothing that is printed here has a key or a code.
set -eu
umask 022
PATH=/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL

volume=/srv/galley
run=/run/galley
here=$(readlink -f "$0")
release=$(dirname "$(dirname "$here")")

fail() {
	echo "galley: $*" >&2
	exit 1
}

# Prints the last line of what a command said, without the command's name.
last_line() {
	printf '%s\n' "$1" | sed -n '/./h
		$ { g
		s/^[a-z-]*: //
		p
		}'
}

# ---- SIGTERM

child=''

# Ends with all that runs. What was under way is taken back, or finished, by the next start.
stop() {
	trap - TERM INT
	[ -z "$child" ] || kill "$child" 2>/dev/null || true
	echo "galley: Stopped before the instance was ready: the next start begins again." >&2
	exit 0
}

# Runs a command, and hears SIGTERM meanwhile. Sets `said` and `ended`, its exit status. A file of this
# user alone holds what it says.
run_it() {
	rm -f "$run/said"
	(umask 077 && : >"$run/said")
	"$@" >"$run/said" 2>&1 </dev/null 9>&- &
	child=$!
	ended=0
	wait "$child" || ended=$?
	child=''
	said=$(cat "$run/said")
	rm -f "$run/said"
	return "$ended"
}

# ---- settings

# Prints the settings of the environment as NAME=VALUE, and refuses a value that is not one. (That it
# fits, galley.conf's own check says.) Without a variable it is the default: none stays of an earlier
# start.
take_settings() {
	for name in public_url console_url pages_url; do
		take "$name"
		case $value in
		'') [ "$name" != public_url ] ||
			fail "$variable is missing: the address at which readers and clients reach this instance."
			echo "$name=" ;;
		*[!A-Za-z0-9.:/_~-]*) fail "$variable has a character that no address here may have." ;;
		http://[A-Za-z0-9]* | https://[A-Za-z0-9]*) echo "$name=$value" ;;
		*) fail "$variable takes an address such as https://galley.example.com." ;;
		esac
	done
	take trusted_proxies
	case $value in
	*[!0-9A-Fa-f.:/\ ]*) fail "$variable takes addresses such as 10.0.0.1 or 10.0.0.0/8, separated by spaces." ;;
	*) echo "$name=$value" ;;
	esac
	take require_https
	case ${value:=on} in
	on | off) echo "$name=$value" ;;
	*) fail "$variable is on or off." ;;
	esac
}

# Takes the value of a setting's variable.
take() {
	name=$1
	variable=GALLEY_$(printf %s "$name" | tr '[:lower:]' '[:upper:]')
	value=''
	eval "value=\${$variable:-}"
}

# Names what nobody reads: it may be typed wrong. (A manager of containers has names of its own.)
name_others() {
	env | sed -n 's/^\(GALLEY_[A-Z0-9_]*\)=.*/\1/p' | grep -vE '^GALLEY_(PUBLIC_URL|CONSOLE_URL|PAGES_URL|TRUSTED_PROXIES|REQUIRE_HTTPS|(.*_)?(PORT|SERVICE)(_.*)?)$' |
		sed 's/^/galley: No setting is called /' >&2 || true
}

# ---- the volume

check_volume() {
	[ "$(id -u)" -ne 0 ] || fail "This runs as an ordinary user, and never as root: leave out --user."
	mountpoint -q "$volume" ||
		fail "There is no volume at $volume, and the data would be lost with the container: start it with -v NAME:$volume."
	probe=$(mktemp "$volume/.start-XXXXXX" 2>/dev/null) ||
		fail "The volume at $volume cannot be written by the user $(id -u): mount it without ro, and give its folder to that user."
	printf '#!/bin/sh\nexit 0\n' >"$probe"
	chmod 0700 "$probe"
	runs=yes
	"$probe" 2>/dev/null || runs=''
	rm -f "$probe"
	[ -n "$runs" ] || fail "Programs may not run in the volume at $volume (noexec), and the instance's own are there."
	mkdir -p "$run" 2>/dev/null || fail "/run cannot be written: start the container with --tmpfs /run --tmpfs /tmp."
	[ -w /tmp ] || fail "/tmp cannot be written: start the container with --tmpfs /tmp."
	# What is here is ours once the file is.
	if [ ! -e "$volume/container.lock" ] && [ ! -d "$volume/db" ]; then
		[ -z "$(find "$volume" -mindepth 1 -maxdepth 1 ! -name lost+found ! -name '.start-*' -print -quit)" ] ||
			fail "The volume at $volume is not empty, and holds no instance of Galley: take another one."
	fi
	# Process 1 has it as long as the container runs: as its standard input, which it gives to no other.
	exec 9>"$volume/container.lock"
	flock -n 9 || fail "Another container serves this volume."
}

# Prints number and schema of the programs in a folder, "0.10.0~dev 9". A "~" comes before all.
release_of() {
	"$1/bin/galley" --version 2>/dev/null | sed -n 's/^galley \([0-9][0-9A-Za-z.-]*\): schema \([0-9]*\).*/\1 \2/p' | sed 's/-/~/'
}

# Succeeds if the first is a later release, or has a later schema, than the second.
is_later() {
	[ "${1#* }" -le "${2#* }" ] || return 0
	[ "${1% *}" != "${2% *}" ] || return 1
	[ "$(printf '%s\n' "${1% *}" "${2% *}" | sort -V | tail -n 1)" = "${1% *}" ]
}

is_same() {
	for file in "$release"/bin/* "$release"/cgi-bin/*; do
		cmp -s "$file" "$volume/${file#"$release"/}" || return 1
	done
}

# Makes the instance, or finishes one whose making was interrupted. What setup says is not printed: the
# page Start's code may be in it.
make_instance() {
	run_it "$release/setup" "$volume" --public-url "$(printf '%s\n' "$settings" | sed -n 's/^public_url=//p')" ||
		fail "$(last_line "$said")"
	echo "galley: An instance was made in the volume. The first person: galley person create ADDRESS --name NAME --operator"
}

# Brings the instance to the image's release. If that fails, the old release runs on, with its data.
upgrade() {
	if run_it "$release/upgrade.sh" "$volume"; then
		echo "galley: The instance was upgraded from $is to $(last_line "$said")."
		return 0
	fi
	echo "galley: The upgrade from $is failed: $(last_line "$said")" >&2
	[ "$ended" -eq 1 ] && [ ! -e "$volume/upgrading" ] &&
		"$volume/bin/galley-serve" --help 2>/dev/null | grep -q -e --with || exit 1
}

prepare() {
	new=$(release_of "$release")
	[ -n "$new" ] || fail "The image's own programs do not run on this machine: it must be Linux on x86-64."
	# Nothing has served it since an upgrade was interrupted.
	if [ -e "$volume/upgrading" ]; then
		run_it "$release/upgrade.sh" --back "$volume" || fail "$(last_line "$said")"
		echo "galley: An upgrade that was interrupted was taken back."
	fi
	if [ ! -f "$volume/db/galley.db" ] || [ ! -x "$volume/bin/galley" ]; then
		make_instance
		return 0
	fi
	old=$(release_of "$volume")
	[ -n "$old" ] || fail "The programs in the volume do not run: $volume/bin/galley."
	is=${old% *}
	if is_later "$old" "$new"; then
		fail "The volume is of a later release, $is, and this image is ${new% *}: start an image of that release or a later one."
	fi
	# A first start may have been stopped before the database was whole.
	run_it "$volume/bin/galley" migrate || ! is_same || fail "$(last_line "$said")"
	is_same || upgrade
}

write_settings() {
	set -f
	IFS='
'
	# shellcheck disable=SC2086
	set -- $settings
	unset IFS
	set +f
	run_it "$volume/bin/galley" config set "$@" || fail "The settings were refused: $(last_line "$said")"
	"$volume/bin/galley" config show public_url console_url pages_url trusted_proxies require_https 9>&- | sed 's/^/galley: /'
}

# ---- what galley-serve runs beside the programs

# Copies what comes into the logs to standard output, but for lines that name secret addresses, or
# say who read what (INSTALL.md, 3).
copy_logs() {
	cd "$volume/log"
	while :; do
		tail -q -n 0 -F requests.log runner.log operator.log sign-in.log 2>/dev/null |
			sed -u -E '/ab(_|%5f)(share|invite|reset|code|live)(_|%5f)/Id; /(c|%63)(o|%6f)(l|%6c){2}(e|%65)(c|%63)(t|%74)([? ]|$)/Id'
		sleep 1
	done
}

# SIGTERM ends nginx after the requests that it has taken.
web() {
	copy_logs &
	copier=$!
	nginx -e stderr -c "$release/container/nginx.conf" &
	server=$!
	trap 'kill -QUIT "$server" 2>/dev/null || true' TERM
	status=0
	while :; do
		wait "$server" && status=0 || status=$?
		kill -0 "$server" 2>/dev/null || break
	done
	kill "$copier" 2>/dev/null || true
	exit "$status"
}

# A warning of galley doctor is none of the container's health. An upgrade may take longer than a manager
# waits for a first answer: it must not end the container for that.
health() {
	[ ! -e "$volume/upgrading" ] || {
		echo "GALLEY UPGRADING: the instance is brought to the image's release."
		return 0
	}
	status=0
	"$volume/bin/galley" doctor --brief || status=$?
	[ "$status" -le 1 ]
}

case ${1:-} in
web) web ;;
health) health ;;
'')
	trap stop TERM INT
	settings=$(take_settings)
	name_others
	check_volume
	prepare
	write_settings
	exec env -i PATH="$PATH" "$volume/bin/galley-serve" --sockets "$run" --with "$here web" <&9 9>&- ;;
*) fail "start.sh takes no word but web or health. The tool: galley help" ;;
esac
