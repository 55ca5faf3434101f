# SPDX-License-Identifier: MIT
# Functions of the public headers of HSA that no test names: awk -f api.awk HEADER... TEST...
FILENAME ~ /include\/hsa\// {
    line = $0
    while (match(line, /(^|[^a-z_0-9])hsam?_[a-z0-9_]+\(/)) {
        name = substr(line, RSTART, RLENGTH - 1)
        sub(/^[^h]*/, "", name)
        if (line ~ /^HSA_API/ || wanted) # a declaration, not a comment or a pointer in a table
            declared[name] = 1
        line = substr(line, RSTART + RLENGTH)
        wanted = 0
    }
    if (/^HSA_API[^(]*$/)
        wanted = 1
    next
}
{
    line = $0
    while (match(line, /hsam?_[a-z0-9_]+/)) {
        named[substr(line, RSTART, RLENGTH)] = 1
        line = substr(line, RSTART + RLENGTH)
    }
}
END {
    for (name in declared) {
        total++
        if (!(name in named) && name != "hsam_agent_driver_init") {
            missing++
            print name
        }
    }
    if (missing)
        printf "%d of %d functions are named by no test\n", missing, total > "/dev/stderr"
}
