# Checks that each part includes only what the matrix of layers in doc/ARCHITECTURE.md allows.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

# layer | the first folders of the headers that it may include. `hsail` and `hsa` are folders of include/.
cat >"$work/matrix" <<'END'
support        support
brig           support brig hsail
frontend       support brig frontend hsail
finalizer      support brig finalizer hsail hsa llvm-c
runtime        support runtime hsa llvm-c
tools          support tools hsail hsa
include/hsail  hsail brig
include/hsa    hsa
include/hsa-1.0p hsa-1.0p
examples       hsail hsa
bench          bench support brig frontend finalizer runtime hsail hsa
testsuite      testsuite support brig frontend finalizer runtime hsail hsa hsa-1.0p llvm-c
END

# For each include: file, header, and the mark (" or <) before the header's name.
includes() {
    for file in $(tree_files '*.[ch]' '*.re' '*.y' '*.def'); do
        sed -n 's/^[ \t]*#[ \t]*include[ \t]*\([<"]\)\([^>"]*\)[>"].*/\2 \1/p' "$srcdir/$file" | sed "s,^,$file ,"
    done
}
includes >"$work/includes"

forbidden() {
    awk -v matrix="$work/matrix" '
        BEGIN {
            while ((getline line < matrix) > 0) {
                count = split(line, word, " ")
                layer[word[1]] = 1
                for (i = 2; i <= count; i++) {
                    allowed[word[1], word[i]] = 1
                    known[word[i]] = 1
                }
            }
        }
        {
            count = split($1, part, "/")
            from = part[1] == "include" ? part[1] "/" part[2] : part[1]
            split($2, part, "/")
            if ($2 ~ /^brig\/tables\// && (from, "hsail") in allowed)
                next # the tables are public: they are installed with hsail/brig.h
            if (!(from in layer))
                print $1 ": its folder has no row in the matrix"
            else if (part[1] in known && $2 ~ /\// && !((from, part[1]) in allowed))
                print $1 ": includes " $2
        }' "$work/includes"
}
check_quiet "every include stays within its layer" forbidden

unrooted() { # a header of ours named without its folder
    tree_files '*.h' | sed 's,.*/,,' | LC_ALL=C sort -u >"$work/headers"
    awk -v headers="$work/headers" '
        BEGIN { while ((getline line < headers) > 0) ours[line] = 1; ours["config.h"] = 0 }
        $2 !~ /\// && $3 == "\"" && ours[$2] { print $1 ": includes " $2 " without its folder" }' "$work/includes"
}
check_quiet "includes are written from the top" unrooted

check_quiet "of brig, public headers include the tables only" \
    awk '$1 ~ /^include\// && $2 ~ /^brig\// && $2 !~ /^brig\/tables\/[a-z]+\.def$/ { print $1 ": includes " $2 }' \
    "$work/includes"

check_quiet "LLVM's headers are included by one private header in the finalizer, and one in the compiler of runtime/gcn" \
    awk '$2 ~ /^llvm/ && $1 !~ /^(testsuite\/.*|finalizer\/llvm\.h|runtime\/gcn\/jit\/llvm_headers\.h)$/ {
         print $1 ": includes " $2 }' "$work/includes"

check_quiet "of the compiler, the rest of the runtime includes what knows no LLVM" \
    awk '$2 ~ /^runtime\/gcn\/jit\// && $1 !~ /^(runtime\/gcn\/jit\/|testsuite\/)/ &&
         $2 !~ /^runtime\/gcn\/jit\/(jit|tier)\.h$/ { print $1 ": includes " $2 }' "$work/includes"

missing() { # headers in quotes with a folder that do not exist
    awk '$2 ~ /^(support|brig|frontend|finalizer|runtime|tools|testsuite|hsail|hsa)\// { print $1, $2 }' \
        "$work/includes" | while read -r file header; do
        [ -f "$srcdir/$header" ] || [ -f "$srcdir/include/$header" ] ||
            case $file,$header in
            *,frontend/parser.h | *,tools/report_page_text.h | *,runtime/gcn/jit/build_stamp.h) ;; # made by the build
            *,hsa/hsa*) ;; # tests also include the distribution's headers by these names
            *) echo "$file: no file $header" ;;
            esac
    done
}
check_quiet "included files are in the tree" missing

tap_done
