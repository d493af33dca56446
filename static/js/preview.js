// What the deal is worth as it is being filled in: basic scores, what the doubles move, the score, the new totals.

import { adjustments, basicScores, settle } from "./score.js";
import { fill } from "./texts.js";

/** @param {number} n */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `\u2212${-n}` : "0");

/** The figures of a deal of a match file. @param {any} deal @param {any} rules @param {Record<string, number>} totals before it */
export function figures(deal, rules, totals) {
  const players = Object.keys(totals);
  const basic = basicScores(deal, rules, players);
  const pairs = settle(deal, basic, players);
  const moved = adjustments(pairs, players);
  const each = (value) => new Map(players.map((p) => [p, value(p)]));
  const score = each((p) => basic[p] + moved[p]);
  return {
    pairs,
    rows: { basic: each((p) => basic[p]), doubles: each((p) => moved[p]), score, total: each((p) => totals[p] + score.get(p)) },
  };
}

/** Writes the figures into the section, one row each, and under them what each pair moves. */
export function show(section, shown, order, names, texts) {
  section.hidden = !shown;
  if (!shown) return;
  const cell = (tag, text, more) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const head = section.querySelector("thead tr");
  head.replaceChildren(head.firstElementChild, ...order.map((p) => {
    const th = cell("th", "", { scope: "col" });
    th.append(cell("bdi", names[p]));
    return th;
  }));
  const rows = Object.entries(shown.rows).map(([what, points]) => {
    const row = cell("tr", "", { className: what === "score" ? "sum" : "" });
    const cells = order.map((p) => {
      const n = points.get(p);
      return cell("td", signed(n), { className: n > 0 ? "plus" : n < 0 ? "minus" : "" });
    });
    row.append(cell("th", texts[what], { scope: "row" }), ...cells);
    return row;
  });
  section.querySelector("tbody").replaceChildren(...rows);
  const moves = shown.pairs.filter((pair) => pair.points);
  section.querySelector(".moves").replaceChildren(
    ...moves.map(({ winner, loser, points }) => {
      const values = { winner: names[winner], loser: names[loser], points };
      return cell("li", fill(texts.moves, values));
    }),
  );
}
