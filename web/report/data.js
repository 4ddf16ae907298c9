// The report's data, unpacked (packed.hpp says how it lies), with the indexes that the views need.

const STATUSES = ["fail", "warn", "unknown", "pass", "not_applicable"];  // worst first
const STATUS_WORDS = {fail: "fails", warn: "warns", unknown: "unknown", pass: "passes", not_applicable: "doesn’t apply"};

function unpack(packed) {
  const text = (index) => packed.strings[index];
  const report = {run: packed.run, rating: packed.rating, gaps: packed.absent, artifacts: packed.artifacts};
  report.checks = new Map(packed.checks.map((check) => [check.id, Object.assign(check, {verdicts: []})]));
  report.observations = new Map();
  for (const [id, subject, name, seen, unit, time, source, artifact] of packed.observations)
    report.observations.set(id, {id, subject: text(subject), name: text(name), seen, unit: text(unit), time, source: text(source), artifact: text(artifact)});
  report.hosts = new Map();  // path → verdicts; "" for what belongs to no host
  for (const path of packed.hosts) report.hosts.set(path, []);
  const ids = [...report.checks.keys()];
  for (const [check, subject, status, measured, expected, why, fix, evidence] of packed.verdicts) {
    const verdict = {
      check: ids[check], subject: text(subject), status: STATUSES[status], measured: text(measured),
      expected: text(expected), why: text(why), fix: text(fix), evidence,
    };
    report.checks.get(verdict.check).verdicts.push(verdict);
    const host = hostOf(verdict.subject);
    if (!report.hosts.has(host)) report.hosts.set(host, []);
    report.hosts.get(host).push(verdict);
  }
  return report;
}

function pairs(path) {
  const parts = path.split("/");
  const found = [];
  for (let i = 0; i + 1 < parts.length; i += 2) found.push([parts[i], decodeId(parts[i + 1])]);
  return found;
}

// %XX of bytes; not always UTF-8, so decodeURIComponent may refuse it.
function decodeId(id) {
  const bytes = [];
  for (let i = 0; i < id.length; i++) {
    if (id[i] === "%") {
      bytes.push(parseInt(id.slice(i + 1, i + 3), 16));
      i += 2;
    } else {
      bytes.push(id.charCodeAt(i));
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

// The path of the node or login host that a subject is or belongs to, or "".
function hostOf(path) {
  const parts = path.split("/");
  for (let i = 0; i + 1 < parts.length; i += 2)
    if (parts[i] === "node" || parts[i] === "login") return parts.slice(0, i + 2).join("/");
  return "";
}

// "n2 gpu 0"
function wordsOf(path) {
  const said = pairs(path).filter(([kind]) => kind !== "cluster")
    .map(([kind, id]) => kind === "node" || kind === "login" ? id : kind + " " + id);
  return said.length ? said.join(" ") : "cluster";
}

function partOf(path) {
  const host = hostOf(path);
  return wordsOf(path.slice(host.length).replace(/^\//, ""));
}

function worst(verdicts) {
  return STATUSES.find((status) => verdicts.some((verdict) => verdict.status === status));
}

function byStatus(verdicts) {
  return STATUSES.map((status) => [status, verdicts.filter((verdict) => verdict.status === status)])
    .filter(([, some]) => some.length);
}
