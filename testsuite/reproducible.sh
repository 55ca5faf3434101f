# Whether two builds install the same bytes; `make check-reproducible` runs this, since it takes two whole builds. They
# differ in directory, path to the sources, umask, locale, time zone, number of jobs, home and SOURCE_DATE_EPOCH.
# The files of the checkout, committed or not, or those of the tarball are built. REPRODUCIBLE_CONFIGURE in the
# environment has further options for configure.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
builddir=$(cd "$builddir" && pwd) || exit 99
one=$work/a
other=$work/a-directory-with-a-much-longer-name-than-the-other-one
mkdir -p "$one" "$other"
unset MAKEFLAGS MFLAGS MAKELEVEL

sources() { # directory: a copy of what is built
    if git -C "$srcdir" rev-parse --git-dir >/dev/null 2>&1; then
        (cd "$srcdir" && git ls-files -z | tar --null -T - -cf -) | tar -xf - -C "$1" && (cd "$1" && autoreconf -fi)
    else
        make -C "$builddir" distdir distdir="$1" am__remove_distdir=:
    fi
}

# Both are copied before either is built, so that work in the checkout may go on.
copies() {
    (umask 022 && sources "$one") && (umask 077 && sources "$other")
}

# The one as most people build, the other as unlike it as can be.
build_one() {
    unset SOURCE_DATE_EPOCH
    umask 022
    export LC_ALL=C TZ=UTC
    mkdir "$one/build" && cd "$one/build" &&
        # shellcheck disable=SC2086 # options
        ../configure -q --enable-static CC="${TEST_CC#ccache }" $REPRODUCIBLE_CONFIGURE &&
        make -s -j1 && make -s install DESTDIR="$one/installed"
}

build_other() {
    umask 077
    export SOURCE_DATE_EPOCH=1000000000 LC_ALL=C.UTF-8 TZ=Asia/Kathmandu HOME="$other/home"
    mkdir "$other-objects" && cd "$other-objects" &&
        # shellcheck disable=SC2086 # options
        "$other/configure" -q --enable-static CC="${TEST_CC#ccache }" $REPRODUCIBLE_CONFIGURE &&
        make -s -j3 && make -s install DESTDIR="$other/installed"
}

list() { # directory: its files with their modes, and links with what they point to
    (cd "$1/installed" && find . -type l -printf '%p -> %l\n' -o -type f -printf '%p %m\n') | LC_ALL=C sort
}

same_files() {
    list "$one" >"$work/one.list"
    list "$other" >"$work/other.list"
    grep -q libhsa-runtime64.a "$work/one.list" && diff "$work/one.list" "$work/other.list"
}

same_bytes() {
    differ=0
    files=0
    while read -r file _; do
        files=$((files + 1))
        cmp "$one/installed/$file" "$other/installed/$file" || differ=$((differ + 1))
    done <"$work/one.list"
    echo "# $files files, $differ differ" >&3
    [ $files -gt 50 ] && [ $differ -eq 0 ]
}

# If names of the directory are in the files, debuggers and messages would show them.
no_directory() {
    ! grep -rlF "$work" "$one/installed" "$other/installed"
}

export CCACHE_DISABLE=1
check "the sources are copied" copies
check "one build" build_one
check "another build, elsewhere and under other circumstances" build_other
exec 3>&1
check "both install the same files" same_files
check "with the same bytes" same_bytes
check "and without the directory in them" no_directory
tap_done
