// Where the match stands, on the page of the deal: totals, contracts left and doubles owed, also without the server.

import { signed } from "./preview.js";
import { fill } from "./texts.js";

/** @param {HTMLElement} section @param {any} where a standing @param {any} match @param {{texts: any, names: any}} words */
export function showStanding(section, where, match, { texts, names }) {
  section.hidden = !where.deals.length && !match.waiting.length;
  section.ontoggle = () => showStanding(section, where, match, { texts, names });
  if (section.hidden || !section.open) return; // nobody looks at it
  const byRank = [...where.players].sort((a, b) => where.ranks[a] - where.ranks[b]);
  section.querySelector("div").replaceChildren(...byRank.map((player) => line(player, where, { texts, names })));
}

function line(player, where, { texts, names }) {
  const made = Object.assign(document.createElement("div"), { className: "score" });
  const add = (tag, className, text) => made.append(Object.assign(document.createElement(tag), { className, textContent: text }));
  const total = where.totals[player];
  add("span", "rank", where.ranks[player]);
  add("bdi", "name", names[player]);
  add("b", `total ${total > 0 ? "plus" : total < 0 ? "minus" : ""}`, signed(total));
  const left = where.left[player].join(" ");
  const owed = Object.entries(where.owed[player]).filter(([, n]) => n);
  const debts = owed.map(([declarer, n]) => fill(texts.debt, { name: names[declarer], n })).join(", ");
  const contracts = left ? fill(texts.left, { list: left }) : texts.allDeclared;
  add("span", "owes", `${contracts} · ${debts ? fill(texts.debts, { list: debts }) : texts.noDebts}`);
  return made;
}
