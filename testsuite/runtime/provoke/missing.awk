# SPDX-License-Identifier: MIT
# Documented statuses that no row provokes: awk -f missing.awk documented.txt ROWS.def...
FILENAME ~ /documented/ {
    for (i = 2; i <= NF && !/^#/; i++)
        documented[$1 " " $i] = 1
    next
}
match($0, /^(ASSEMBLED\()?[A-Z]+\(hsa_[a-z0-9_]+,( *[A-Z_]+,)?/) {
    row = substr($0, RSTART, RLENGTH)
    sub(/^ASSEMBLED\(/, "", row)
    split(row, part, /[(, ]+/)
    kind = part[1]
    name = part[2]
    if (kind == "GOOD")
        provoked[name " SUCCESS"] = 1
    if (kind == "GOOD" || kind == "DOWN")
        provoked[name " NOT_INITIALIZED"] = 1
    if (kind == "MEMORY")
        provoked[name " OUT_OF_RESOURCES"] = 1
    if (kind == "BAD" || kind == "EXT" || kind == "OTHER" || kind == "NEVER")
        provoked[name " " part[3]] = 1
}
END {
    for (pair in documented)
        if (!(pair in provoked))
            print pair | "sort"
}
