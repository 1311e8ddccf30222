#!/bin/bash
# Two machines on this one: two daemons that share a book over a loopback connection.
# usage: demo.sh DIRECTORY-OF-THE-PROGRAMS; with ONCE=1 it ends by itself, 0 if both sides became equal.
set -eu
bin=$1
here=$(cd "$(dirname "$0")" && pwd)
limit=60 # seconds for everything that is waited for
home=$(mktemp -d "${TMPDIR:-/tmp}/contactsync-demo.XXXXXX")
pids=()

finish() {
    local code=$?
    trap - EXIT INT TERM
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    local end=$((SECONDS + 10)) # a daemon that does not end on SIGTERM must not hold this up
    for pid in "${pids[@]}"; do
        while kill -0 "$pid" 2>/dev/null && [ $SECONDS -lt $end ]; do sleep 0.1; done
        kill -KILL "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$home"
    exit "$code"
}
trap finish EXIT
trap 'exit 0' INT TERM

fail() {
    echo "demo: $1" >&2
    for side in laptop desktop; do
        echo "--- the last lines of $side's log" >&2
        tail -n 5 "$home/$side/log" >&2 || true
    done
    exit 1
}

ask() { # SIDE COMMAND…
    local side=$1
    shift
    "$bin/contactsync" --config "$home/$side/config.toml" "$@"
}

write_config() { # SIDE PEER PEER-ID PEER-ADDRESS
    {
        echo "name = \"$1\""
        echo "listen = \"127.0.0.1:0\""
        echo "state = \"$home/$1/state\""
        echo "socket = \"$home/$1/socket\""
        echo "[books.personal]"
        echo "directory = \"$home/$1/contacts\""
        echo "region = \"DE\""
        if [ -n "${3:-}" ]; then
            echo "[peers.$2]"
            echo "id = \"$3\""
            if [ -n "${4:-}" ]; then echo "address = \"$4\""; fi
            echo "books = [\"personal\"]"
        fi
    } >"$home/$1/config.toml"
}

start() { # SIDE
    "$bin/contactsyncd" --config "$home/$1/config.toml" 2>"$home/$1/log" &
    pids+=($!)
    local end=$((SECONDS + limit))
    until port=$(ask "$1" status --json 2>/dev/null | sed -n 's/.*"listening":\([0-9][0-9]*\).*/\1/p') && [ -n "$port" ]; do
        kill -0 "${pids[-1]}" 2>/dev/null || fail "$1 ended by itself"
        [ $SECONDS -lt $end ] || fail "$1 does not answer within $limit s"
        sleep 0.1
    done
}

equal() {
    ask laptop sync --timeout "$limit" >"$home/reason" || return 1
    ask desktop sync --timeout "$limit" >"$home/reason" || return 1
    ask laptop verify personal >"$home/reason" || return 1
    diff <(ask laptop list personal | sort) <(ask desktop list personal | sort) >"$home/reason"
}

for side in laptop desktop; do
    mkdir -p "$home/$side/contacts"
    write_config "$side"
done
laptop=$(ask laptop id)
desktop=$(ask desktop id)
echo "laptop is  $laptop"
echo "desktop is $desktop"

# The desktop dials; the laptop only has to know who may come.
write_config laptop desktop "$desktop"
start laptop
write_config desktop laptop "$laptop" "127.0.0.1:$port"
start desktop

cp "$here"/demo/*.json "$home/laptop/contacts/"
echo "copied $(ls "$here"/demo/*.json | wc -l) files into the laptop's directory; waiting for the desktop …"
ask laptop rescan personal >/dev/null || fail "the laptop cannot look at its files"
equal || fail "the two sides are not equal: $(cat "$home/reason")"

for side in laptop desktop; do
    echo
    echo "=== $side: $home/$side/contacts"
    ls "$home/$side/contacts"
    echo
    ask "$side" status || true
done
echo
echo "Both hold the same contacts. Ana came twice, with her number written in two ways, and is one now;"
echo "broken.json is reported, stays as it is, and goes nowhere."

[ -z "${ONCE:-}" ] || exit 0

cat <<END

Try in another terminal, and watch the other directory:
  cd $home
  export PATH=$bin:\$PATH
  contactsync --config desktop/config.toml list personal
  contactsync --config laptop/config.toml add personal --name "Mia Lund" --phone "+45 32 12 34 56"
  rm "laptop/contacts/zoe.json"                   # gone on both; take it back with
  contactsync --config desktop/config.toml restore personal "Zoë Lefèvre"
  edit any file on both sides, repair broken.json, or stop with Ctrl-C here.
END
# A wait that signals end at once; a plain sleep would hold them up.
wait "${pids[@]}"
