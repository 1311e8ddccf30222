# To be sourced, as root: boots systemd in namespaces of its own (processes, mounts, network, control groups), as a
# container does, and leaves nothing of it behind. Nothing of the machine's own systemd is touched, if it has one.
#
#   boot COMMAND...     COMMAND makes the root file system in $root, inside the new mount namespace
#   inside COMMAND...   runs something there
#   check SENTENCE COMMAND...   runs something there until it succeeds, at most 30 s, or ends the script
#   halt

[ -n "${work:-}" ] || work=$(mktemp -d /tmp/contactsync-systemd.XXXXXX)
root=$work/root
control_group=contactsync-test.$$
init=

# The hierarchies in which systemd keeps its units.
control_groups() { awk '$3 == "cgroup2" || $3 == "cgroup" && $4 ~ /name=systemd/ { print $2 }' /proc/mounts; }

boot() {
    mkdir "$root"
    for hierarchy in $(control_groups); do
        mkdir "$hierarchy/$control_group" || return 1
    done
    (
        for hierarchy in $(control_groups); do echo "$BASHPID" >"$hierarchy/$control_group/cgroup.procs" || exit 1; done
        export root work
        export -f make_root start_init "$@"
        make=$1
        export make
        exec unshare --fork --kill-child --pid --mount --uts --ipc --net --cgroup --propagation private \
            bash -euo pipefail -c make_root </dev/null >"$work/console" 2>&1
    ) &
    outer=$!
    for _ in $(seq 300); do
        init=$(pgrep --parent "$outer" --oldest || true)
        [ -n "$init" ] && [ "$(cat "/proc/$init/comm" 2>/dev/null)" = systemd ] &&
            inside systemctl is-system-running 2>/dev/null | grep --quiet 'running\|degraded' && return 0
        kill -0 "$outer" 2>/dev/null || break
        sleep 0.1
    done
    return 1
}

make_root() {
    "$make"
    hostname contactsync-test
    mountpoint --quiet "$root/proc" || mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null zero full random urandom tty; do
        touch "$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    start_init
}

# Not by chroot, in which nobody may have user namespaces.
start_init() {
    cd "$root"
    pivot_root . .
    umount --lazy .
    exec env --ignore-environment container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --unit=basic.target --log-target=journal --show-status=no
}

inside() { nsenter --target "$init" --all env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

check() {
    local sentence=$1 said end=$((SECONDS + 30))
    shift
    while [ "$SECONDS" -lt "$end" ]; do
        if said=$(inside timeout 10 "$@" 2>&1); then
            echo "  $sentence"
            return
        fi
        sleep 0.5
    done
    echo "FAILED: $sentence: $said" >&2
    inside journalctl --no-pager --unit=contactsync --lines=20 >&2 || true
    exit 1
}

halt() {
    [ -z "$init" ] || kill -KILL "$init" 2>/dev/null || true
    wait 2>/dev/null || true
    for hierarchy in $(control_groups); do
        find "$hierarchy/$control_group" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done
    rm -rf --one-file-system "$work"
}
trap halt EXIT
