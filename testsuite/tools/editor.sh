# Tests the support for editors: its files must be well formed and have every opcode that hsailasm lists, and every word
# of the examples must get a colour.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
build=$(cd "$builddir" && pwd) || exit 99
vim_syntax=$build/contrib/vim/syntax/hsail.vim
grammar=$build/contrib/textmate/hsail.tmLanguage.json

"$build/hsailasm" --list | cut -f 2 | sed 's/\[.*//; s/_<.*//' | LC_ALL=C sort -u >"$work/opcodes"
same_opcodes() { # an expression of sed that extracts the alternatives from a file
    sed -n "$1" "$2" | tr '|' '\n' | LC_ALL=C sort >"$work/found"
    [ -s "$work/opcodes" ] && diff "$work/opcodes" "$work/found"
}
check "the Vim syntax has every opcode" \
    same_opcodes 's/^syntax match hsailOpcode "\\v<%(\([^)]*\)).*/\1/p' "$vim_syntax"
check "the TextMate grammar has every opcode" \
    same_opcodes '/"instruction"/,/captures/s/.*"match": "\\\\b(\([^)]*\)).*/\1/p' "$grammar"

# Words of every kind, in addition to those of the examples.
cat >"$work/words.hsail" <<'END_HSAIL'
/* a comment
   of two lines */
module &words:1:2:$full:$large:$default;
extension "IMAGE";
pragma "a\n", 3;
decl prog function &f.g(arg_u32 %out)(arg_f32 %in[4]);
alloc(agent) align(16) prog global_u8x16 &packed = u8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
readonly_roimg &image = roimg(geometry = 2d, width = 0x10, height = 8, channel_type = unorm_int8,
    channel_order = rgba);
readonly_samp &sampler = samp(coord = normalized, filter = nearest, addressing = clamp_to_edge);
global_f64 &floats[] = f64[](1.5, .5e-3, 1e9d, 0x1.8p+3, 0d3ff0000000000000);
kernel &k(kernarg_u64 %p)
{
    maxdynamicgroupsize 4096;
    private_b8 %room[64];
    loc 3 4 "file";
    ld_v4_global_align(16)_const_width(WAVESIZE)_nt_f32 ($s0, $s1, $s2, $s3), [$d0 + 16];
    add_pp_sat_u8x4 $s0, $s1, $s2;
    cvt_ftz_neari_sat_s32_f32 $s0, $s1;
    atomicnoret_wrapinc_global_scar_agent_u32 [&x], 017;
    rdimage_v4_2da_f32_roimg_f32 ($s0, $s1, $s2, $s3), $d0, $d1, ($s4, $s5, $s6);
    querysampler_filter_u32 $s0, $d1;
    mov_b64 $d2, nullptr_kernarg;
    nullptr_group_u32 $s4;
    cmp_sgeu_ftz_b1_f16 $c127, $s0, 0h3c00;
    cbr_width(all)_b1 $c0, @end.1;
    signalnoret_st_screl_b64_sig64 $d0, WAVESIZE;
    barrier_width(64);
@end.1:
    ret;
};
END_HSAIL

# Every letter or digit of a line must have a colour; the first one without a colour is printed with its line.
cat >"$work/bare.vim" <<'END_VIM'
set nomore
let report = []
syntax on
execute 'source' fnameescape($VIM_SYNTAX)
for number in range(1, line('$'))
  let text = getline(number)
  for column in range(1, len(text))
    if text[column - 1] =~# '\w' && synID(number, column, 0) == 0
      call add(report, expand('%:t') . ':' . number . ':' . column . ': ' . text)
      break
    endif
  endfor
endfor
call add(report, 'opcodes: ' . len(filter(range(1, line('$')),
      \ 'synIDattr(synID(v:val, match(getline(v:val), ''\S'') + 1, 0), "name") ==# "hsailOpcode"')))
call writefile(report, $REPORT)
quit!
END_VIM
coloured() { # and some lines of each file begin with an opcode
    for file in "$srcdir"/examples/*.hsail "$work/words.hsail"; do
        rm -f "$work/report"
        VIM_SYNTAX=$vim_syntax REPORT=$work/report vim -u NONE -i NONE -n -N -es -S "$work/bare.vim" "$file" </dev/null
        grep -q '^opcodes: [1-9]' "$work/report" || return 1
        ! grep -v '^opcodes: ' "$work/report" || return 1
    done
}
if command -v vim >/dev/null && vim --version | grep -q '+syntax'; then
    check "the Vim syntax colours every word" coloured
else
    skip "the Vim syntax colours every word" "no vim with +syntax"
fi

# The same with the grammar. An editor takes the leftmost match, and if there are several the first in the list; so do
# alternatives of a regular expression.
cat >"$work/bare.jq" <<'END_JQ'
def expressions($grammar):
    $grammar.patterns[] | if .include then $grammar.repository[.include[1:]] else . end |
    if .match then . else (.patterns // [])[] | select(.match) end | .match;
([expressions($grammar[0]) | "(?:\(.))"] | join("|")) as $all | split("\n")[] | . as $line |
gsub($all; " ") | select(test("\\w")) | "\($line): \(.)"
END_JQ
matched() {
    for file in "$srcdir"/examples/*.hsail "$work/words.hsail"; do
        sed -e 's,/\*.*\*/,,' -e '/^\/\*/,/\*\/$/d' -e 's/"[^"]*"//g' "$file" >"$work/plain"
        jq -Rrs --slurpfile grammar "$grammar" -f "$work/bare.jq" <"$work/plain" >"$work/left" || return 1
        cat "$work/left"
        [ ! -s "$work/left" ] || return 1
    done
}
if command -v jq >/dev/null; then
    check "the TextMate grammar matches every word" matched
else
    skip "the TextMate grammar matches every word" "no jq"
fi

tap_done
