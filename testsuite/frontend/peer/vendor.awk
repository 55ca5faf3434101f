# Statements with AMD's instructions, legal and not, one per line; used by vendor_peer_test.sh, which gives the stems
# of their mnemonics. Every possible type, modifier, number and size of operands, and literal is tried.

function emit(text) { print text ";" }
function kind(type) { return type ~ /64/ ? "d" : "s" }
function vector(mnemonic_part) { return mnemonic_part > 1 ? "_v" mnemonic_part : "" }

function regs(count, size, first,    k, text) {
    for (k = 0; k < count; k++)
        text = text (k ? ", $" : "$") size (first + k)
    return count > 1 ? "(" text ")" : text
}

# Registers of both sizes in every order.
function sizes(mnemonic, count,    i, k, text) {
    for (i = 0; i < 2 ^ count; i++) {
        text = ""
        for (k = 0; k < count; k++)
            text = text (k ? ", " : " ") (int(i / 2 ^ k) % 2 ? "$d" : "$s") k
        emit(mnemonic text)
    }
}

function literals(mnemonic, count,    at, l, k, text) {
    for (at = 0; at < count; at++)
        for (l = 1; l <= literal_count; l++) {
            text = ""
            for (k = 0; k < count; k++)
                text = text (k ? ", " : " ") (k == at ? literal[l] : "$" kind(mnemonic) k)
            emit(mnemonic text)
        }
}

function plain(stem, count,    other, t, m) {
    for (other = count > 0 ? count - 1 : 0; other <= count + 1; other++) {
        sizes(stem, other)
        if (other != count)
            sizes(stem "_u32", other)
    }
    for (t = 1; t <= type_count; t++) {
        sizes(stem "_" type[t], count)
        literals(stem "_" type[t], count)
        for (m = 1; m <= modifier_count; m++) {
            emit(stem modifier[m] "_" type[t] " " substr(regs(count + 1, "s", 0), 2, 5 * count - (count > 0) - 1))
            emit(stem modifier[m] "_" type[t] " " substr(regs(count + 1, "d", 0), 2, 5 * count - (count > 0) - 1))
        }
    }
}

function memory(stem,    s, t, r, m, v) {
    for (s = 0; s <= segment_count; s++)
        for (t = 1; t <= type_count; t++) {
            for (r = 0; r < 4; r++)
                emit(stem segment[s] "_" type[t] " $" (r % 2 ? "d" : "s") "0, [$" (r > 1 ? "d" : "s") "1]")
            for (m = 1; m <= access_count; m++)
                emit(stem segment[s] access[m] "_" type[t] " $" kind(type[t]) "0, [$s1]")
            for (v = 2; v <= 4; v++)
                emit(stem "_v" v segment[s] "_" type[t] " " regs(v, kind(type[t]), 2) ", [$s1+4]")
            emit(stem segment[s] "_" type[t] " 1, [4]")
            emit(stem segment[s] "_" type[t] " 1.0f, [4]")
            emit(stem segment[s] "_rlx_wg_" type[t] " $s0, [4]")
        }
}

function atomic(stem, returns,    o, s, t, n, c, head, first, r) {
    for (o = 1; o <= operation_count; o++)
        for (s = 0; s <= segment_count; s++)
            for (t = 1; t <= type_count; t++) {
                n = order[1 + (o + s) % order_count] "_" scope[1 + (t + s) % scope_count]
                r = "$" kind(type[t])
                head = stem "_" operation[o] segment[s]
                first = returns ? r "0, " : ""
                emit(head "_" n "_" type[t] " " first "[$s1], " r "2")
                emit(head "_" n "_" type[t] " " first "[$d1], " r "2")
                emit(head "_" n "_equiv(3)_" type[t] " " first "[$s1], " r "2")
                emit(head "_" n "_" type[t] " " first "[$s1], 1.0f")
                emit(head "_" n "_" type[t] " " first "[$s1], 1")
                emit(head "_" n "_" type[t] " " first "[$s1]")
                emit(head "_" n "_" type[t] " " first "[$s1], " r "2, " r "3")
                emit(head "_" type[t] " " first "[$s1], " r "2")
            }
    for (o = 1; o <= order_count; o++)
        for (s = 1; s <= scope_count; s++)
            for (t = 1; t <= 2; t++)
                emit(stem (t == 1 ? "_add" : "_max") "_group_" order[o] "_" scope[s] "_f32 " (returns ? "$s0, " : "") \
                     "[$s1], $s2")
}

