// What the way down shows: a criterion, a check, a node, and one verdict with the observations and raw output it rests
// on. Each view is a list of elements.

const MOST_LISTED = 200;

function titled(tag, text, ...more) {
  return el(tag, {}, text, ...more);
}

function definitions(entries) {
  return el("dl", {}, entries.filter(([, content]) => content && content !== "" && content.length !== 0)
    .map(([name, content]) => [el("dt", {}, name), el("dd", {}, content)]));
}

function tag(status) {
  return el("span", {class: "tag " + status}, STATUS_WORDS[status]);
}

function statusHeading(status) {
  return el("h3", {class: "status"}, mark(status), el("span", {class: "tag " + status}, STATUS_WORDS[status]));
}

function countsOf(verdicts) {
  return byStatus(verdicts).map(([status, some], i) => [i ? " · " : null, STATUS_WORDS[status] + (status === "not_applicable" ? " to " : " on ") + some.length]);
}

// Long lists open bit by bit.
function listed(items, row, className, most = MOST_LISTED) {
  const list = el("ul", {class: className}, items.slice(0, most).map(row));
  if (items.length <= most) return list;
  const more = el("button", {type: "button"}, "Show " + (items.length - most) + " more");
  more.addEventListener("click", () => {
    more.parentElement.remove();
    append(list, items.slice(most).map(row));
  });
  return [list, el("p", {class: "controls"}, more)];
}

function ratingOf(report) {
  return report.rating && typeof report.rating === "object" ? report.rating : {};
}

function criteriaOf(report) {
  const criteria = ratingOf(report).criteria;
  return Array.isArray(criteria) ? criteria : [];
}

function criterionTitle(report, id) {
  const found = criteriaOf(report).find((criterion) => criterion.id === id);
  return found && found.title ? found.title : id.charAt(0).toUpperCase() + id.slice(1);
}

function spanText(span) {
  if (!span || typeof span.low !== "number" || typeof span.high !== "number") return "not scored";
  const low = Math.round(span.low * 100), high = Math.round(span.high * 100);
  return (low === high ? low : low + " to " + high) + " of 100";
}

function percentText(share) {
  return Math.round((share || 0) * 100) + " %";
}

// ---- a criterion

function criterionView(report, id) {
  const criterion = criteriaOf(report).find((one) => one.id === id) || {id, items: []};
  const items = Array.isArray(criterion.items) ? criterion.items : [];
  const named = new Set(items.flatMap((item) => item.checks || []));
  const others = [...report.checks.values()].filter((check) => check.criterion === id && !named.has(check.id));
  return {
    title: criterionTitle(report, id),
    crumbs: [],
    body: [
      el("p", {}, criterion.score ? spanText(criterion.score) + ", " + percentText(criterion.seen) + " seen, weight " + criterion.weight : null),
      byStatus(items).map(([status, some]) => [
        statusHeading(status),
        listed(some, (item) => itemRow(report, item), "rows"),
      ]),
      others.length ? [titled("h3", "Checks that serve no item"), listed(others, checkRow, "rows")] : null,
    ],
  };
}

const WAYS = {
  audit: "looking", bench: "measuring", burn: "running for hours", drill: "breaking it on purpose",
  asked: "the provider’s answer", felt: "the trial",
};

function itemRow(report, item) {
  const ways = Array.isArray(item.how) ? item.how : [];
  const checks = (item.checks || []).map((id) => report.checks.get(id)).filter(Boolean);
  const facts = [item.critical ? "critical" : null, "known by " + ways.map((way) => WAYS[way] || way).join(", ")].filter(Boolean).join(" · ");
  return el("li", {}, el("b", {}, item.title || item.id), " ", el("span", {class: "soft small"}, facts),
    item.note ? el("p", {class: "soft"}, item.note.replace(/\bcluster\/[\w.:@+=,~%/-]*[\w]/g, wordsOf)) : null,
    checks.length ? el("ul", {}, checks.map(checkRow)) : null);
}

function checkRow(check) {
  return el("li", {class: "fine"}, mark(worst(check.verdicts) || "unknown"),
    el("span", {}, link(["check", check.id], check.title), " ", el("span", {class: "soft small"}, countsOf(check.verdicts))));
}

// ---- a check

function checkView(report, id) {
  const check = report.checks.get(id);
  if (!check) return nothing("No check " + id);
  return {
    title: check.title,
    crumbs: [[["criterion", check.criterion], criterionTitle(report, check.criterion)]],
    body: [
      el("p", {}, countsOf(check.verdicts)),
      definitions([
        ["Expected", check.expected], ["Why it matters", check.why], ["How to mend it", check.fix],
        ["Severity", check.severity], ["Needs", check.privilege], ["Check", el("code", {}, check.id)],
        ["References", check.references.map((address) => el("div", {}, outside(address)))],
      ]),
      byStatus(check.verdicts).map(([status, verdicts]) => [
        statusHeading(status),
        listed(sameWhy(verdicts), ([why, some]) => el("li", {}, el("div", {}, why), subjectLinks(some)), "rows"),
      ]),
    ],
  };
}

