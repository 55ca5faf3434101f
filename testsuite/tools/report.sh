# SPDX-License-Identifier: MIT
# Tests hsa-report and hsailrun --report: what they refuse, what is in the page, and what a browser makes of it.
. "$srcdir/testsuite/tap.sh"
tools=$(cd "$builddir" && pwd) || exit 99
cd "$work" || exit 99
report=$tools/hsa-report run=$tools/hsailrun

# A dispatch of a kernel with two instructions, and a finding at the second. Its names try to end the element of HTML
# that holds the data.
name='</script><script>document.title=\"owned\"</script><img src=x onerror=alert(1)>'
count() { # NUMBER
    printf '{"kind":"count","kernel":"%s","target":"gfx900","queue":0,"dispatch":%s,"grid":[128,1,1],"group":[64,1,1],"groups":2,"waves":2,' "$name" "$1"
    printf '"registers":{"vgprs_allocated":4,"sgprs_allocated":16},"occupancy":{"waves":10,"limit":"hardware"},'
    printf '"total":{"executed":4,"lanes":192,"cycles":40},"classes":{},"lines":[],"code":['
    printf '{"pc":"0x1000","size":4,"function":"f","offset":0,"file":"/src/a.cl","line":2,"instruction":"v_mov_b32_e32 v6, 0","class":"valu","executed":2,"lanes":128,"cycles":8},'
    printf '{"pc":"0x1010","size":8,"function":"f","offset":16,"file":"/src/a.cl","line":3,"instruction":"%s","class":"vmem","executed":2,"lanes":64,"cycles":32,"bytes":{"global":{"read":256,"written":0,"atomic":0}},"vector_accesses":2,"cache_lines":64,"cache_bytes":256}],"complete":true}\n' "$name"
}
finding() {
    printf '{"kind":"finding","id":"memory-global","text":"accesses what is not there","kernel":"%s","queue":0,"count":3,"pc":"0x1010","function":"f","offset":16,"file":"a.cl","line":3,"instruction":"x","work_group":[1,0,0],"work_item":[7,0,0],"segment":"global","access":"write","address":"0x0","bytes":4}\n' "$name"
}
{ count 0; count 1; finding; } >data.json
printf 'first <b>line</b> & more\nsecond \xc3\xa9\nthird </script>\n' >a.cl

expect_status 0 "a page is made" "$report" -o page.html data.json
check "it loads nothing" sh -c '! grep -Ei "(src|href)=.?(https?:|//)|url\(|@import|fetch\(|XMLHttp" page.html'
check "what is allowed to it is nothing else" grep -q "default-src 'none'" page.html
check "no name and no source ends the data" [ "$(grep -c '</script>' page.html)" -eq 2 ]
check "the sources that are named are found" grep -q '"name":"a.cl"' page.html
check "standard input and output" sh -c '"$1" -o - - <data.json | cmp - page.html' sh "$report"
mkdir -p elsewhere && printf 'x\n' >elsewhere/b.cl
sed 's,/src/a.cl,../../elsewhere/b.cl,' data.json >other.json
check "names do not lead out of the folder" sh -c '"$1" -o other.html other.json && ! grep -q "\"name\":\"b.cl\"" other.html' sh "$report"
check "but folders can be given" sh -c '"$1" -d elsewhere -o other.html other.json && grep -q "\"name\":\"b.cl\"" other.html' sh "$report"

refused() { # LINE TEXT
    printf "$2" >bad.json
    rm -f bad.html
    ! "$report" -o bad.html bad.json 2>message && cat message && grep -q "bad.json:$1:" message && [ ! -e bad.html ]
}
check "what is no JSON is refused" refused 1 'hello\n'
check "with its line" refused 2 '{"a":1}\n{"a":}\n'
for text in '[1]' '{"a":1' '{"a":01}' '{"a":"\\x"}' '{"a":"\\u12g4"}' '{"a" 1}' '{a:1}' '{"a":1}}' '{"a":1,}' '{"a":+1}' '{"a":.5}' \
    '{"a":tru}' '{"a":"\001"}' '{"a":"'; do
    check "$text is refused" refused 1 "$text"
done
deep=$(printf '%070d' 0 | sed 's/0/[/g')
check "what is nested without end is refused" refused 1 "{\"a\":$deep"
check "no data are a page, too" sh -c ': >none.json && "$1" -o none.html none.json' sh "$report"
check "what JSON has is taken" sh -c 'printf "%s\n" "{\"a\":[-0.5e+3,true,false,null,{\"b\":\"\\\\u00e9\\\\n\"}]}" >all.json && "$1" -o all.html all.json' sh "$report"
expect_status 2 "an output is needed" "$report" data.json
expect_status 2 "and a file" "$report" -o x.html
expect_status 1 "which exists" "$report" -o x.html nowhere.json