function image(stem, what, g, i, t, c, v,    text, k) {
    text = stem vector(v) "_" geometry[g] (v % 3 == g % 3 ? "_equiv(3)" : "") "_" type[t] "_" access_type[i] "_" \
           type[c] " " regs(v, kind(type[t]), 0) ", $d1, "
    if (what ~ /^rd/)
        text = text "$d2, "
    text = text regs(dimensions[g], kind(type[c]), 4) ", "
    if (what == "rdimagegrad") {
        for (k = 1; k <= 2; k++) {
            emit(text regs(gradients[g], k > 1 ? "d" : "s", 8) ", " regs(gradients[g], k > 1 ? "d" : "s", 11))
            emit(text regs(dimensions[g], k > 1 ? "d" : "s", 8) ", " regs(dimensions[g], k > 1 ? "d" : "s", 11))
        }
        if (gradients[g] == 1) {
            emit(text "1, 1")
            emit(text "1.0f, 1.0f")
        }
    } else {
        emit(text "$s9"); emit(text "$d9"); emit(text "1"); emit(text "1.0f"); emit(text "WAVESIZE")
    }
}

function images(stem, what,    g, i, t, c, v) {
    for (g = 1; g <= geometry_count; g++)
        for (i = 1; i <= 3; i++)
            for (t = 1; t <= type_count; t++)
                for (c = 1; c <= type_count; c++)
                    for (v = 1; v <= 4 && type[t] ~ /^([usf]32|f16)$/ && type[c] ~ /^([usf]32|u64)$/; v++)
                        if (v % 3 == 1 || (g + i + t + c) % 5 == 0)
                            image(stem, what, g, i, t, c, v)
}

function queries(stem,    g, q, t, i) {
    for (g = 1; g <= geometry_count; g++)
        for (q = 1; q <= query_count; q++)
            for (t = 1; t <= type_count; t++)
                for (i = 1; i <= 3; i++)
                    emit(stem "_" geometry[g] "_" query[q] "_" type[t] "_" access_type[i] " $" kind(type[t]) "0, $d1")
}

function mqsad4(stem,    i, v) {
    for (i = 0; i < 16; i++)
        emit(stem (i > 7 ? "_b32 " : " ") regs(4, i % 2 ? "s" : "d", 0) ", $" (int(i / 2) % 2 ? "s" : "d") "4, $" \
             (int(i / 4) % 2 ? "s" : "d") "10, ($s4, $s5, $s6, 1)")
    for (v = 2; v <= 3; v++)
        emit(stem " " regs(v, "s", 0) ", $d4, $s10, " regs(v, "s", 4))
    emit(stem " $q0, $d4, $s10, $q1")
    emit(stem " " regs(4, "s", 0) ", 1, 1, ($s4, $s5, $s6, WAVESIZE)")
}

BEGIN {
    type_count = split("u32 s32 b32 f32 u64 s64 b64 f64 f16 u8 s8 b8 u16 s16 b16 b128 b1 u8x4 s16x2 f16x2 f32x2 sig32 roimg", \
                       type, " ")
    modifier_count = split("_ftz _near _zero _up _ftz_near _sat _pp _ftz_pp _near_pp_sat _s", modifier, " ")
    literal_count = split("1 -1 1.0f 1.0 1.0h WAVESIZE u8x4(1,2,3,4) b32(1) f32(1.0f) 4294967296", literal, " ")
    segment[0] = ""
    segment_count = split("_region _global _group _flat _private _readonly _kernarg", segment, " ")
    segment[0] = ""
    access_count = split("_align(4) _const _equiv(2) _width(all) _width(64) _nt _align(16)_equiv(3) _equiv(256)", access, " ")
    operation_count = split("add sub min max and or xor exch cas ld st wrapinc wrapdec", operation, " ")
    order_count = split("rlx scacq screl scar", order, " ")
    scope_count = split("wave wg agent system workitem", scope, " ")
    geometry_count = split("1d 2d 3d 1da 2da 1db 2ddepth 2dadepth", geometry, " ")
    split("1 2 3 2 3 1 2 3", dimensions, " ")
    split("1 2 3 1 2 1 2 2", gradients, " ")
    split("roimg woimg rwimg", access_type, " ")
    query_count = split("width height depth array channelorder channeltype nummiplevels geometry", query, " ")
    others = "madu mads max3 min3 med3 msad qsad mqsad sadw sadd frexp_exp frexp_mant sleep priority region_alloc"
    split("4 4 4 4 4 4 4 4 4 4 2 2 1 1 1", numbers, " ")
    for (k = split(others, names, " "); k > 0; k--)
        count_of["amd_gcn_" names[k]] = numbers[k]
    count_of["amd_dg_groupstaticsize"] = count_of["amd_dg_grouptotalsize"] = 1
}

/^amd_[a-z]+$/ { next } # an extension's name, not a mnemonic's

{
    what = $1
    sub(/^amd_[a-z]*_/, "", what)
    if (what ~ /^(ld|st|atomic_append|atomic_consume)$/)
        memory($1)
    else if (what ~ /^atomic/)
        atomic($1, what == "atomic")
    else if (what == "queryimage")
        queries($1)
    else if ($1 ~ /^amd_mipmap/)
        images($1, what)
    else if (what == "mqsad4")
        mqsad4($1)
    else
        plain($1, $1 in count_of ? count_of[$1] : 3)
}
