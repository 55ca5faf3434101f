# Random statements of HSAIL 1:0, legal or nearly so, one per line; used by peer_test.sh.
#   hsailasm --list | awk -v seed=1 -v count=100 -v what=instructions -f probe.awk
# Instructions are made from the rows of that list; `what` is `instructions`, for a body, or `declarations`, for the
# module level. Equal seeds give equal statements with any awk.

function below(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
function often(percent) { return below(100) < percent }
function one(text,    words, n) { n = split(text, words, " "); return words[1 + below(n)] }

BEGIN {
    FS = "\t"
    state = seed * 7919 + 1
    common = "u32 s32 u64 s64 f32 f64 f16 b32 b64 b1"
    packed = "u8x4 u8x8 u8x16 u16x2 u16x4 u16x8 u32x2 u32x4 u64x2 s8x4 s8x8 s8x16 s16x2 s16x4 s16x8 s32x2 s32x4 " \
             "s64x2 f16x2 f16x4 f16x8 f32x2 f32x4 f64x2"
    other = "u8 u16 s8 s16 b8 b16 b128 samp roimg woimg rwimg sig32 sig64"
    values["rounding"] = "up down zero near upi downi zeroi neari supi sdowni szeroi sneari upi_sat zeroi_sat neari_sat"
    values["packing"] = "pp ps sp ss s p pp_sat ps_sat ss_sat p_sat s_sat"
    values["comparison"] = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan seq sne slt sle sgt sge snum snan sltu"
    values["segment"] = "global readonly kernarg group private spill arg flat region"
    values["operation"] = "add and cas exch ld max min or st sub wrapdec wrapinc xor wait_eq wait_ne wait_lt " \
                          "wait_gte waittimeout_eq waittimeout_lt"
    values["memory order"] = "rlx scacq screl scar"
    values["memory scope"] = "work wave wg agent system"
    values["geometry"] = "1d 2d 3d 1da 2da 1db 2ddepth 2dadepth"
    values["vector"] = "v2 v3 v4"
    values["image query"] = "width height depth array channelorder channeltype nummiplevels"
    values["sampler query"] = "addressing coord filter"
    values["align"] = "1 2 4 8 16 32 128 256 3 0"
    values["equiv"] = "0 1 2 255 256"
    values["width"] = "1 2 4 64 all WAVESIZE 3 2147483648"
    symbols["global"] = "&g &ga &gb"; symbols["readonly"] = "&r"; symbols["kernarg"] = "%ka %kb"
    symbols["group"] = "%l %la"; symbols["private"] = "%p %pa"; symbols["spill"] = "%s"
    coordinates["1d"] = coordinates["1db"] = 1
    coordinates["2d"] = coordinates["1da"] = coordinates["2ddepth"] = 2
    coordinates["3d"] = coordinates["2da"] = coordinates["2dadepth"] = 3
}

{ row[++rows] = $2; operands[rows] = $3 == "-" ? "" : $3 }

function type() { return often(60) ? one(common) : often(62) ? one(packed) : one(other) }

function bits(t,    part) {
    if (split(t, part, "x") == 2)
        return substr(part[1], 2) * part[2]
    if (t ~ /^[usfb][0-9]/)
        return substr(t, 2) + 0
    return 64
}

function reg(t,    size) {
    size = bits(t)
    return "$" (often(4) ? one("c s d q") : size == 1 ? "c" : size <= 32 ? "s" : size <= 64 ? "d" : "q") below(8)
}

function plain(t) {
    if (t == "f16") return one("1.0h 0h3c00 65504.0h -1e-8h")
    if (t == "f32") return one("1.0f 0f3f800000 1e-45f 0x1p3f -2.5f")
    if (t == "f64") return one("1.0 1.0d 0d3ff0000000000000 -0x1.8p-1000 4e-324")
    if (t == "b1") return one("0 1")
    return one("0 1 7 31 -3 0x12 255 65535 077")
}

function elements(t, count,    text) {
    for (; count > 0; count--)
        text = text plain(t) (count > 1 ? "," : "")
    return text
}

function constant(t,    part) {
    if (often(10))
        return one("0 1 -1 300 4294967296 1.0f 1.0 1.0h u32(1) s32(-2) f32(1.0f) u8x4(1,2,3,4) u64(5) b32(1) -0.0f")
    if (t == "b128")
        return one("u64x2(1,2) f32x4(1.0f,2.0f,3.0f,4.0f)")
    if (split(t, part, "x") == 2)
        return t "(" elements(part[1], part[2]) ")"
    return plain(t)
}

function source(t,    chance) {
    chance = below(100)
    return chance < 60 ? reg(t) : chance < 93 ? constant(t) : "WAVESIZE"
}

function sources(t, count,    text) {
    for (; count > 0; count--)
        text = text source(t) (count > 1 ? "," : "")
    return "(" text ")"
}

function registers(t, count,    text) {
    for (; count > 0; count--)
        text = text reg(t) (count > 1 ? "," : "")
    return "(" text ")"
}

function address(segment,    kind, offset) {
    kind = segment ~ /^(flat|global|readonly|kernarg|)$/ ? "d" : "s"
    offset = one("0 +4 -8 +0 +2147483648 -1")
    if (offset == "0")
        offset = ""
    if (often(45) && symbols[segment] != "")
        return "[" one(symbols[segment]) "]" \
               (often(50) ? "" : often(50) ? "[" 4 * below(3) "]" : "[$" kind "1" offset "]")
    return often(90) ? "[$" kind below(4) offset "]" : one("[0] [-4] [+8] [&g] [%l] [%ka] [4294967296]")
}

# Adds one modifier, which the list names TEXT, to `mnemonic`.
function modifier(name, text) {
    if (name == "type" || name == "source type" || name == "coordinate type") {
        text = name == "coordinate type" ? one("u32 f32 s32") : type()
        if (mnemonic ~ /image/ && name == "source type" && often(90))
            text = one("roimg rwimg woimg")
        if (mnemonic ~ /^signal/ && name == "source type" && often(90))
            text = one("sig32 sig64")
        if (mnemonic ~ /^activelane/ && name == "source type")
            text = "b1"
        kind[name] = text
    } else {
        text = kind[name] = one(values[name])
    }
    mnemonic = mnemonic "_" text
}

function make_mnemonic(pattern,    token, name) {
    mnemonic = ""
    delete kind
    while (pattern != "") {
        if (match(pattern, /^\[[^\]]*\]/)) {
            token = substr(pattern, 2, RLENGTH - 2)
            pattern = substr(pattern, RLENGTH + 1)
            if (often(72))
                continue
        } else if (match(pattern, /^_<[^>]*>/)) {
            token = substr(pattern, 1, RLENGTH)
            pattern = substr(pattern, RLENGTH + 1)
        } else {
            match(pattern, /^_?[A-Za-z0-9]+(_[A-Za-z0-9]+)*/)
            mnemonic = mnemonic substr(pattern, 1, RLENGTH)
            pattern = substr(pattern, RLENGTH + 1)
            continue
        }
        if (token ~ /^_</)
            modifier(substr(token, 3, length(token) - 3))
        else if (token ~ /\(n\)$/) {
            name = substr(token, 2, length(token) - 4)
            mnemonic = mnemonic "_" name "(" one(values[name]) ")"
        } else
            mnemonic = mnemonic token
    }
}

