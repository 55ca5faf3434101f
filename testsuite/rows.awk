# Rows of the checklist that no test names: awk -f rows.awk rows.txt TEST... Each row of the first file is known by its
# id. In the tests, ids count in names of cases (lines that begin with ==) and in the comment that heads a file:
# from its first line to the first line of code. A range A27-A33 names all rows from one to the other.
FNR == 1 {
    files++
    heading = 1
}

files == 1 {
    if (!/^#/ && NF) {
        ids[++rows] = $1
        text[$1] = $0
    }
    next
}

/^#include/ || /^[^ \t#*\/]/ { heading = 0 }

heading || /^== / {
    rest = $0
    sub(/:.*/, "", rest)
    if (heading)
        rest = $0
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
        named[id] = 1
        if (between == "-" && substr(before, 1, 1) == substr(id, 1, 1))
            for (n = substr(before, 2) + 0; n <= substr(id, 2) + 0; n++) {
                named[substr(id, 1, 1) n] = 1
                named[substr(id, 1, 1) sprintf("%02d", n)] = 1
            }
        before = id
    }
}

END {
    if (!rows) {
        print "no rows" >"/dev/stderr"
        exit 1
    }
    for (i = 1; i <= rows; i++)
        if (!(ids[i] in named))
            print text[ids[i]]
}
