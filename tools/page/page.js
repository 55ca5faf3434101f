"use strict";
/* The page of hsa-report. Everything that comes from the data is shown as text, never as markup: names of kernels and
 * files are those of code objects that may hold anything. */
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const records = data.records.filter(r => r && typeof r === "object");
  const counts = records.filter(r => r.kind === "count" && Array.isArray(r.code));
  const reports = records.filter(r => r.kind === "fault" || r.kind === "finding");
  const timelines = counts.filter(c => Array.isArray(c.timeline));
  const byId = id => document.getElementById(id);

  /* ---- small helpers ---- */

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const key in attributes || {}) element.setAttribute(key, attributes[key]);
    for (const child of children) element.append(child);
    return element;
  }
  const number = n => Number(n || 0).toLocaleString("en-US");
  const percent = share => (100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0) + "%";
  const text = value => (value === undefined || value === null ? "" : String(value));
  const ids = list => "(" + (Array.isArray(list) ? list.join(",") : "") + ")";
  const baseName = name => text(name).replace(/^.*\//, "");
  const linkOf = (file, line) => (file && line ? baseName(file) + "\n" + line : "");
  const callsOf = record => (Array.isArray(record.called) ? record.called.filter(c => c && c.file) : []);
  /* The lines of an instruction: its own, then those of the calls that the compiler has replaced by it. */
  const linksOf = record => [...new Set([linkOf(record.file, record.line), ...callsOf(record).map(c => linkOf(c.file, c.line))])];

  /* ---- the numbers of a line or an instruction ---- */

  const SUMS = ["executed", "lanes", "cycles", "taken", "mixed", "mixed_taken", "vector_accesses", "cache_lines",
    "cache_bytes", "lds_accesses", "lds_passes", "bank_conflicts", "waited", "undescribed"];

  function add(to, from) {
    for (const name of SUMS) to[name] = (to[name] || 0) + Number(from[name] || 0);
    for (const segment in from.bytes || {}) {
      to.bytes = to.bytes || {};
      const sum = (to.bytes[segment] = to.bytes[segment] || {});
      for (const way in from.bytes[segment])
        sum[way] = (sum[way] || 0) + Number(from.bytes[segment][way] || 0);
    }
    return to;
  }

  /* The kinds of heat: how hot a line is, from 0 on, and the text beside it. */
  const ratio = (part, whole) => (whole > 0 ? part / whole : 0);
  const METRICS = [
    { name: "Time (estimated cycles)", heat: c => c.cycles, show: c => number(c.cycles),
      legend: "Cycles are an estimate that tells dear instructions from cheap ones; see doc/PROFILING.md." },
    { name: "Executions by waves", heat: c => c.executed, show: c => number(c.executed),
      legend: "How many waves executed the line." },
    { name: "Lanes idle", heat: c => 1 - ratio(c.lanes, 64 * c.executed), show: c => percent(1 - ratio(c.lanes, 64 * c.executed)),
      full: 1, legend: "The share of the 64 lanes that were not active when the line was executed." },
    { name: "Divergent branches", heat: c => c.mixed, show: c => number(c.mixed), some: c => c.mixed,
      legend: "Branches that only some work-items of their wave came to." },
    { name: "Memory fetched in vain", heat: c => 1 - ratio(c.cache_bytes, 64 * c.cache_lines),
      show: c => percent(1 - ratio(c.cache_bytes, 64 * c.cache_lines)), some: c => c.cache_lines, full: 1,
      legend: "The share of the touched cache lines of 64 bytes that the instruction did not access." },
    { name: "Cache lines", heat: c => c.cache_lines, show: c => number(c.cache_lines), some: c => c.cache_lines,
      legend: "How many cache lines of 64 bytes were touched." },
    { name: "Bank conflicts", heat: c => c.bank_conflicts, show: c => number(c.bank_conflicts), some: c => c.lds_passes,
      legend: "Passes through the banks of group memory that would not have been necessary." },
    { name: "Waiting at barriers", heat: c => c.waited, show: c => number(c.waited), some: c => c.waited,
      legend: "Cycles that waves waited at a barrier for the last one." },
  ];

  /* ---- what is shown: all dispatches of a kernel, or one ---- */

  /* MEMBER, the name of a symbol, as people write it; symbols tell kernels apart. */
  const shown = (record, member) => text(record[member + "_name"] || record[member]);

  const kernels = [], titles = new Map();
  for (const record of [...counts, ...reports]) {
    if (!kernels.includes(text(record.kernel))) kernels.push(text(record.kernel));
    titles.set(text(record.kernel), shown(record, "kernel"));
  }
  const scopes = [];
  for (const kernel of kernels) {
    const mine = counts.filter(c => text(c.kernel) === kernel);
    const title = titles.get(kernel);
    const times = mine.length === 1 ? "1 dispatch" : mine.length + " dispatches";
    scopes.push({ kernel, title, counts: mine, name: title + " \u2013 " + (mine.length ? times : "not counted") });
    if (mine.length > 1)
      for (const c of mine)
        scopes.push({ kernel, title, counts: [c], dispatch: c.dispatch,
          name: title + " \u2013 dispatch " + c.dispatch + " of queue " + text(c.queue) });
  }
  /* First what has findings, then what takes longest: a program of HIP begins with kernels of its runtime. */
  const weight = s => (reports.some(r => text(r.kernel) === s.kernel) ? 1e300 : 0) +
    counts.filter(c => text(c.kernel) === s.kernel).reduce((sum, c) => sum + Number((c.total || {}).cycles || 0), 0);
  scopes.sort((a, b) => (a.kernel === b.kernel ? 0 : weight(b) - weight(a)));
  if (!scopes.length) scopes.push({ kernel: "", title: "", counts: [], name: "nothing" });

  let scope = scopes[0], metric = METRICS[0], panes = [], columns = [], chosen = null;
  let lit = [], index = new Map(); /* the rows that stand out; rows by link */

  /* ---- rows of the columns ---- */

  /* Instructions of the scope by address, with gaps where nothing was executed. */
  function instructions() {
    const all = new Map();
    const key = i => (i.function ? text(i.function) + "+" + i.offset : text(i.pc));
    for (const c of scope.counts)
      for (const i of c.code) {
        if (!all.has(key(i)))
          all.set(key(i), { function: text(i.function), title: shown(i, "function"), offset: i.offset, pc: text(i.pc), size: Number(i.size || 0),
            file: i.file, line: i.line, called: callsOf(i), text: text(i.instruction), count: {},
            offsets: Array.isArray(i.offsets) ? i.offsets.map(Number) : null });
        add(all.get(key(i)).count, i);
      }
    for (const r of reports.filter(r => text(r.kernel) === scope.kernel))
      for (const side of [r, r.other || {}])
        if (side.pc && !all.has(key(side)))
          all.set(key(side), { function: text(side.function), title: shown(side, "function"), offset: side.offset, pc: text(side.pc), size: 0,
            file: side.file, line: side.line, called: callsOf(side), text: text(side.instruction), count: {} });
    const list = [...all.values()];
    list.sort((a, b) => (a.function < b.function ? -1 : a.function > b.function ? 1 : a.function
      ? a.offset - b.offset : Number(BigInt(a.pc) - BigInt(b.pc))));
    return list;
  }

  function codeRows() {
    const rows = [];
    let before = null;
    for (const i of instructions()) {
      if (i.function && (!before || before.function !== i.function))
        rows.push({ number: "", text: i.title + ":", gap: true });
      else if (before && before.size && i.offset > before.offset + before.size)
        rows.push({ number: "", text: "\u2026 " + (i.offset - before.offset - before.size) + " bytes that nothing executed",
          gap: true });
      before = i;
      rows.push({ number: i.function ? "+0x" + Number(i.offset).toString(16) : i.pc, text: i.text, link: linkOf(i.file, i.line), links: linksOf(i),
        count: i.count, offsets: i.offsets, place: i.function ? i.function + "+" + i.offset : i.pc });
    }
    return rows;
  }

  /* Which line of which source each line of HSAIL belongs to: the loc directives say so; without any, it is the line
     itself. */
  function linesOf(source) {
    const lines = source.text.replace(/\n$/, "").split("\n");
    const told = /\bloc\s+(\d+)(?:\s+\d+)?(?:\s+"((?:[^"\\]|\\.)*)")?\s*;/g;
    const links = [];
    let file = "", line = 0, open = false, any = false; /* OPEN: within a body, after its first loc */
    for (let i = 0; i < lines.length; i++) {
      const content = lines[i].replace(/\/\/.*/, "");
      const here = () => (open && file ? linkOf(file, line) : "");
      let found, from = 0, link = "";
      told.lastIndex = 0;
      while (source.hsail && (found = told.exec(content))) { /* a line belongs to the loc before its first statement */
        if (content.slice(from, found.index).trim()) link = link || here();
        any = open = true;
        line = Number(found[1]);
        file = found[2] === undefined ? file : found[2];
        from = told.lastIndex;
      }
      if (content.slice(from).trim()) link = link || here();
      if (/^\s*\}\s*;/.test(content)) open = false;
      links.push(link);
    }
    return lines.map((content, i) => ({ number: i + 1, text: content.replace(/\t/g, "    "),
      link: any ? links[i] : linkOf(source.name, i + 1) }));
  }

  function sourceRows(source, sums) {
    const rows = linesOf(source);
    let last = "";
    for (const row of rows) {
      if (sums.has(row.link) && row.link !== last) row.count = sums.get(row.link);
      last = row.link || last;
    }
    return rows;
  }

  /* ---- findings ---- */

  function describe(report) {
    const lines = ["kernel " + shown(report, "kernel") + " " + text(report.text) + " [" + text(report.id) + "]"];
    const side = (word, s) => {
      let line = "  " + word;
      if (s.work_item) line += " work-item " + ids(s.work_item);
      if (s.work_group) line += (s.work_item ? " of" : "") + " work-group " + ids(s.work_group);
      if (s.function) line += " at " + shown(s, "function") + "+0x" + Number(s.offset).toString(16);
      if (s.file) line += ", " + text(s.file) + ":" + s.line;
      if (s.instruction) line += ": " + text(s.instruction);
      lines.push(line);
      for (const call of Array.isArray(s.called) ? s.called : []) lines.push("    called at " + text(call.file) + ":" + call.line);
    };
    if (report.pc) side("by", report);
    if (report.other) side(text(report.other.relation) || "and", report.other);
    if (report.address) {
      let line = "  " + text(report.access) + " of " + number(report.bytes) + " bytes at " + text(report.segment) +
        " address " + text(report.address);
      if (report.field) line += ", " + number(report.value) + " above a multiple of " + number(report.limit);
      if (report.nearest)
        line += ", " + (report.nearest.distance ? number(report.nearest.distance) + " bytes " : "") +
          text(report.nearest.where) + " the " + number(report.nearest.size) + "-byte " + text(report.nearest.name) +
          (report.nearest.freed ? ", which was freed" : "");
      lines.push(line);
      const named = report.nearest && !/^(allocation|queue|code|signals|memory)$/.test(text(report.nearest.name));
      for (const [word, by] of report.nearest && !named ? [["allocated", report.nearest.allocated_by], ["freed", report.nearest.freed_by]] : [])
        if (by)
          lines.push("    " + word + " by " + text(by.function) + " in thread " + text(by.thread) + " (" +
            text(by.thread_name) + ")");
    }
    if (report.origin)
      side("from " + text(report.origin.place) + ", which nothing has written" + (report.origin.function ? ", read" : ""),
        report.origin);
    if (report.count > 1) lines.push("  " + number(report.count) + " times");
    return lines.join("\n");
  }

  const findings = () => reports.filter(r => text(r.kernel) === scope.kernel);

  /* Whether a row is the place that a report names: an instruction has its offset, a line of text its number. What was
     inlined is also at the lines of the calls. */
  function concerns(row, side) {
    if (!side || !side.pc) return false;
    if (row.place) return row.place === (side.function ? text(side.function) + "+" + side.offset : text(side.pc));
    return row.first && linksOf(side).includes(row.link);
  }
  const belongs = (row, report) => concerns(row, report) || concerns(row, report.other) || concerns(row, report.origin);

  /* What stands below a row: what happened, unless only the other side of it, or the beginning, is there. */
  function remark(row, report) {
    const part = concerns(row, report) ? "" : concerns(row, report.other) ? "the other access: " : "the value comes from here: ";
    return part + text(report.text) + " [" + text(report.id) + "]" + (report.count > 1 ? ", " + number(report.count) + " times" : "");
  }

  /* The findings of all kernels; a click leads to the kernel and the line. */
  function showFindings() {
    const MOST = 200;
    const list = byId("findings");
    for (const report of reports.slice(0, MOST)) {
      const button = make("button", { type: "button", class: report.kind === "fault" ? "fault" : "finding" }, describe(report));
      button.addEventListener("click", () => goToReport(report));
      list.append(make("li", {}, button));
    }
    if (reports.length > MOST) list.after(make("p", { class: "note" }, "Only the first " + MOST + " of " + number(reports.length) +
      " are listed; all are shown at their lines."));
    if (!reports.length) list.replaceWith(make("p", { id: "findings" }, "None."));
  }

  /* ---- columns ---- */

  function makePane(kind, title, rows, index) {
    const seen = new Set();
    for (const row of rows) {
      row.first = row.link && !seen.has(row.link);
      seen.add(row.link);
    }
    const pane = { title, rows, index, kind, element: make("div", { class: "pane", id: "pane" + index }),
      body: make("div", { class: "rows", role: "listbox", "aria-label": title, tabindex: "0" }) };
    pane.element.append(make("h3", {}, title), pane.body);
    const mine = findings();
    rows.forEach((row, i) => {
      row.pane = pane;
      row.index = i;
      row.heat = make("span", { class: "heat" });
      row.element = make("div", { class: row.gap ? "row gap" : "row", role: "option", "aria-selected": "false",
        id: "r" + index + "-" + i }, make("span", { class: "number" }, text(row.number)), row.heat,
        make("span", { class: "text" }, row.text || " "));
      row.element.addEventListener("click", () => choose(row, true));
      pane.body.append(row.element);
      row.reports = mine.filter(report => belongs(row, report));
      if (row.reports.length)
        row.element.children[0].prepend(make("span", { class: "mark", title: row.reports.length === 1 ? "finding"
          : row.reports.length + " findings" }, "\u25cf "));
      for (const report of row.reports)
        pane.body.append(make("div", { class: report.kind === "fault" ? "remark fault" : "remark", role: "note" }, remark(row, report)));
    });
    return pane;
  }

  /* The columns: source, HSAIL, machine code. A column shows one of its files at a time. */
  function makePanes() {
    const sums = new Map(), files = [];
    for (const i of instructions()) {
      for (const link of linksOf(i))
        if (link) sums.set(link, add(sums.get(link) || {}, i.count));
      for (const file of [i.file, ...i.called.map(c => c.file)])
        if (file && !files.includes(baseName(file))) files.push(baseName(file));
    }
    for (const r of findings())
      for (const side of [r, r.other || {}, r.origin || {}])
        if (side.file && !files.includes(baseName(side.file))) files.push(baseName(side.file));
    panes = [];
    const cycles = new Map();
    for (const [link, c] of sums) cycles.set(link.split("\n")[0], (cycles.get(link.split("\n")[0]) || 0) + (c.cycles || 0));
    const heat = s => cycles.get(baseName(s.name)) || 0;
    const hot = list => list.map(s => [s, heat(s)]).sort((a, b) => b[1] - a[1]).map(pair => pair[0]);
    const sources = hot(data.sources.filter(s => !s.hsail && files.includes(baseName(s.name))));
    for (const source of [...sources, ...hot(data.sources.filter(s => s.hsail))])
      panes.push(makePane(source.hsail ? "hsail" : "source", (source.hsail ? "HSAIL " : "Source ") + source.name,
        sourceRows(source, sums), panes.length));
    panes.push(makePane("code", "Machine code", codeRows(), panes.length));
    byId("panes").replaceChildren(...panes.map(p => p.element));
    lit = [];
    index = new Map();
    for (const pane of panes)
      for (const row of pane.rows)
        for (const link of row.links || [row.link])
          if (link && index.has(link)) index.get(link).push(row);
          else if (link) index.set(link, [row]);
    columns = ["source", "hsail", "code"].map(kind => panes.filter(p => p.kind === kind)).filter(list => list.length);
    for (const column of columns) addChoice(column);
    const tabs = columns.map(column => {
      const tab = make("button", { type: "button", role: "tab", "aria-controls": column[0].element.id }, column.length > 1
        ? { source: "Source", hsail: "HSAIL" }[column[0].kind] : column[0].title);
      tab.addEventListener("click", () => showPane(column.shown));
      return tab;
    });
    byId("tabs").replaceChildren(...tabs);
    for (const column of columns.slice().reverse()) showPane(column[0]);
  }

  /* Where a column has several files, each of its panes begins with a list of them. */
  function addChoice(column) {
    if (column.length === 1) return;
    for (const pane of column) {
      const select = make("select", { "aria-label": "File of this column" });
      column.forEach((p, i) => select.append(make("option", { value: String(i) }, p.title)));
      select.value = String(column.indexOf(pane));
      select.addEventListener("change", () => {
        showPane(column[Number(select.value)]);
        select.value = String(column.indexOf(pane));
        column.shown.element.querySelector("select").focus();
      });
      pane.element.firstChild.replaceChildren(select);
    }
  }

  /* Has PANE be the one of its column that is seen, and its column the one that a small screen shows. */
  function showPane(pane, behind) {
    columns.forEach((column, i) => {
      if (column.includes(pane)) column.shown = pane;
      if (behind) return;
      const here = column.includes(pane);
      byId("tabs").children[i].setAttribute("aria-selected", String(here));
      byId("tabs").children[i].setAttribute("aria-controls", (column.shown || column[0]).element.id);
      column.forEach(p => p.element.classList.toggle("shown", here));
    });
    for (const column of columns)
      for (const p of column) p.element.hidden = p !== (column.shown || column[0]);
  }

  function showHeat() {
    byId("legend").textContent = metric.legend + " A line's number is the sum of its instructions, and of those of functions that were inlined there.";
    const has = row => row.count && row.count.executed && (!metric.some || metric.some(row.count));
    for (const pane of panes) {
      let most = metric.full || 0;
      for (const row of pane.rows) if (!metric.full && has(row)) most = Math.max(most, metric.heat(row.count));
      for (const row of pane.rows) {
        const share = has(row) ? ratio(metric.heat(row.count), most) : 0;
        row.share = share;
        row.heat.textContent = has(row) ? metric.show(row.count) : "";
        row.heat.style.setProperty("--share", (100 * share).toFixed(1) + "%");
      }
    }
  }

  /* ---- choosing lines ---- */

  function scrollTo(row) {
    const body = row.pane.body, top = row.element.offsetTop - body.offsetTop;
    if (top < body.scrollTop || top + row.element.offsetHeight > body.scrollTop + body.clientHeight)
      body.scrollTop = Math.max(0, top - body.clientHeight / 3);
  }

  /* Whether OTHER belongs to the line or instruction ROW: an instruction has several lines, a line is one. */
  function isLinked(row, other) {
    if (row.place && other.place) return Boolean(row.link) && other.link === row.link;
    if (row.place) return row.links.includes(other.link) && Boolean(other.link);
    if (other.place) return Boolean(row.link) && other.links.includes(row.link);
    return Boolean(row.link) && other.link === row.link;
  }

  /* Which of the rows that are linked with ROW is shown: where the same finding is, else one of the same line. */
  const worth = (row, other) => (row.reports.some(r => concerns(row, r) && concerns(other, r)) ? 2 : 0) + (other.link === row.link ? 1 : 0);

  /* The rows that are linked with ROW, by an index that is made with the columns: there may be many thousands. */
  const linkedWith = row => [...new Set((row.place ? row.links : [row.link]).flatMap(link => (link && index.get(link)) || []))]
    .filter(other => isLinked(row, other));

  function choose(row, focus) {
    for (const old of lit) {
      old.element.classList.remove("linked", "chosen");
      old.element.setAttribute("aria-selected", "false");
    }
    chosen = row;
    lit = [...new Set([row, ...linkedWith(row)])];
    const best = new Map(); /* of each column */
    for (const other of lit) {
      other.element.classList.add(other === row ? "chosen" : "linked");
      other.element.setAttribute("aria-selected", "true");
      const column = columns.find(c => c.includes(other.pane)), first = best.get(column);
      if (!first || worth(row, other) > worth(row, first) || (worth(row, other) === worth(row, first) &&
        (other.pane === first.pane ? other.index < first.index : other.pane === column.shown))) best.set(column, other);
    }
    for (const [column, other] of best) {
      if (column.includes(row.pane)) continue;
      showPane(other.pane, true);
      scrollTo(other);
    }
    row.pane.body.setAttribute("aria-activedescendant", row.element.id);
    showPane(row.pane);
    scrollTo(row);
    if (focus) row.pane.body.focus({ preventScroll: true });
    showDetail(row);
  }

  function facts(count) {
    const list = [["executed by waves", number(count.executed)],
      ["lanes active", percent(ratio(count.lanes, 64 * count.executed))], ["cycles, estimated", number(count.cycles)]];
    if (count.taken || count.mixed)
      list.push(["branches taken", number(count.taken)], ["with some work-items only", number(count.mixed)]);
    for (const segment in count.bytes || {})
      for (const way in count.bytes[segment])
        if (count.bytes[segment][way]) list.push([segment + " bytes, " + way, number(count.bytes[segment][way])]);
    if (count.cache_lines)
      list.push(["cache lines", number(count.cache_lines)],
        ["of them accessed", percent(ratio(count.cache_bytes, 64 * count.cache_lines))]);
    if (count.lds_passes)
      list.push(["passes of group memory", number(count.lds_passes)], ["bank conflicts", number(count.bank_conflicts)]);
    if (count.waited) list.push(["cycles waited at barriers", number(count.waited)]);
    if (count.undescribed) list.push(["accesses not described", number(count.undescribed)]);
    return list;
  }

  function showDetail(row) {
    const body = byId("detail-body");
    body.replaceChildren(make("p", { class: "code" }, (row.link ? row.link.replace("\n", ":") + "  " : "") + row.text));
    for (const report of row.reports || [])
      body.append(make("p", { class: "remark" + (report.kind === "fault" ? " fault" : "") }, describe(report)));
    if (row.count && row.count.executed) {
      const table = make("table", {});
      for (const [name, value] of facts(row.count))
        table.append(make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "n" }, value)));
      body.append(table);
    } else if (!row.gap) {
      body.append(make("p", { class: "note" }, "No instruction that was executed belongs to this line."));
    }
  }

  function goToReport(report) {
    if (text(report.kernel) !== scope.kernel) {
      scope = scopes.find(s => s.kernel === text(report.kernel)) || scope;
      byId("scope").value = String(scopes.indexOf(scope));
      showAll();
    }
    for (const column of columns)
      for (const pane of [column.shown, ...column]) {
        const row = pane.rows.find(r => concerns(r, report));
        if (row) {
          choose(row, true);
          row.pane.element.scrollIntoView({ block: "nearest" });
          return;
        }
      }
  }

  function step(by) {
    if (!chosen) return choose(panes[0].rows[0], true);
    const row = chosen.pane.rows[Math.min(chosen.pane.rows.length - 1, Math.max(0, chosen.index + by))];
    return choose(row, true);
  }

  function beside(by) {
    const from = chosen || panes[0].rows[0];
    const at = columns.findIndex(column => column.includes(from.pane));
    const pane = columns[(at + by + columns.length) % columns.length].shown;
    choose(pane.rows.find(r => isLinked(from, r)) || pane.rows.find(r => !r.gap) || pane.rows[0], true);
  }

  /* Chooses the row that is BY places after the chosen one in ROWS, or the first if the chosen one is not there. */
  function next(rows, by) {
    if (!rows.length) return;
    const at = rows.indexOf(chosen);
    choose(rows[at < 0 ? 0 : (at + by + rows.length) % rows.length], true);
  }
  function hottest(by) {
    const pane = chosen ? chosen.pane : panes[0];
    next(pane.rows.filter(r => r.share > 0).sort((a, b) => b.share - a.share || a.index - b.index), by);
  }
  function found(by) {
    const pane = chosen ? chosen.pane : panes.find(p => p.rows.some(r => r.reports.length)) || panes[0];
    next(pane.rows.filter(r => r.reports.length), by);
  }

  /* ---- summary, waves, memory ---- */

  function showSummary() {
    const total = {}, list = [];
    for (const c of scope.counts) add(total, c.total || {});
    const one = scope.counts.length === 1 ? scope.counts[0] : null;
    list.push(["kernel", scope.title || "none"]);
    if (scope.title !== scope.kernel) list.push(["symbol", scope.kernel]);
    if (scope.counts.length) {
      const first = scope.counts[0], registers = first.registers || {}, occupancy = first.occupancy || {};
      list.push(["processor", text(first.target)]);
      if (one) list.push(["grid, group", ids(one.grid) + ", " + ids(one.group)]);
      list.push(["waves", number(scope.counts.reduce((n, c) => n + Number(c.waves || 0), 0))],
        ["instructions of waves", number(total.executed)],
        ["lanes active", percent(ratio(total.lanes, 64 * total.executed))],
        ["cycles, estimated", number(total.cycles)]);
      if (occupancy.waves !== undefined)
        list.push(["occupancy", text(occupancy.waves) + " waves of a SIMD, limited by " + text(occupancy.limit)]);
      if (registers.vgprs_allocated !== undefined)
        list.push(["registers", registers.vgprs_allocated + " vector, " + text(registers.sgprs_allocated) + " scalar"]);
      if (total.cache_lines)
        list.push(["of touched cache lines", percent(ratio(total.cache_bytes, 64 * total.cache_lines)) + " accessed"]);
      if (total.lds_passes) list.push(["bank conflicts", number(total.bank_conflicts)]);
      if (scope.counts.some(c => c.complete === false)) list.push(["counts", "not complete: memory ran out"]);
    }
    list.push(["findings", number(findings().length) + (findings().length < reports.length ? ", and " +
      number(reports.length - findings().length) + " in other kernels" : "")]);
    byId("summary").replaceChildren(...list.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    document.title = (scope.title || "Kernel") + " \u2013 report";
    document.querySelector("h1").textContent = data.title || "Kernel report";
  }

  const svg = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };

  function showWaves() {
    const mine = timelines.filter(t => text(t.kernel) === scope.kernel &&
      (scope.dispatch === undefined || t.dispatch === scope.dispatch));
    byId("time").hidden = !mine.length;
    const longest = Math.max(1, ...mine.flatMap(t => t.timeline.map(w => w.lanes.length * w.step)));
    byId("waves").replaceChildren(...mine.flatMap(t => t.timeline.map(w => {
      const mean = ratio(w.lanes.reduce((a, b) => a + Number(b), 0), w.lanes.length);
      const name = "group " + ids(w.group) + " wave " + text(w.wave);
      const picture = svg("svg", { viewBox: "0 0 " + longest + " 64", preserveAspectRatio: "none", role: "img",
        "aria-label": name + ": " + mean.toFixed(1) + " lanes active in the mean" });
      w.lanes.forEach((lanes, i) => {
        const high = lanes > 0 ? Math.max(lanes, 5) : 0; /* a single lane is to be seen, too */
        picture.append(svg("rect", { x: i * w.step, y: 64 - high, width: w.step, height: high }));
      });
      return make("div", { class: "wave" }, make("span", {}, name), picture, make("span", {}, mean.toFixed(1) + " lanes"));
    })));
  }

  /* Says in words which addresses the lanes accessed in one execution of an instruction. */
  function pattern(offsets) {
    const steps = new Set();
    for (let i = 1; i < offsets.length; i++) steps.add(offsets[i] - offsets[i - 1]);
    if (offsets.length < 2) return "one lane";
    if (steps.size === 1) return [...steps][0] === 0 ? "the same address" : "a step of " + [...steps][0] + " bytes";
    return steps.size <= 4 ? "steps of " + [...steps].slice(0, 4).join(", ") + " bytes" : "scattered";
  }

  function showMemory() {
    const rows = panes[panes.length - 1].rows.filter(r => r.count && (r.count.bytes || r.count.cache_lines || r.count.lds_passes));
    byId("memory").hidden = !rows.length;
    const head = ["Line", "Instruction", "Bytes", "Lines touched", "Accessed of them", "Bank conflicts", "Lanes of one wave"];
    const table = byId("accesses");
    table.replaceChildren(make("tr", {}, ...head.map(h => make("th", { scope: "col" }, h))));
    for (const row of rows) {
      const c = row.count, bytes = Object.keys(c.bytes || {}).map(segment => segment + " " +
        Object.keys(c.bytes[segment]).filter(way => c.bytes[segment][way]).map(way => number(c.bytes[segment][way]) + " " + way)
          .join(", ")).join("; ");
      const button = make("button", { type: "button" }, row.link ? row.link.replace("\n", ":") : text(row.number));
      button.addEventListener("click", () => choose(row, true));
      const cell = make("td", {});
      if (row.offsets && row.offsets.length) {
        const low = Math.min(...row.offsets), high = Math.max(...row.offsets, low + 1);
        const picture = svg("svg", { class: "lanes", viewBox: "-2 -4 68 72", preserveAspectRatio: "none", "aria-hidden": "true" });
        row.offsets.forEach((o, i) => picture.append(svg("circle", { cx: i, cy: 64 - (64 * (o - low)) / (high - low), r: 1 })));
        cell.append(pattern(row.offsets), picture);
      }
      const cells = make("tr", {}, make("td", {}, button), make("td", { class: "code" }, row.text), make("td", {}, bytes),
        make("td", { class: "n" }, c.cache_lines ? number(c.cache_lines) : ""),
        make("td", { class: "n" }, c.cache_lines ? percent(ratio(c.cache_bytes, 64 * c.cache_lines)) : ""),
        make("td", { class: "n" }, c.lds_passes ? number(c.bank_conflicts) : ""), cell);
      [...cells.children].forEach((c, i) => { c.dataset.head = head[i]; }); // narrow pages have no row of heads
      table.append(cells);
    }
  }

  /* ---- the page ---- */

  function showAll() {
    chosen = null;
    showSummary();
    makePanes();
    showHeat();
    showWaves();
    showMemory();
    byId("detail-body").replaceChildren(make("p", { class: "note" }, "Choose a line with the arrow keys or by a click."));
    const first = panes.find(p => p.rows.some(r => r.reports.length));
    if (first) choose(first.rows.find(r => r.reports.length), false);
  }

  function fill(select, items, use) {
    items.forEach((item, i) => select.append(make("option", { value: String(i) }, item.name)));
    select.addEventListener("change", () => use(items[Number(select.value)]));
  }

  function setTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    byId("theme").setAttribute("aria-pressed", String(dark));
  }

  const KEYS = {
    ArrowUp: () => step(-1), ArrowDown: () => step(1), ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
    PageUp: () => step(-20), PageDown: () => step(20), Home: () => step(-Infinity), End: () => step(Infinity),
    h: () => hottest(1), H: () => hottest(-1), n: () => found(1), p: () => found(-1),
    m: () => {
      const select = byId("metric");
      select.value = String((Number(select.value) + 1) % METRICS.length);
      metric = METRICS[Number(select.value)];
      showHeat();
    },
    "?": () => byId("help").click(),
  };
  const LETTERS = ["h", "H", "n", "p", "m", "?"];

  document.addEventListener("keydown", event => {
    const action = KEYS[event.key];
    const inRows = event.target.classList && event.target.classList.contains("rows");
    const typing = /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName || "");
    if (!action || event.ctrlKey || event.altKey || event.metaKey || typing) return;
    if (!inRows && !LETTERS.includes(event.key)) return;
    action();
    event.preventDefault();
  });
  byId("theme").addEventListener("click", () => setTheme(byId("theme").getAttribute("aria-pressed") !== "true"));
  byId("help").addEventListener("click", () => {
    byId("keys").hidden = !byId("keys").hidden;
    byId("help").setAttribute("aria-expanded", String(!byId("keys").hidden));
  });
  if (window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches) byId("theme").setAttribute("aria-pressed", "true");
  /* What an address such as page.html#kernel=1,heat=2,theme=dark chooses at the start. */
  const wish = new URLSearchParams(location.hash.slice(1).replace(/,/g, "&"));
  scope = scopes[Number(wish.get("kernel"))] || scope;
  metric = METRICS[Number(wish.get("heat"))] || metric;
  if (wish.has("theme")) setTheme(wish.get("theme") === "dark");
  fill(byId("scope"), scopes, item => { scope = item; showAll(); });
  fill(byId("metric"), METRICS, item => { metric = item; showHeat(); });
  byId("scope").value = String(scopes.indexOf(scope));
  byId("metric").value = String(METRICS.indexOf(metric));
  showFindings();
  byId("made").textContent = "Made by hsa-report " + text(data.version) + ". This page loads nothing from anywhere.";
  showAll();
  document.documentElement.dataset.ready = "true";
})();