function operand(letter, place, last,    t, length_) {
    t = kind["type"] == "" ? "u32" : kind["type"]
    length_ = substr(kind["vector"], 2) + 0
    if (letter ~ /[srnwVk]/ && kind["source type"] != "" && place > 1)
        t = kind["source type"]
    if (mnemonic ~ /^(shl|shr|bit|byte|class|unpackcvt|lerp)/ && place > 2 && often(60))
        t = "u32"
    if (mnemonic ~ /^cmov/ && place == 2)
        t = "b1"
    if (letter == "n" && kind["source type"] == "")
        t = "u32"
    if (letter ~ /[dr]/) return reg(t)
    if (letter == "s") return source(t)
    if (letter ~ /[nk]/) return often(90) ? constant(t) : "WAVESIZE"
    if (letter ~ /[vD]/) return length_ ? registers(t, length_) : reg(t)
    if (letter == "w") return sources(t, length_ ? length_ : 2)
    if (letter == "V" && last && kind["coordinate type"] != "") {
        length_ = coordinates[kind["geometry"]]
        return length_ == 1 ? source(kind["coordinate type"]) : sources(kind["coordinate type"], length_)
    }
    if (letter == "V") return length_ ? sources(t, length_) : source(t)
    if (letter == "a") return address(kind["segment"])
    if (letter == "l") return one("@x @y")
    if (letter ~ /[bB]/) return one("&fb %fb $s1")
    return ""
}

