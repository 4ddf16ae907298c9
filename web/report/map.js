// The map: a row a check, a column a node; the worst of a check's verdicts on a node is its cell. Many nodes of which
// all checks say the same share a column, so that a cluster of thousands shows its odd ones. Drawn on one canvas that
// holds only what is in view; arrows move a cursor, Enter goes to what it stands on.

const MANY_COLUMNS = 48;
const HIGHEST_HEAD = 96;

function mapColumns(report) {
  const checks = [...report.checks.keys()];
  const index = new Map(checks.map((id, i) => [id, i]));
  const columns = [];
  for (const [path, verdicts] of report.hosts) {
    const cells = new Uint8Array(checks.length);  // 0: nothing said; else 1 + place among STATUSES
    for (const verdict of verdicts) {
      const at = index.get(verdict.check), code = 1 + STATUSES.indexOf(verdict.status);
      if (!cells[at] || code < cells[at]) cells[at] = code;
    }
    if (path || verdicts.length) columns.push({hosts: [path], name: path ? wordsOf(path) : "cluster", cells});
  }
  return columns.length > MANY_COLUMNS ? sameTogether(columns) : columns;
}

function sameTogether(columns) {
  const groups = new Map();
  for (const column of columns) {
    const key = column.cells.join();
    const known = groups.get(key);
    if (known) known.hosts.push(column.hosts[0]);
    else groups.set(key, column);
  }
  for (const column of groups.values())
    if (column.hosts.length > 1) column.name = column.hosts.length + " alike, " + wordsOf(column.hosts[0]) + " …";
  return [...groups.values()];
}

class NodeMap {
  constructor(report, section, go) {
    this.report = report;
    this.go = go;
    this.rows = [...report.checks.values()].filter((check) => check.verdicts.some((verdict) => verdict.status !== "not_applicable"));
    this.all = [...report.checks.keys()];
    this.columns = mapColumns(report);
    this.cursor = null;
    this.canvas = el("canvas", {tabindex: "0", role: "img", "aria-label": "Map of " + this.columns.length + " columns of nodes and " + this.rows.length + " checks; arrows move, Enter opens"});
    this.spacer = el("div", {});
    this.box = el("div", {class: "map"}, this.canvas, this.spacer);
    this.says = el("p", {class: "map-says", "aria-live": "polite"}, "Point at a cell, or move with the arrow keys.");
    const idle = report.checks.size - this.rows.length;
    if (idle) this.says.append(idle === 1 ? " One check that applies to nothing here is left out." : " " + idle + " checks that apply to nothing here are left out.");
    section.append(el("p", {class: "legend"}, STATUSES.map((status) => el("span", {}, mark(status), STATUS_WORDS[status]))), this.box, this.says);
    append(section, hostLinks(report));
    section.hidden = false;
    this.listen();
    this.measure();
  }

