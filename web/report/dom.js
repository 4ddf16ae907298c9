// Making elements. Text reaches the page through text nodes only, never as markup; what is invisible or reorders text
// is shown as an escape, as on a terminal.

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function visible(text) {
  return String(text).replace(HIDDEN, (c) => {
    const code = c.charCodeAt(0);
    return code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u{" + code.toString(16).padStart(4, "0") + "}";
  });
}

// One line: newlines and tabs become visible too.
function oneLine(text) {
  return visible(String(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t"));
}

// el("a", {href: "#/", class: "tag"}, "text", node, …); null and undefined are left out.
function el(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  append(made, content);
  return made;
}

function append(parent, content) {
  for (const part of [content].flat(Infinity)) {
    if (part === null || part === undefined || part === false) continue;
    parent.append(part instanceof Node ? part : document.createTextNode(oneLine(part)));
  }
}

function link(route, ...content) {
  return el("a", {href: "#/" + route.map(encodeURIComponent).join("/")}, ...content);
}

// Only what a browser may safely follow; anything else stays text.
function outside(address) {
  return /^https:\/\/[^\s]+$/.test(address) ? el("a", {href: address, rel: "noopener noreferrer"}, address) : address;
}

function mark(status) {
  return el("span", {class: "mark " + status, "aria-hidden": "true"});
}

function value(text) {
  return el("span", {class: "value"}, text);
}
