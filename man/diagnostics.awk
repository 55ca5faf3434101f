# hsail-diagnostics(7) from brig/tables/diag.def: prints a subsection for each comment that heads a stage, and an entry
# for each row. Rows are calls of one macro with string literals, which may go on over several lines.
BEGIN {
    print ".\\\" SPDX-License-Identifier: MIT"
    print ".\\\" Made from the table of diagnostics."
    print ".Dd November 21, 2026"
    print ".Dt HSAIL-DIAGNOSTICS 7"
    print ".Os"
    print ".Sh NAME"
    print ".Nm hsail-diagnostics"
    print ".Nd what is reported about HSAIL and BRIG"
    print ".Sh DESCRIPTION"
    print "A report about HSAIL text or BRIG ends with an id in brackets."
    print "The id of a rule never changes from one release to the next, and"
    print ".Xr hsailasm 1"
    print "switches warnings on and off by their ids."
    print "Lint warnings are about what is legal but probably not meant; they are off unless"
    print ".Fl -lint"
    print "or"
    print ".Fl W"
    print "asks for them."
    print "This page says for each id how severe it is, which section of the HSA"
    print "Programmer's Reference Manual (PRM) has the rule, and what the rule is."
}

function fail(why)
{
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

# Split the row into fields: the words and, without quotes and escapes, the strings between its commas.
function split_row(    at, letter, field, quoted, escape)
{
    split("", fields)
    field = 1
    for (at = index(row, "(") + 1; at <= length(row); at++) {
        letter = substr(row, at, 1)
        if (escape) {
            fields[field] = fields[field] letter
            escape = 0
        } else if (quoted && letter == "\\")
            escape = 1
        else if (letter == "\"")
            quoted = !quoted
        else if (quoted)
            fields[field] = fields[field] letter
        else if (letter == ",")
            field++
        else if (letter == ")")
            return at == length(row) ? field : 0
        else if (letter != " ")
            fields[field] = fields[field] letter
    }
    return -1
}

# Filled text of at most 78 columns, no line of which begins as a request would.
function fill(text,    count, words, i, line)
{
    gsub(/\\/, "\\e", text)
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        if (line != "" && length(line) + length(words[i]) >= 78) {
            print line
            line = ""
        }
        line = line == "" ? words[i] : line " " words[i]
        if (line ~ /^[.']/)
            line = "\\&" line
    }
    print line
}

/^\/\* ---- / {
    heading = $0
    sub(/^\/\* -+ /, "", heading)
    sub(/ -+ \*\/$/, "", heading)
    sub(/\),.*/, ")", heading)
    next
}

/^DIAG\(/ { row = "" }
/^DIAG\(/ || row != "" {
    sub(/^ +/, "")
    row = row == "" ? $0 : row " " $0
    count = split_row()
    if (count < 0)
        next
    if (count != 6 || fields[3] == "" || fields[6] == "")
        fail("this row is not understood")
    row = ""
    if (heading != "") {
        if (rows)
            print ".El"
        print ".Ss " heading
        print ".Bl -tag -width Ds"
        heading = ""
    }
    print ".It Cm " fields[3]
    fill(toupper(substr(fields[2], 1, 1)) tolower(substr(fields[2], 2)) \
         (fields[5] != "" ? ", PRM " fields[5] "." : "."))
    fill(fields[6])
    rows++
}

END {
    if (failed)
        exit 1
    if (row != "" || !rows)
        fail("the table ends inside a row, or has none")
    print ".El"
    print ".Sh SEE ALSO"
    print ".Xr hsailasm 1"
}
