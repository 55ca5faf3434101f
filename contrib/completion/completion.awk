# SPDX-License-Identifier: MIT
# Makes shell completion from the option tables of the tools (rows of struct cli_option in tools/*.c).
#
#     awk -v shell=bash -f completion.awk tools/hsailasm.c tools/hsailrun.c ... >hsail
#
# Input: C sources, whose names are those of the commands. Output: a script for bash, or with -v shell=zsh for zsh.
# A row is {ID, 'letter' or 0, "name", "ARGUMENT" or NULL, "help"}, on one line or several.

function text(from) { # the C string literals of FROM, joined
    gsub(/"[ \t\n]*"/, "", from)
    sub(/^[^"]*"/, "", from)
    sub(/"[^"]*$/, "", from)
    gsub(/\\n/, " ", from)
    return from
}

function add(row, letter, part, argument) {
    letter = match(row, /'.'/) ? substr(row, RSTART + 1, 1) : ""
    sub(/^[^"]*/, "", row)
    match(row, /^"[^"]*"/)
    part = substr(row, 2, RLENGTH - 2)
    row = substr(row, RLENGTH + 1)
    argument = row ~ /^, *NULL/ ? "" : row
    if (argument != "") {
        sub(/^, */, "", row)
        match(row, /^"[^"]*"/)
        argument = substr(row, 2, RLENGTH - 2)
        row = substr(row, RLENGTH + 1)
    } else
        sub(/^, *NULL/, "", row)
    n = ++count[command]
    short[command, n] = letter
    long[command, n] = part
    takes[command, n] = argument
    help[command, n] = text(row)
}

FNR == 1 {
    command = FILENAME
    sub(/^.*\//, "", command)
    sub(/\.[ch]$/, "", command)
    commands[++total] = command
    row = ""
}
/^static const struct cli_option options\[\] = \{/ { inside = 1; next }
inside && /^};/ { inside = 0 }
inside {
    row = row $0
    if (row ~ /\},[ \t]*$/) {
        if (row ~ /\{OPT_/)
            add(row)
        row = ""
    }
}

function words(c, i, list) {
    list = "--help --version"
    for (i = 1; i <= count[c]; i++) {
        if (short[c, i] != "")
            list = list " -" short[c, i]
        list = list " --" long[c, i] (takes[c, i] == "" || takes[c, i] ~ /^\[/ ? "" : "=")
    }
    return list
}

function bash(t, c) {
    print "# Completion of the HSAIL tools for bash; made from their option tables.\n_hsail()\n{"
    print "    local word=${COMP_WORDS[COMP_CWORD]} options="
    print "    case ${COMP_WORDS[0]##*/} in"
    for (t = 1; t <= total; t++)
        print "    " commands[t] ") options='" words(commands[t]) "' ;;"
    print "    esac"
    print "    [[ $word != = ]] || word= # the words of --option=FILE are --option, = and FILE"
    print "    case $word in"
    print "    -*)"
    print "        compopt +o filenames # which would write \\= for ="
    print "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")"
    print "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace"
    print "        ;;"
    print "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;"
    print "    esac\n}"
    for (t = 1; t <= total; t++)
        list = list " " commands[t]
    print "complete -o filenames -F _hsail" list
}

function quoted(s) { # S as it is written inside '...' for zsh's _arguments
    gsub(/\\"/, "\"", s)
    gsub(/\\/, "\\\\", s)
    gsub(/\[/, "\\[", s)
    gsub(/\]/, "\\]", s)
    gsub(/:/, "\\:", s)
    gsub(/'/, "'\\''", s)
    return s
}

function zsh(t, c, i, both, argument) {
    list = "#compdef"
    for (t = 1; t <= total; t++)
        list = list " " commands[t]
    print list "\n# Completion of the HSAIL tools for zsh; made from their option tables."
    print "case $service in"
    for (t = 1; t <= total; t++) {
        c = commands[t]
        print c ")\n    _arguments -s \\"
        for (i = 1; i <= count[c]; i++) {
            argument = takes[c, i] == "" || takes[c, i] ~ /^\[/ ? "" : ":" quoted(takes[c, i]) ":_files"
            if (short[c, i] != "")
                print "        '-" short[c, i] "[" quoted(help[c, i]) "]" argument "' \\"
            print "        '--" long[c, i] (argument == "" ? "" : "=") "[" quoted(help[c, i]) "]" argument "' \\"
        }
        print "        '(- *)-h[print a summary of the options]' \\"
        print "        '(- *)--help[print a summary of the options]' '(- *)--version[print the version]' \\"
        print "        '*:file:_files'\n    ;;"
    }
    print "esac"
}

END {
    if (shell == "zsh")
        zsh()
    else
        bash()
}
