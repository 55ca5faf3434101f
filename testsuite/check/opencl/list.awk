# SPDX-License-Identifier: MIT
# Lists the kernels of an OpenCL file of the corpus, one on each line: the name, the line marked HERE and the id that
# the mark names, or two dashes. A mark in a function counts for the first wrong kernel after the function.
/^kernel void / {
    report()
    split($3, parts, "(")
    name = parts[1]
    if (name ~ /^wrong/ && waiting) {
        line = waiting
        id = waiting_id
        waiting = 0
    }
    inside = 1
}
/^}/ { inside = 0 }
/\/\/ HERE / && inside { line = FNR; id = $NF }
/\/\/ HERE / && !inside { waiting = FNR; waiting_id = $NF }
END { report() }
function report() {
    if (name)
        print name, line ? line : "-", line ? id : "-"
    name = ""
    line = 0
}
