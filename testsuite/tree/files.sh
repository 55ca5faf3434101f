# Lists of the tree's own files, for the checks of this folder. This file is sourced, not run. Build trees that are
# inside the checkout, and sources that tools generate into it, are left out.
#   tree_files PATTERN...    prints the files whose names match, as paths below $srcdir
srcdir=$(cd "$srcdir" && pwd) || exit 99 # a test may change its directory
tree_folders="support brig frontend finalizer runtime tools include examples bench testsuite contrib"

tree_files() {
    tree_expression=
    for tree_pattern; do
        tree_expression="$tree_expression ${tree_expression:+-o} -name $tree_pattern"
    done
    (
        cd "$srcdir" || exit 1
        set -f
        # shellcheck disable=SC2086 # one argument per folder and per word of the expression
        for tree_folder in $tree_folders; do
            [ -d "$tree_folder" ] && find "$tree_folder" -type f '(' $tree_expression ')' \
                ! -name lexer.c ! -name parser.c ! -name parser.h
        done
    ) | LC_ALL=C sort
}

# check_quiet NAME COMMAND...: ok if the command prints nothing; what it prints is what is wrong.
check_quiet() {
    tree_name=$1
    shift
    "$@" >"$work/.out" 2>&1
    [ ! -s "$work/.out" ]
    report $? "$tree_name"
}