# ---- the browser ----

browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
# dom FILE[#CHOICE]: what the page is after its script ran
dom() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --virtual-time-budget=5000 \
        --dump-dom "file://$work/$1" 2>browser.log
}
rows() { # of DOM: number, heat and text of each row of the columns, a line each
    sed 's/<div class="row/\n&/g' | sed -n 's,^<div class="row.*<span class="number">\(.*\)</span><span class="heat"[^>]*>\([^<]*\)</span><span class="text">\(.*\)</span></div>.*,\1|\2|\3,p' |
        sed 's,<span class="mark"[^>]*>[^<]*</span>,* ,'
}
if [ -z "$browser" ] || ! dom none.html | grep -q data-ready; then
    skip "the page in a browser" "chromium is not installed, or does not start here"
    tap_done
fi
dom page.html >page.dom
rows <page.dom >page.rows
check "the page's script comes to its end" grep -q 'data-ready="true"' page.dom
check "names are text and nothing else" sh -c '! grep -q "<img\|<title>owned" page.dom && grep -q "&lt;img src=x" page.dom'
check "both dispatches are added up" grep -qx '2|16|second é' page.rows
check "and stand at the machine code" grep -qx '+0x0|16|v_mov_b32_e32 v6, 0' page.rows
check "bytes that nothing executed are a gap" grep -q '|12 bytes that nothing\||… 12 bytes that nothing executed' page.rows
check "the finding marks its line and its instruction" [ "$(grep -c '^\* ' page.rows)" -eq 2 ]
check "which is chosen" sh -c 'grep -o "<div class=\"row chosen[^>]*>" page.dom | grep -q "aria-selected=\"true\""'
check "with its words in place" grep -q 'class="remark".*accesses what is not there \[memory-global\], 3 times' page.dom
dom 'page.html#heat=2' | rows >page.rows
check "idle lanes" grep -qx '\* 3|50%|third &lt;/script&gt;' page.rows
dom 'page.html#heat=4' | rows >page.rows
check "memory fetched in vain" grep -qx '\* 3|94%|third &lt;/script&gt;' page.rows
dom 'page.html#kernel=1' | rows >page.rows
check "one dispatch by itself" grep -qx '2|8|second é' page.rows
check "dark, if that is asked for" sh -c 'grep -q "data-theme=\"dark\"" theme.dom' <<END
$(dom 'page.html#theme=dark' >theme.dom)
END

sed 's/"kernel":"\(\\.\|[^"\\]\)*/"kernel":"_Z1fIiEvv","kernel_name":"f<int>/;s/"function":"f"/"function":"_Z1gv","function_name":"g"/g' data.json >names.json
"$report" -o names.html names.json
dom names.html >names.dom
check "names of C++ are shown as they are written" sh -c 'rows() { grep -o "<option[^<]*" names.dom; }
    rows && rows | grep -q ">f&lt;int&gt; .* 2 dispatches" && ! rows | grep -q _Z && grep -q ">g:<" names.dom &&
    grep -q "kernel f&lt;int&gt; accesses" names.dom && grep -q "at g+0x10" names.dom'
check "the page has the symbol of a C++ name, too" grep -q "symbol</dt><dd>_Z1fIiEvv" names.dom

# A function of another file, inlined at line 1; two findings at one line; a kernel of the program's runtime, before it.
count 2 | sed 's/"kernel":"\(\\.\|[^"\]\)*/"kernel":"fill/;s/"queue":0/"queue":9/' >inlined.json
count 0 | sed 's,"/src/a.cl"\,"line":3,"b.h"\,"line":1\,"called":[{"file":"a.cl"\,"line":1}],' >>inlined.json
finding | sed 's,"a.cl"\,"line":3,"b.h"\,"line":1\,"called":[{"file":"a.cl"\,"line":1}],' >finding.json
cat finding.json >>inlined.json
sed 's/memory-global/memory-freed/' finding.json >>inlined.json
printf 'in a header\n' >b.h
"$report" -o inlined.html inlined.json
dom inlined.html >inlined.dom
rows <inlined.dom >inlined.rows
check "the line of a call has the heat of what was inlined" grep -q '^\* 1|32|first' inlined.rows
check "and so has the other file" grep -qx '\* 1|32|in a header' inlined.rows
check "which is in the same column" [ "$(grep -o '<option value="[01]">Source [ab][.a-z]*' inlined.dom | sort -u | wc -l)" -ge 2 ]
check "both findings of a line are shown" sh -c 'tr "\\n" " " <inlined.dom | sed -n "s/.*id=.detail-body.//p" | grep -q "memory-global.*memory-freed"'
check "the kernel that has findings comes first" sh -c 'grep -o "<dt>kernel</dt><dd>[^<]*" inlined.dom | grep -qv fill'

