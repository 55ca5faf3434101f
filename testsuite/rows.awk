# Prints rows of the checklist that lack a test: awk -f rows.awk rows.txt TEST... Each row of the first file has an id,
# and needs two kinds of tests that name this id:
#   a good one, which must be accepted: a case (a line that begins with ==) that expects `ok`, or the comment that
#   heads a file of a folder good/ or prm/;
#   a bad one, which must be refused or get a warning: a case that expects anything else, or a heading in a folder bad/.
# A row whose text ends in `[elsewhere: ...]` cannot be tested in this way; any heading or case that names it suffices.
# A row that ends in `[good: ...]` has nothing to refuse. A range A27-A33 names all rows from the first to the last.
# If a file of rows EXECUTED(id, ...) is among the tests, rows of A, M, B, P and C must be listed there, too, which
# means that a test has dispatched a kernel that executes them.
FNR == 1 {
    files++
    heading = 1
    kind = FILENAME ~ /\/(good|prm)\// ? "good" : FILENAME ~ /\/bad\// ? "bad" : "any"
}

files == 1 {
    if (!/^#/ && NF) {
        ids[++rows] = $1
        text[$1] = $0
    }
    next
}

/^#include/ || /^[^ \t#*\/]/ { heading = 0 }

function name(id, how) {
    named[id, how] = 1
    named[id, "any"] = 1
}

function name_all(rest, how,    before, previous, id, between, n) {
    before = ""
    while (match(rest, /[SAMGBCPQR][0-9]+/)) {
        previous = RSTART > 1 ? substr(rest, RSTART - 1, 1) : " "
        id = substr(rest, RSTART, RLENGTH)
        between = substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (previous ~ /[A-Za-z0-9_$]/ || rest ~ /^[A-Za-z0-9_]/) {
            before = ""
            continue
        }
        name(id, how)
        if (between == "-" && substr(before, 1, 1) == substr(id, 1, 1))
            for (n = substr(before, 2) + 0; n <= substr(id, 2) + 0; n++) {
                name(substr(id, 1, 1) n, how)
                name(substr(id, 1, 1) sprintf("%02d", n), how)
            }
        before = id
    }
}

heading { name_all($0, kind) }

/^== / {
    verdict = $0
    sub(/^[^:]*: */, "", verdict)
    rest = $0
    sub(/:.*/, "", rest)
    name_all(rest, verdict == "ok" ? "good" : "bad")
}

/^EXECUTED(_BY)?\(/ {
    lists = 1
    rest = $0
    sub(/^[^(]*\(/, "", rest)
    sub(/,.*/, "", rest)
    executed[rest] = 1
}

END {
    if (!rows) {
        print "no rows" >"/dev/stderr"
        exit 1
    }
    for (i = 1; i <= rows; i++) {
        id = ids[i]
        elsewhere = text[id] ~ /\[elsewhere: .*\]$/
        if (elsewhere && !((id, "any") in named))
            print text[id] ": no test"
        if (!elsewhere && !((id, "good") in named))
            print text[id] ": no good case"
        if (lists && id ~ /^[AMBPC]/ && !(id in executed))
            print text[id] ": no kernel that executes it"
        if (!elsewhere && text[id] !~ /\[good: .*\]$/ && !((id, "bad") in named))
            print text[id] ": no bad case"
    }
}
