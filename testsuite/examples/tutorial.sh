# Runs doc/TUTORIAL.md: every block of commands, in order, in one folder. A block of text after it must be what the
# commands print, and a block of HSAIL must be in the file that it names.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
srcdir=$(cd "$srcdir" && pwd) || exit 99
tools=$(cd "$builddir" && pwd) || exit 99
PATH=$tools:$PATH
export srcdir PATH

# The blocks as files N.sh, N.text (the output of N.sh) and N.hsail (with the file's name on the first line).
mkdir "$work/blocks" "$work/play" && awk -v folder="$work/blocks" '
    /^```(sh|hsail [a-z.]+)$/ { kind = substr($1, 4); file = sprintf("%s/%02d.%s", folder, ++count, kind)
                                if (kind == "hsail") print $2 >file; next }
    /^```text$/ { file = sprintf("%s/%02d.text", folder, count); next }
    /^```$/ { if (file) close(file); file = ""; next }
    file { print >file }' "$srcdir/doc/TUTORIAL.md"
cd "$work/play" || exit 99

block() { # number: runs it and compares its output where the tutorial shows one
    sh -eu "$work/blocks/$1.sh" >"$work/shown" 2>"$work/messages" || {
        cat "$work/shown" "$work/messages"
        return 1
    }
    [ ! -e "$work/blocks/$1.text" ] || diff "$work/blocks/$1.text" "$work/shown"
}

excerpt() { # number: the file contains its lines, together and in order
    awk 'NR == FNR { if (FNR > 1) want[++n] = $0; next }
         { at = $0 == want[at + 1] ? at + 1 : $0 == want[1]; if (at == n) { found = 1; exit } }
         END { exit !found }' "$work/blocks/$1.hsail" "$srcdir/doc/tutorial/$(head -n 1 "$work/blocks/$1.hsail")"
}

for file in "$work"/blocks/*.sh "$work"/blocks/*.hsail; do
    number=$(basename "${file%.*}")
    case $file in
    *.sh) check "block $number runs: $(head -n 1 "$file")" block "$number" ;;
    *) check "block $number is in $(head -n 1 "$file")" excerpt "$number" ;;
    esac
done
tap_done
