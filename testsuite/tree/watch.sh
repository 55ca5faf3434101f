# Tests testsuite/watch.sh, under which every test runs: with commands that end, and with one that never does.
. "$srcdir/testsuite/tap.sh"
watch() { ${SHELL:-sh} "$srcdir/testsuite/watch.sh" "$@"; }
unset TEST_DEADLINE

expect_status 3 "a command's status is passed on" watch 100 sh -c 'exit 3'
echo input | watch 100 cat >"$work/copy"
check "as are its input and output" test "$(cat "$work/copy")" = input
expect_status 0 "0 s are no limit" watch 0 true
watch 100 sleep 5.1 >"$work/said"
check "how long a command took is said if it was long" grep -q '^# took [5-9] s$' "$work/said"
check "a command that would begin too late is skipped" \
    test "$(TEST_DEADLINE=1000000000 watch 100 echo begun)" = "1..0 # SKIP no time is left for it"
check "others are not" test "$(TEST_DEADLINE=9999999999 watch 100 echo begun)" = begun

expect_status 137 "a command that does not end is killed" watch 1 sh -c 'sleep 4321; true'
mv "$work/.out" "$work/said"
check "and said to have hung" grep -qxF "Bail out! sh -c sleep 4321; true has not ended after 1 s" "$work/said"
check "with each of its processes" grep -q '^# process [0-9]*: sleep 4321' "$work/said"
check "and what its threads did" grep -Eq '^# thread [0-9]+: .*(wait|sleep)' "$work/said"
left=$(sed -n 's/^# process \([0-9]*\): sleep 4321.*/\1/p' "$work/said")
ended() { # process: or only its parent has not noticed that it has ended
    grep -q '^State:.*zombie' "/proc/$1/status" 2>/dev/null || test ! -e "/proc/$1"
}
tries=0
until ended "$left" || [ "$tries" -eq 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
check "nothing of it is left" ended "$left"
tap_done