// Verdicts with the same words together, the most shared first.
function sameWhy(verdicts) {
  const groups = new Map();
  for (const verdict of verdicts) {
    if (!groups.has(verdict.why)) groups.set(verdict.why, []);
    groups.get(verdict.why).push(verdict);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

function subjectLinks(verdicts) {
  return listed(verdicts, (verdict) => el("li", {}, link(["verdict", verdict.check, verdict.subject], wordsOf(verdict.subject))), "links");
}

// ---- a node

function nodeView(report, path) {
  const verdicts = report.hosts.get(path);
  if (!verdicts) return nothing("No node " + path);
  const gaps = report.gaps.filter((gap) => gap.of !== "observation" && gap.subject === path);
  return {
    title: wordsOf(path),
    crumbs: [],
    body: [
      el("p", {}, countsOf(verdicts)),
      gaps.length ? el("ul", {class: "alert"}, gaps.map((gap) => el("li", {}, (gap.of === "host" ? "Didn’t answer: " : gap.name + ": ") + gap.detail))) : null,
      byStatus(verdicts).map(([status, some]) => [
        statusHeading(status),
        listed(sameCheckAndWhy(some), (alike) => nodeRow(report, alike), "rows"),
      ]),
    ],
  };
}

// Eight GPUs of which the same is said are one row.
function sameCheckAndWhy(verdicts) {
  const groups = new Map();
  for (const verdict of verdicts) {
    const key = verdict.check + " " + verdict.why;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(verdict);
  }
  return [...groups.values()];
}

function nodeRow(report, alike) {
  const [first] = alike, title = report.checks.get(first.check).title;
  const whole = alike.length === 1 && partOf(first.subject) === "cluster";
  return el("li", {}, el("div", {}, first.why),
    el("div", {class: "soft"}, whole ? link(["verdict", first.check, first.subject], title) : link(["check", first.check], title)),
    whole ? null : listed(alike, (one) => el("li", {}, link(["verdict", one.check, one.subject], partOf(one.subject))), "links"));
}

// ---- a verdict, down to the raw output

function verdictView(report, id, subject) {
  const check = report.checks.get(id);
  const verdict = check && check.verdicts.find((one) => one.subject === subject);
  if (!verdict) return nothing("No verdict of " + id + " on " + subject);
  const host = hostOf(subject);
  return {
    title: wordsOf(subject) + ": " + check.title,
    crumbs: [[["criterion", check.criterion], criterionTitle(report, check.criterion)], [["check", id], check.title],
      host ? [["node", host], wordsOf(host)] : null],
    body: [
      el("p", {}, tag(verdict.status), " ", verdict.why),
      definitions([["Measured", verdict.measured ? value(verdict.measured) : "nothing"], ["Expected", verdict.expected],
        ["How to mend it", verdict.fix], ["Why it matters", check.why]]),
      titled("h3", "What it rests on"),
      verdict.evidence.length ? el("ul", {class: "rows"}, verdict.evidence.map((one) => observationRow(report, one)))
        : el("p", {}, "Nothing was observed."),
    ],
  };
}

function seenText(observation) {
  const {seen, unit} = observation;
  if ("absent" in seen) return "not seen (" + seen.absent + ")" + (seen.detail ? ": " + seen.detail : "");
  const plain = Array.isArray(seen.value) ? (seen.value.length ? seen.value.join(", ") : "none")
    : seen.value !== null && typeof seen.value === "object" ? Object.entries(seen.value).map(([key, field]) => key + "=" + field).join(", ")
    : seen.value === true ? "yes" : seen.value === false ? "no" : String(seen.value);
  return plain + (unit && unit !== "1" ? " " + unit : "");
}

function timeText(nanoseconds) {
  const date = new Date(nanoseconds / 1e6);
  return nanoseconds && !Number.isNaN(date.getTime()) ? date.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC") : "";
}

function observationRow(report, id) {
  const observation = report.observations.get(id);
  if (!observation) return el("li", {}, "Observation " + id + " is left out of this page; report.json holds it.");
  return el("li", {}, el("div", {}, el("b", {}, wordsOf(observation.subject)), " ", el("code", {}, observation.name)),
    el("div", {}, value(seenText(observation))),
    el("div", {class: "soft small"}, [observation.source, timeText(observation.time), "observation " + id].filter(Boolean).join(" · ")),
    observation.artifact ? rawOutput(report, observation.artifact) : null);
}

function rawOutput(report, sha) {
  const artifact = Object.hasOwn(report.artifacts, sha) ? report.artifacts[sha] : null;
  const whole = ["whole: ", el("code", {}, "assay artifact " + report.run.id + " " + sha)];
  if (!artifact) return el("p", {class: "soft small"}, "Raw output is left out of this page; ", whole);
  if (artifact.lost) return el("p", {class: "alert"}, "Its raw output can’t be shown: " + artifact.lost + " (" + sha + ")");
  const shown = el("pre", {tabindex: "0"});
  shown.append(document.createTextNode(visible(artifact.excerpt)));  // its lines stay lines
  return el("details", {class: "raw"}, el("summary", {}, "Raw output"), shown,
    el("p", {class: "soft small"}, artifact.size + " bytes" + (artifact.cut ? ", of which a part is here; " : "; "), whole));
}

function nothing(words) {
  return {title: words, crumbs: [], body: [el("p", {}, "This report says nothing of it.")]};
}
