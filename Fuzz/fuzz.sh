#!/bin/bash
# Searches for bytes that break a claim, each claim for its share of the minutes; what is new is kept in Fuzz/Corpora.
# usage: fuzz.sh PROGRAM MINUTES [CLAIM...]
set -u
cd "$(dirname "$0")"
program=$1
minutes=$2
shift 2
claims=("$@")
[ ${#claims[@]} -gt 0 ] || claims=(frames messages login pairing json cards requests runs)
seconds=$((minutes * 60 / ${#claims[@]}))
# Swift's own handler of crashes would end the process before libFuzzer has written what caused one.
export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1
failed=0
for claim in "${claims[@]}"; do
    export CLAIM=$claim
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "Corpora/$claim" "$work/new" "$work/least"
    echo "$claim: $seconds s"
    nice -n 10 "$program" "$work/new" "Corpora/$claim" -max_total_time="$seconds" -max_len=2048 -timeout=20 -report_slow_units=20 \
        -rss_limit_mb=4096 -dict=words.txt -artifact_prefix="Corpora/$claim/found-" -print_final_stats=1 \
        >"$work/log" 2>&1 || failed=1
    grep -E '^stat::(number_of_executed_units|average_exec_per_sec|new_units_added)|Fatal error|SUMMARY|found-' "$work/log"
    grep -E 'cov: ' "$work/log" | tail -1
    # As few and as small files as reach the same places. What was found stays: a test replays it from now on.
    nice -n 10 "$program" -merge=1 -max_len=2048 -timeout=20 -artifact_prefix="$work/" "$work/least" "Corpora/$claim" "$work/new" >"$work/log" 2>&1 || {
        tail -3 "$work/log"
        failed=1
    }
    if [ -n "$(ls "$work/least")" ]; then
        find "Corpora/$claim" -type f ! -name 'found-*' -delete
        cp "$work/least/"* "Corpora/$claim/"
    fi
    rm -rf "$work"
    echo "$claim: $(find "Corpora/$claim" -type f | wc -l) files kept"
done
exit $failed
