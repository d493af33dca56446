// The deal that was just saved: its scores and the new totals, one sentence to say aloud, and ways to put it right.

import { signed } from "./preview.js";

const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
const kind = (n) => (n > 0 ? "plus" : n < 0 ? "minus" : "");

/**
 * @param {HTMLDetailsElement} section @param {string} title @param {string} sentence
 * @param {any} line of the standing, or null @param {{names: any, texts: any}} words
 * @param {(HTMLElement)[]} buttons
 */
export function showReadBack(section, title, sentence, line, { names, texts }, buttons) {
  section.hidden = false;
  section.open = true;
  section.querySelector("summary span").textContent = title;
  section.querySelector(".aloud").textContent = sentence;
  section.querySelector(".two").replaceChildren(...buttons);
  const table = section.querySelector("table");
  table.hidden = !line?.score;
  if (table.hidden) return;
  const players = Object.keys(line.score);
  const heads = players.map((p) => {
    const head = make("th", "", { scope: "col" });
    head.append(make("bdi", names[p]));
    return head;
  });
  table.querySelector("thead tr").replaceChildren(make("td", ""), ...heads);
  const row = (what, points) => {
    const made = make("tr", "", { className: what === "score" ? "sum" : "" });
    const cells = players.map((p) => make("td", signed(points[p]), { className: kind(points[p]) }));
    made.append(make("th", texts[what], { scope: "row" }), ...cells);
    return made;
  };
  table.querySelector("tbody").replaceChildren(row("score", line.score), row("total", line.totals));
}

/** A way on from the read-back. */
export function way(text, href, tapped = null) {
  const made = make(href ? "a" : "button", text, { className: "button", ...(href ? { href } : { type: "button" }) });
  if (tapped) made.addEventListener("click", tapped);
  return made;
}