# The keys: a script in the page presses them, and writes down what is chosen then.
keys() { # KEY...
    sed '$d' page.html | sed '$d' >keys.html
    {
        echo '<script>addEventListener("load", () => { const said = [];'
        echo 'const at = () => document.activeElement.classList.contains("rows") ? document.activeElement : document;'
        for key; do
            echo "at().dispatchEvent(new KeyboardEvent('keydown', {key: '$key', bubbles: true}));"
            echo 'said.push((document.querySelector(".row.chosen .text") || {}).textContent);'
        done
        echo 'const p = document.createElement("pre"); p.id = "said"; p.textContent = said.join("|"); document.body.append(p); });</script>'
        printf '</body>\n</html>\n'
    } >>keys.html
    dom keys.html | sed -n 's/.*<pre id="said">\(.*\)<\/pre>.*/\1/p'
}
first='first &lt;b&gt;line&lt;/b&gt; &amp; more' second='second é' third='third &lt;/script&gt;'
check "keys move in a column" [ "$(keys h ArrowUp Home ArrowDown End)" = "$second|$first|$first|$second|$third" ]
check "and to the column beside" [ "$(keys h ArrowRight ArrowLeft)" = "$second|v_mov_b32_e32 v6, 0|$second" ]
check "the hottest lines follow each other" [ "$(keys h h H)" = "$second|$third|$second" ]
check "findings, too" [ "$(keys h n)" = "$second|$third" ]

# ---- how it is laid out ----

# A page with much in it: long names, long lines, several dispatches.
long=$(printf '%060d' 0 | sed 's/0/long/g')
{
    cat data.json
    sed "s,v_mov_b32_e32 v6,$long,;s/\"queue\":0/\"queue\":7/" data.json
} >wide.json
mkdir wide && { cat a.cl; echo "// $long"; } >wide/a.cl
expect_status 0 "a page with long lines" "$report" -d wide -o wide.html wide.json

