# Makes files for editors from the tables of the language: awk -f contrib/fill.awk TABLE.def... TEMPLATE >OUTPUT
# In the template, @name@ stands for the words of a table, the longest first, with | between them:
#   @opcode@ @type@ @keyword@     the words of opcode.def, type.def and keyword.def
#   @modifier@                    the words between underscores after an opcode, except types
#   @SET@                         the words of the set SET of value.def
function fail(why)
{
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

function add(list, word)
{
    if (word == "" || (list, word) in known)
        return
    known[list, word] = 1
    words[list, ++count[list]] = word
}

function alternatives(list,    i, j, word, text)
{
    for (i = 2; i <= count[list]; i++) {
        word = words[list, i]
        for (j = i - 1; j >= 1 && length(words[list, j]) < length(word); j--)
            words[list, j + 1] = words[list, j]
        words[list, j + 1] = word
    }
    for (i = 1; i <= count[list]; i++)
        text = text (i > 1 ? "|" : "") words[list, i]
    return text
}

# A modifier is a word of a set, or a name with an argument. If a row names one bit, only the word of that bit counts.
function add_modifiers(    d, i, bit)
{
    for (d = 1; d <= dims; d++) {
        if (dim_spelling[d] != "WORD") {
            add("modifier", dim_text[d])
            continue
        }
        for (i = 1; i <= count[dim_set[d]]; i++) {
            bit = enumerator[dim_set[d], words[dim_set[d], i]]
            if (dim_mask[d] == "0" || dim_mask[d] == bit)
                add("modifier", words[dim_set[d], i])
        }
    }
}

{ template = FILENAME !~ /\.def$/ }

!template && /^[A-Z_]+\(/ {
    split($0, quoted, "\"")
    split($0, field, /[(,)] */)
    if (field[1] == "OP" || field[1] == "OP_VENDOR")
        add("opcode", quoted[2])
    else if (field[1] ~ /^TYPE(_ALONE)?$/)
        add("type", quoted[2])
    else if (field[1] == "KEYWORD")
        add("keyword", quoted[2])
    else if (field[1] == "VALUE" || field[1] == "FLAG") {
        add(field[2], quoted[2])
        enumerator[field[2], quoted[2]] = field[3]
    } else if (field[1] == "DIM" && field[5] != "TYPE" && field[4] != "VECTOR") {
        dim_text[++dims] = quoted[2]
        dim_spelling[dims] = field[4]
        dim_set[dims] = field[5]
        dim_mask[dims] = field[6]
    }
}

template {
    if (!filled++)
        add_modifiers()
    while (match($0, /@[A-Za-z_]+@/)) {
        list = substr($0, RSTART + 1, RLENGTH - 2)
        if (!count[list])
            fail("no words for @" list "@")
        $0 = substr($0, 1, RSTART - 1) alternatives(list) substr($0, RSTART + RLENGTH)
    }
    print
}

END {
    if (!failed && !filled)
        fail("no template")
}
