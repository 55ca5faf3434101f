# SPDX-License-Identifier: MIT
# Tests the directory in which compiled code is kept: it is used again as long as only its owner can have written it.
# Whether a file was used or made anew shows in its inode, as new files replace old ones by name.
. "$srcdir/testsuite/tap.sh"

program=$(cd "$builddir" && pwd)/testsuite/gcn/jit_test
cache=$work/cache
HSA_GCN_JIT_CACHE=$cache
HSA_GCN_JIT_MESSAGE=1
export HSA_GCN_JIT_CACHE HSA_GCN_JIT_MESSAGE
unset HSA_GCN_JIT_CACHE_SIZE

run() { "$program" brief >"$work/run" 2>&1 || { sed 's/^/# /' "$work/run"; return 1; }; }
if ! run || [ -z "$(ls "$cache" 2>/dev/null)" ]; then
    if [ -e "$HSA_GCN_JIT_WORKER" ] && ! grep -q 'SKIP' "$work/run"; then
        check "code is kept" false
    else
        skip "code is kept" "nothing is compiled here"
    fi
    tap_done
    exit
fi

files() { (cd "$cache" && ls -i ./*.code); }
some=$(ls "$cache"/*.code | head -1)
private() { [ "$(stat -c %a "$cache")" = 700 ] && [ -z "$(find "$cache" -type f ! -perm 600)" ]; }
complete() { [ -z "$(find "$cache" -type f ! -name '*.code')" ]; }
used() { files >"$work/before" && run && files | diff "$work/before" - ; }
# The file $some is made anew, and all others are used.
renewed() {
    files >"$work/before" && run && files >"$work/after"
    [ "$(diff "$work/before" "$work/after" | grep -c '^>')" = 1 ] && cmp "$some" "$work/good" && private
}
cp "$some" "$work/good"
half=$(($(wc -c <"$some") / 2))

damaged() { # at byte $1 of the file, which becomes another one
    printf '\252' | dd of="$some" bs=1 seek="$1" conv=notrunc 2>/dev/null
    ! cmp -s "$some" "$work/good" || printf '\125' | dd of="$some" bs=1 seek="$1" conv=notrunc 2>/dev/null
    renewed
}
truncated() { truncate -s "$1" "$some" && renewed; }
readable() { chmod 644 "$some" && renewed; }
linked() { rm "$some" && ln -s "$work/good" "$some" && renewed && [ ! -L "$some" ]; }
exchanged() { # the code of another unit under this name
    other=$(ls "$cache"/*.code | tail -1)
    cp "$other" "$some" && chmod 600 "$some" && renewed
}
shared() { # a directory where others may write
    chmod 770 "$cache" && damage_stays && chmod 700 "$cache" && renewed
}
damage_stays() {
    printf x >>"$some" && files >"$work/before" && run && files | diff "$work/before" - && ! cmp -s "$some" "$work/good"
}
left_over() { # by a process that was killed while it wrote, and by one that still writes
    touch -d yesterday "$cache/hsail-new.1.0" && touch "$cache/hsail-new.1.1" && rm "$some" && run &&
        [ ! -e "$cache/hsail-new.1.0" ] && rm "$cache/hsail-new.1.1" && complete
}
off() {
    HSA_GCN_JIT_CACHE=off HOME=$work/nobody XDG_CACHE_HOME=$work/none run && [ ! -e "$work/none" ] && [ ! -e "$work/nobody" ]
}
by_default() {
    mkdir -p "$work/xdg" && (unset HSA_GCN_JIT_CACHE && XDG_CACHE_HOME=$work/xdg run) &&
        [ "$(ls "$work/xdg/hsail" | wc -l)" = "$(ls "$cache" | wc -l)" ]
}
relative() { # to where the program runs; the worker goes elsewhere
    (cd "$work" && HSA_GCN_JIT_CACHE=here run) && [ "$(ls "$work/here" | wc -l)" = "$(ls "$cache" | wc -l)" ]
}
limited() { # to three quarters of what there is without a limit
    kib=$(($(cat "$cache"/*.code | wc -c) * 3 / 4 / 1024))
    HSA_GCN_JIT_CACHE_SIZE=$kib HSA_GCN_JIT_CACHE=$work/small run &&
        [ "$(cat "$work"/small/*.code | wc -c)" -le $((kib * 1024)) ] && [ -n "$(ls "$work/small")" ]
}

check "code is kept where only its owner can read it" private
check "files appear complete" complete
check "the next process uses it" used
check "another magic number is not used" damaged 0
check "damaged code is not used" damaged $half
check "a damaged digest is not used" damaged 30
check "a truncated file is not used" truncated $half
check "an empty file is not used" truncated 0
check "a file that others may read is not used" readable
check "a link is not used" linked
check "code of another unit is not used" exchanged
check "a directory where others may write is not used" shared
check "what was never completed is removed" left_over
check "HSA_GCN_JIT_CACHE=off keeps nothing" off
check "the default is a directory of the user's cache" by_default
check "the directory may be a relative one" relative
check "the directory stays within its limit" limited
tap_done
