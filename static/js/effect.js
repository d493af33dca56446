// What a correction does, before it is saved: each total before and after, and what doubles mean further on.

import { signed } from "./preview.js";

const make = (tag, text, className = "") => Object.assign(document.createElement(tag), { textContent: text, className });
const kind = (n) => (n > 0 ? "plus" : n < 0 ? "minus" : "");

/** @param {HTMLElement} section @param {string[]} names @param {number[][]} totals before and after, by seats @param {string[]} further */
export function showEffect(section, names, totals, further) {
  section.hidden = false;
  const rows = totals.map(([before, after], seat) => {
    const [row, head] = [make("tr", ""), Object.assign(make("th", ""), { scope: "row" })];
    head.append(make("bdi", names[seat]));
    row.append(head, make("td", signed(before), kind(before)), make("td", signed(after), kind(after)));
    if (before !== after) row.lastChild.classList.add("changed");
    return row;
  });
  section.querySelector("tbody").replaceChildren(...rows);
  section.querySelector("ul").replaceChildren(...further.map((sentence) => make("li", sentence)));
}
