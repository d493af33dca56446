// What the deal is worth as it is being filled in: basic scores, what the doubles move, the score, the new totals.

import { adjustments, basicScores, settle } from "./score.js";

const SEATS = ["0", "1", "2", "3"];

/** @param {number} n */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `\u2212${-n}` : "0");

/**
 * The figures of a deal whose players go by the numbers of their seats, or null while there are none.
 * @param {any} deal @param {any} rules @param {number[]} totals
 */
export function figures(deal, rules, totals) {
  const basic = basicScores(deal, rules, SEATS);
  const pairs = settle(deal, basic, SEATS);
  const adjustment = adjustments(pairs, SEATS);
  const score = SEATS.map((s) => basic[s] + adjustment[s]);
  return {
    basic: SEATS.map((s) => basic[s]),
    doubles: SEATS.map((s) => adjustment[s]),
    score,
    total: score.map((points, s) => totals[s] + points),
    pairs,
  };
}

/** Writes the figures into the section, one row each, and under them what each pair moves. */
export function show(section, shown, order, names, texts) {
  section.hidden = !shown;
  if (!shown) return;
  const rows = ["basic", "doubles", "score", "total"].map((what) => {
    const row = document.createElement("tr");
    row.className = what === "score" ? "sum" : "";
    const head = Object.assign(document.createElement("th"), { scope: "row", textContent: texts[what] });
    const cells = order.map((seat) => {
      const points = shown[what][seat];
      const cell = Object.assign(document.createElement("td"), { textContent: signed(points) });
      cell.className = points > 0 ? "plus" : points < 0 ? "minus" : "";
      return cell;
    });
    row.append(head, ...cells);
    return row;
  });
  section.querySelector("tbody").replaceChildren(...rows);
  const moves = shown.pairs.filter((pair) => pair.points);
  section.querySelector(".moves").replaceChildren(
    ...moves.map(({ winner, loser, points }) => {
      const values = { winner: names[winner], loser: names[loser], points };
      const text = texts.moves.replace(/\{(\w+)\}/g, (_, name) => values[name]);
      return Object.assign(document.createElement("li"), { textContent: text });
    }),
  );
}