# What a script of the page measures: whether anything is wider than the window, what of the controls the keyboard does
# not reach, which rows the arrow keys do not reach, and which colours are too much alike (less than 4.5 : 1, as WCAG
# has it), in both themes.
sed '$d' wide.html | sed '$d' >layout.html
cat >>layout.html <<'END'
<script>
addEventListener("load", () => {
  const said = [innerWidth, document.documentElement.dataset.ready];
  const root = document.documentElement;
  const shown = e => e.getClientRects().length > 0;
  if (root.scrollWidth > innerWidth)
    said.push("wider than the window: " + root.scrollWidth, ...[...document.querySelectorAll("body *")].filter(e => shown(e) &&
      !e.closest(".rows, .scroll, #waves") && e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML.slice(0, 60)));
  for (const e of document.querySelectorAll("#accesses td"))
    if (innerWidth < 960 && shown(e) && (e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth))
      said.push("cut off: " + e.outerHTML.slice(0, 60));
  for (const e of document.querySelectorAll("button, select, a, .rows, .scroll, #waves")) {
    if (!shown(e)) continue;
    e.focus();
    if (document.activeElement !== e || e.tabIndex !== 0) said.push("no keyboard: " + e.outerHTML.slice(0, 60));
  }
  // Tab goes through the document, so what is read first has to stand there first; and where it is has to be seen.
  const stops = [...document.querySelectorAll("*")].filter(e => e.tabIndex >= 0 && shown(e) && !e.disabled && !e.matches("svg *, .skip"));
  if (stops.length < 8) said.push("few stops: " + stops.length);
  const box = e => { const r = e.getBoundingClientRect(); return { top: r.top + scrollY, bottom: r.bottom + scrollY, left: r.left }; };
  for (const [i, e] of stops.entries()) {
    if (e.tabIndex > 0) said.push("an order of its own: " + e.outerHTML.slice(0, 60));
    const a = box(stops[Math.max(i - 1, 0)]), b = box(e);
    if (b.bottom <= a.top || (b.top < a.bottom && b.bottom > a.top && b.left < a.left))
      said.push("read before the one before it: " + e.outerHTML.slice(0, 60));
    e.focus({ focusVisible: true });
    const ring = getComputedStyle(e);
    if (ring.outlineStyle === "none" || parseFloat(ring.outlineWidth) < 2) said.push("no ring: " + e.outerHTML.slice(0, 60));
  }
  const press = (e, key) => e.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  for (const rows of document.querySelectorAll(".rows")) {
    const all = rows.querySelectorAll(".row"), reached = new Set();
    all[0].click();
    press(rows, "Home");
    for (let i = 0; i < all.length; i++) {
      reached.add(document.querySelector(".row.chosen").id);
      press(rows, "ArrowDown");
    }
    if (reached.size !== all.length) said.push("rows not reached: " + (all.length - reached.size));
  }
  const value = c => c.match(/[\d.]+/g).map(Number);
  const linear = v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = c => value(c).slice(0, 3).reduce((sum, v, i) => sum + linear(v / 255) * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = e => (value(getComputedStyle(e).backgroundColor)[3] === 0 && e.parentElement ? paper(e.parentElement)
    : getComputedStyle(e).backgroundColor);
  for (const theme of ["light", "dark"]) {
    root.dataset.theme = theme;
    for (const e of document.querySelectorAll("h1, h2, dt, dd, p, button, select, th, td, .text, .number, .remark")) {
      if (!shown(e) || !e.textContent.trim()) continue;
      const [low, high] = [light(getComputedStyle(e).color), light(paper(e))].sort((a, b) => a - b);
      if ((high + 0.05) / (low + 0.05) < 4.5) said.push(theme + ": pale " + e.outerHTML.slice(0, 60));
    }
  }
  parent.postMessage(said.join("|").replace(/\s+/g, " "), "*");
});
</script>
</body>
</html>
END
sized() { # WIDTH OPTION OUTPUT URL
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --virtual-time-budget=5000 \
        --hide-scrollbars --window-size="$1,900" "$2" "file://$work/$4" >"$3" 2>browser.log
}
# In a frame of that width, as the window of a browser is never as narrow as that of a telephone.
laid_out() { # WIDTH
    cat >frame.html <<'END'
<!doctype html><meta charset="utf-8"><body><script>
addEventListener("message", event => {
  const p = document.createElement("pre");
  p.id = "said";
  p.textContent = event.data;
  document.body.append(p);
});
</script>
END
    echo "<iframe width=\"$1\" height=\"900\" style=\"border: 0\" src=\"layout.html\"></iframe>" >>frame.html
    sized 1400 --dump-dom layout.dom frame.html
    said=$(sed -n 's/.*<pre id="said">\(.*\)<\/pre>.*/\1/p' layout.dom)
    echo "$said"
    [ "$said" = "$1|true" ]
}
pictured() { # THEME WIDTH: a picture of that width, which is not one plain colour
    sized "$2" "--screenshot=$work/$1$2.png" /dev/null "wide.html#theme=$1"
    [ "$(od -An -tu1 -j18 -N2 "$1$2.png" | awk '{ print $1 * 256 + $2 }')" = "$2" ] && [ "$(wc -c <"$1$2.png")" -gt 10000 ]
}
for width in 360 1280; do
    check "$width pixels: nothing is wider, all is reached by keyboard and can be read in both themes" laid_out $width
    for theme in light dark; do
        check "$width pixels, $theme: a picture" pictured $theme $width
    done
done
# On paper: no controls, nothing that has to be scrolled, black on white.
printed() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --virtual-time-budget=5000 \
        --no-pdf-header-footer --print-to-pdf="$work/paper.pdf" "file://$work/wide.html#theme=dark" 2>browser.log
    pdftotext -layout paper.pdf paper.txt && cat paper.txt && grep -q 'v_mov_b32_e32 v6, 0' paper.txt && grep -q 'second é' paper.txt &&
        ! grep -q 'Keys' paper.txt
}
if command -v pdftotext >/dev/null; then
    check "on paper, there are source and machine code, but no controls" printed
else
    skip "on paper" "pdftotext is missing"
fi
check "the themes look different" sh -c '! cmp -s light1280.png dark1280.png'

# ---- hsailrun --report ----

if [ "${TEST_LLVM:-none}" = none ]; then
    skip "hsailrun --report" "configured with --without-llvm"
    tap_done