function instruction(    which, letters, text, place, more) {
    do
        which = 1 + below(rows)
    while (operands[which] ~ /[oifFgL]/)
    letters = operands[which]
    make_mnemonic(row[which])
    if (sub(/\+$/, "", letters)) {
        more = kind["operation"] == "ld" ? 0 : kind["operation"] ~ /cas|waittimeout/ ? 2 : 1
        while (more-- > 0)
            letters = letters "s"
    }
    if (often(3))
        letters = letters "s"
    for (place = 1; place <= length(letters); place++)
        text = text (place > 1 ? ", " : " ") operand(substr(letters, place, 1), place, place == length(letters))
    return mnemonic text ";"
}

function typed(t) {
    if (t == "samp")
        return "samp(coord=" one("normalized unnormalized") ", filter=" one("nearest linear") ", addressing=" \
               one("undefined clamp_to_edge repeat clamp_to_border") ")"
    if (t ~ /img$/)
        return t "(geometry=" one("1d 1db") ", width=" one("16 1 0") ", channel_type=" \
               one("unorm_int8 signed_int16 half_float float unorm_short_565") ", channel_order=" \
               one("a r rx rg rgb rgba bgra srgba intensity depth") ")"
    return t ~ /x/ ? constant(t) : t "(" (t ~ /^sig/ ? one("0 0 1") : plain(t)) ")"
}

function several(t, count, with_type,    text) {
    for (; count > 0; count--)
        text = text (with_type ? typed(t) : plain(t)) (count > 1 ? ", " : "")
    return text
}

function initializer(t, count,    text, item, chance) {
    chance = below(100)
    if (often(5))
        count++
    if (chance < 25) return plain(t)
    if (chance < 35) return typed(t)
    if (chance < 75) {
        if (often(10))
            t = type()
        return t "[](" several(t, count, t !~ /^[usf][0-9]+$/ || often(30)) ")"
    }
    for (item = 1 + below(4); item > 0; item--) {
        t = type()
        text = text (often(20) ? "align(" one(values["align"]) ")" : \
                     often(70) ? typed(t) : t "[](" several(t, 2, 1) ")")
        text = text (item > 1 ? ", " : "")
    }
    return "{" text "}"
}

function formals(segment, most,    text, count) {
    for (count = below(most + 1); count > 0; count--)
        text = text (often(15) ? "align(8) " : "") segment "_" \
               (often(90) ? one("u32 u64 u8 f32 b32 roimg u8x4 sig64") : type()) \
               (often(90) ? " %a" count : "") (often(70) ? "" : one("[2] []")) (count > 1 ? ", " : "")
    return "(" text ")"
}

function executable(    what, before, body) {
    what = one("function signature kernel indirect")
    before = often(60) ? "" : often(60) ? "decl prog " : "prog "
    body = what == "signature" || before ~ /decl/ ? "" : "{}"
    if (often(4))
        body = body == "" ? "{}" : ""
    return before (what == "indirect" ? "indirect function" : what) " &f" number \
           (what == "kernel" ? "" : formals("arg", 1)) formals(what == "kernel" && often(95) ? "kernarg" : "arg", 2) \
           body ";"
}

function declaration(    t, array, text, counts) {
    number++
    if (often(15))
        return executable()
    if (often(5))
        return "pragma " one("\"a\" 1 -1 1.0f &g &none u8(3) {u32(1)} WAVESIZE f32[](1.0f) \"\\x41\\101\\n\" 'x'") \
               ", \"b\";"
    t = type()
    array = often(40) ? "" : one("[2] [] [3] [0] [1]")
    text = (often(8) ? "decl " : "") (often(30) ? "prog " : "") (often(20) ? "alloc(agent) " : "") \
           (often(20) ? "align(" one(values["align"]) ") " : "") (often(20) ? "const " : "") \
           one("global readonly global readonly group private spill") "_" t " &v" number array
    counts = array == "[2]" ? 2 : array == "[3]" ? 3 : 1
    return text (often(75) ? " = " initializer(t, counts) : "") ";"
}

END {
    for (made = 0; made < count; made++)
        print what == "declarations" ? declaration() : instruction()
}
