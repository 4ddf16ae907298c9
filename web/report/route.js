// Which view is shown: the part of the address after "#/". Back and forward work, and every view can be linked to.

function start() {
  const report = unpack(JSON.parse(document.getElementById("data").textContent));
  const overview = document.getElementById("overview");
  const detail = document.getElementById("detail");
  const go = (route) => { location.hash = "#/" + route.map(encodeURIComponent).join("/"); };
  const views = new Map(Object.entries({criterion: criterionView, check: checkView, node: nodeView, verdict: verdictView}));
  const title = document.title;
  let left = 0;  // where the overview was left

  function show() {
    const parts = routeOf(location.hash);
    const view = parts && views.get(parts[0]);
    if (!overview.hidden) left = scrollY;
    overview.hidden = Boolean(view);
    detail.hidden = !view;
    document.title = title;
    if (!view) {
      if (!location.hash) scrollTo(0, left);
      const anchor = /^#[a-z-]+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
      if (anchor) anchor.scrollIntoView();
      return;
    }
    const shown = view(report, ...parts.slice(1));
    detail.replaceChildren(crumbs(shown.crumbs), el("h2", {}, shown.title));
    append(detail, shown.body);
    document.title = oneLine(shown.title) + " – " + title;
    scrollTo(0, 0);
    detail.focus({preventScroll: true});
  }

  function crumbs(steps) {
    return el("ul", {class: "crumbs"}, el("li", {}, el("a", {href: "#"}, "Report")),
      steps.filter(Boolean).map(([route, text]) => el("li", {}, link(route, text))));
  }

  addEventListener("hashchange", show);
  addEventListener("beforeprint", () => document.querySelectorAll("#matters details").forEach((one) => { one.open = true; }));
  document.querySelectorAll("#overview a[href='#']").forEach((one) => one.remove());
  filterChecks(report, document.getElementById("checks"));
  new NodeMap(report, document.getElementById("map"), go);
  show();
}

function routeOf(hash) {
  if (!hash.startsWith("#/")) return null;
  try {
    return hash.slice(2).split("/").map(decodeURIComponent);
  } catch {
    return null;  // a broken link shows the report
  }
}

// A field and buttons that narrow the table of checks.
function filterChecks(report, section) {
  const rows = [...section.querySelectorAll("tr[data-check]")];
  if (!rows.length) return;
  const field = el("input", {type: "search", placeholder: "Find a check", "aria-label": "Find a check"});
  const chosen = new Set();
  const buttons = STATUSES.filter((status) => rows.some((row) => row.dataset.status === status)).map((status) => {
    const button = el("button", {type: "button", "aria-pressed": "false"}, mark(status), STATUS_WORDS[status]);
    button.addEventListener("click", () => {
      if (!chosen.delete(status)) chosen.add(status);
      button.setAttribute("aria-pressed", String(chosen.has(status)));
      narrow();
    });
    return button;
  });
  const none = el("p", {class: "note", hidden: ""}, "No check is like that.");
  function narrow() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = (row.textContent + " " + row.dataset.check).toLowerCase();
      row.hidden = (chosen.size && !chosen.has(row.dataset.status)) || !words.every((word) => text.includes(word));
    }
    for (const group of section.querySelectorAll("tbody"))
      group.hidden = [...group.querySelectorAll("tr[data-check]")].every((row) => row.hidden);
    none.hidden = rows.some((row) => !row.hidden);
  }
  field.addEventListener("input", narrow);
  section.querySelector("h2").after(el("div", {class: "controls"}, field, buttons), none);
}

start();