fi
cat >race.hsail <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &k(kernarg_u64 %out)
{
    group_u32 %t[256];
    workitemid_u32 $s0, 0;
    shl_u32 $s1, $s0, 2;
    st_group_u32 $s0, [%t][$s1];
    xor_b32 $s2, $s1, 1020;      // missing barrier
    ld_group_u32 $s3, [%t][$s2];
    ld_kernarg_u64 $d1, [%out];
    cvt_u64_u32 $d0, $s1;
    add_u64 $d1, $d1, $d0;
    st_global_u32 $s3, [$d1];
    ret;
};
END
expect_status 1 "a run with a finding" "$run" -q --report=race.html --check=race -g 256 -w 256 race.hsail 'u32[256]'
dom race.html >race.dom
rows <race.dom >race.rows
check "both lines of the race are marked" [ "$(sed -n 's/^\* \([0-9]*\)|.*/\1/p' race.rows | tr '\n' ' ')" = "7 9 " ]
check "and both instructions" [ "$(grep -c '^\* +0x.*|ds_\(read\|write\)_b32' race.rows)" -eq 2 ]
linked() { # DOM TEXT
    sed 's/<div class="row/\n&/g' "$1" | grep '^<div class="row linked' | grep -q "$2"
}
check "the store of group memory is linked with its instruction" linked race.dom ds_write
check "four waves executed it" grep -q '|16|ds_write_b32' race.rows
# The line of a fault, with loc directives that lead to another file.
sed 's/^    st_global_u32.*/    loc 2 "a.cl"; st_global_u32 $s3, [$d1+4096]; loc 3 "a.cl";/; s/^    workitemid/    loc 1 "a.cl"; workitemid/' race.hsail >loc.hsail
expect_status 1 "a run with a fault" "$run" -q --report=loc.html -g 256 -w 256 loc.hsail 'u32[256]'
dom loc.html | rows >loc.rows
check "the source, HSAIL and the machine code are marked" [ "$(grep -c '^\* ' loc.rows)" -eq 3 ]
check "the source's line" grep -q '^\* 2|.*|second é' loc.rows
check "the line of HSAIL that belongs to it" grep -q '^\* 13|.*|.*st_global_u32' loc.rows
# Work-item I executes a loop I times, at least once, and stores to the address 12 * I bytes after the start.
cat >around.hsail <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &k(kernarg_u64 %out)
{
    workitemabsid_u32 $s0, 0;
    mov_b32 $s1, 0;
@loop:
    add_u32 $s1, $s1, 1;
    cmp_lt_b1_u32 $c0, $s1, $s0;
    cbr_b1 $c0, @loop;
    ld_kernarg_u64 $d1, [%out];
    mul_u32 $s0, $s0, 12;
    cvt_u64_u32 $d0, $s0;
    add_u64 $d1, $d1, $d0;
    st_global_u32 $s1, [$d1];
    ret;
};
END
expect_status 0 "waves that diverge" "$run" -q --report=around.html -g 100 -w 100 around.hsail 'u32[300]'
dom around.html >around.dom
offsets=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "%s%d", i ? "," : "", 12 * i }')
check "the addresses of a wave's lanes" grep -q "\"offsets\":\[$offsets\]" around.html
check "are a step of 12 bytes" grep -q 'a step of 12 bytes' around.dom
lanes() { # WAVE: its samples, a line each
    grep -o "\"group\":\[0,0,0\],\"wave\":$1,[^]]*" around.html | sed 's/.*\[//' | tr ',' '\n'
}
falls() { # WAVE MOST: the lanes go from MOST down to few, and only go up at the end, when all come together
    lanes "$1" >lanes
    [ "$(head -n 1 lanes)" -eq "$2" ] && [ "$(wc -l <lanes)" -gt 60 ] && [ "$(wc -l <lanes)" -le 129 ] &&
        [ "$(sort -n lanes | head -n 1)" -le 2 ] && awk 'NR > 1 && $1 > last { up++ } { last = $1 } END { exit up > 1 }' lanes
}
check "the lanes of the first wave fall" falls 0 64
check "the second has 36 of them" falls 1 36
check "both are shown" [ "$(grep -o '<span>group (0,0,0) wave [01]</span>' around.dom | wc -l)" -eq 2 ]
check "no temporary file is left" sh -c 'mkdir t && TMPDIR=$PWD/t "$1" -q --report=t.html -g 1 race.hsail "u32[256]" && [ -z "$(ls t)" ] && [ -s t.html ]' sh "$run"
check "--count to a file goes with it" sh -c ': >c.json; "$1" -q --count=c.json --report=c.html -g 1 race.hsail "u32[256]" && grep -q "\"kind\": *\"count\"" c.json && grep -q "\"kind\": *\"count\"" c.html' sh "$run"
expect_status 1 "but not as text" "$run" -q --count --report=c.html -g 1 race.hsail 'u32[256]'
tap_done