  listen() {
    this.box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.measure()).observe(this.box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    for (const media of ["beforeprint", "afterprint"]) addEventListener(media, () => this.measure(media === "beforeprint"));
    this.canvas.addEventListener("mousemove", (event) => this.point(this.cellAt(event)));
    this.canvas.addEventListener("click", (event) => {
      const cell = this.cellAt(event), again = cell && this.cursor && cell.row === this.cursor.row && cell.column === this.cursor.column;
      this.point(cell);
      if (again || matchMedia("(hover: hover)").matches) this.open();  // a finger's first tap tells, its second opens
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  measure(printing) {
    const width = printing ? 660 : this.box.clientWidth;
    this.printing = printing;
    this.labels = this.labelWidth(width);
    const room = width - this.labels;
    this.cell = Math.min(Math.max(Math.floor(room / Math.max(this.columns.length, 1)), 5), 34);
    this.row = 22;
    this.head = this.cell >= 12 ? this.headHeight() : 8;
    this.full = {width: this.labels + this.cell * this.columns.length + 12, height: this.head + this.row * this.rows.length + 4};
    this.view = {width, height: printing ? this.full.height : Math.min(this.full.height, 544)};
    // The canvas stays in view while the box scrolls over the whole.
    this.spacer.style.width = Math.max(this.full.width, 1) + "px";
    this.spacer.style.height = Math.max(this.full.height - this.view.height, 0) + "px";
    this.draw();
  }

  // What the longest title needs, but never more than leaves room for the cells.
  labelWidth(width) {
    const pen = this.textPen();
    const longest = Math.max(...this.rows.map((check) => pen.measureText(oneLine(check.title)).width), 0) + 24;
    return Math.min(longest, Math.max(width * 0.5, 130), 420);
  }

  textPen() {
    const pen = this.canvas.getContext("2d");
    pen.font = "13px " + this.inks().font;
    return pen;
  }

  headHeight() {
    const pen = this.textPen();
    const names = this.columns.slice(0, MANY_COLUMNS).map((column) => pen.measureText(oneLine(column.name)).width);
    return Math.min(Math.max(...names, 0) + 20, HIGHEST_HEAD);
  }

  draw() {
    const ratio = devicePixelRatio || 1, {width, height} = this.view;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = width + "px";
    this.canvas.style.height = height + "px";
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const ink = this.inks();
    const left = this.box.scrollLeft, top = this.box.scrollTop;
    const first = {row: Math.floor(top / this.row), column: Math.floor(left / this.cell)};
    pen.save();
    pen.beginPath();
    pen.rect(this.labels, this.head, width, height);
    pen.clip();
    for (let r = first.row; r < this.rows.length && this.head + r * this.row - top < height; r++)
      for (let c = first.column; c < this.columns.length && this.labels + c * this.cell - left < width; c++)
        this.drawCell(pen, ink, r, c, this.labels + c * this.cell - left, this.head + r * this.row - top);
    pen.restore();
    this.drawLabels(pen, ink, first, left, top);
  }

  drawLabels(pen, ink, first, left, top) {
    const {width, height} = this.view;
    pen.fillStyle = ink.text;
    pen.font = "13px " + ink.font;
    pen.textBaseline = "middle";
    pen.save();
    pen.beginPath();
    pen.rect(0, this.head, this.labels - 8, height);
    pen.clip();
    for (let r = first.row; r < this.rows.length && this.head + r * this.row - top < height; r++)
      pen.fillText(fitted(pen, oneLine(this.rows[r].title), this.labels - 16), 6, this.head + r * this.row - top + this.row / 2);
    pen.restore();
    if (this.cell < 12) return;
    pen.save();
    pen.beginPath();
    pen.rect(this.labels, 0, width, this.head);
    pen.clip();
    for (let c = first.column; c < this.columns.length && this.labels + c * this.cell - left < width; c++) {
      pen.save();
      pen.translate(this.labels + c * this.cell - left + this.cell / 2, this.head - 8);
      pen.rotate(-Math.PI / 2);
      pen.fillText(fitted(pen, oneLine(this.columns[c].name), this.head - 14), 0, 0);
      pen.restore();
    }
    pen.restore();
  }

  drawCell(pen, ink, r, c, x, y) {
    const status = this.statusAt(r, c);
    const gap = this.cell >= 10 ? 2 : 0.5;
    const w = this.cell - 2 * gap, h = this.row - 2 * gap;
    pen.fillStyle = ink[status || "paper"];
    pen.fillRect(x + gap, y + gap, w, h);
    if (this.cell >= 14 && GLYPHS[status]) {
      pen.fillStyle = ink.glyph[status];
      pen.font = "700 12px " + ink.font;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(GLYPHS[status], x + this.cell / 2, y + this.row / 2 + 1);
      pen.textAlign = "start";
    }
    if (this.cursor && this.cursor.row === r && this.cursor.column === c) {
      pen.strokeStyle = ink.text;
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, this.cell - 2, this.row - 2);
    }
  }

  inks() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue("--" + name).trim();
    const ink = {text: this.printing ? "#000" : color("ink"), paper: "transparent", font: color("sans"), glyph: {fail: "#fff", warn: "#222", unknown: color("ink")}};
    for (const status of STATUSES) ink[status] = color(status === "not_applicable" ? "none-fill" : status + "-fill");
    return ink;
  }

  statusAt(r, c) {
    const code = this.columns[c].cells[this.all.indexOf(this.rows[r].id)];
    return code ? STATUSES[code - 1] : null;
  }

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.labels + this.box.scrollLeft) / this.cell);
    const row = Math.floor((event.clientY - box.top - this.head + this.box.scrollTop) / this.row);
    if (event.clientY - box.top < this.head || row < 0 || row >= this.rows.length) return null;
    if (event.clientX - box.left < this.labels || column < 0 || column >= this.columns.length) return null;
    return {row, column};
  }

  point(cell) {
    const moved = cell && (!this.cursor || cell.row !== this.cursor.row || cell.column !== this.cursor.column);
    if (!moved) return;
    this.cursor = cell;
    this.draw();
    const check = this.rows[cell.row], column = this.columns[cell.column];
    const said = this.verdictsAt(check, column);
    const status = worst(said);
    this.says.textContent = "";
    append(this.says, status ? [el("b", {}, column.name), ", ", link(["check", check.id], check.title), ": ", tag(status), " ", said.find((one) => one.status === status).why]
      : [el("b", {}, column.name), ", " + check.title + ": says nothing here"]);
  }

  verdictsAt(check, column) {
    return this.report.hosts.get(column.hosts[0]).filter((verdict) => verdict.check === check.id);
  }

  open() {
    if (!this.cursor) return;
    const check = this.rows[this.cursor.row], column = this.columns[this.cursor.column];
    const said = this.verdictsAt(check, column);
    const first = said.find((one) => one.status === worst(said));
    this.go(first && column.hosts.length === 1 ? ["verdict", check.id, first.subject] : ["check", check.id]);
  }

  key(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (event.key === "Enter") return this.open();
    if (!step) return;
    event.preventDefault();
    const from = this.cursor || {row: -step[0], column: -step[1]};
    const cell = {
      row: Math.min(Math.max(from.row + step[0], 0), this.rows.length - 1),
      column: Math.min(Math.max(from.column + step[1], 0), this.columns.length - 1),
    };
    this.intoView(cell);
    this.point(cell);
  }

  intoView(cell) {
    const x = cell.column * this.cell, y = cell.row * this.row;
    const wide = this.view.width - this.labels - this.cell, high = this.view.height - this.head - this.row;
    this.box.scrollLeft = Math.min(Math.max(this.box.scrollLeft, x - wide), x);
    this.box.scrollTop = Math.min(Math.max(this.box.scrollTop, y - high), y);
  }
}

// Every node by name, the worst first.
function hostLinks(report) {
  const hosts = [...report.hosts].filter(([path]) => path).map(([path, verdicts]) => ({path, status: worst(verdicts) || "unknown"}));
  hosts.sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  return listed(hosts, ({path, status}) => el("li", {}, mark(status), link(["node", path], wordsOf(path))), "links", MANY_COLUMNS);
}

const GLYPHS = {fail: "×", warn: "!", unknown: "?"};

function fitted(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(text.slice(0, middle) + "…").width <= width) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low) + "…";
}
