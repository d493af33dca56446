// The sentences of a deal, as Python's `explain` has them: who doubled whom, who took what, what each business moved.

import { of } from "./score.js";
import { form } from "./texts.js";

const MINUS = "\u2212";
const STOPS = /[.。]$/;

const clockwise = (players, first) => [0, 1, 2, 3].map((step) => players[(players.indexOf(first) + step) % 4]);
const left = (players, player) => clockwise(players, player)[1];
const right = (players, player) => clockwise(players, player)[3];

/** Puts keys and values into the reader's language. */
export class Words {
  /** @param {any} texts sentences by key, plural forms by category @param {Record<string, string>} names as shown */
  constructor(texts, names, contracts) {
    Object.assign(this, { texts, names, contracts });
  }

  /** One sentence. @param {[string, Record<string, any>]} message */
  say([key, values]) {
    return this.fill(this.texts.said[key], values);
  }

  /** A text with its values; of a counted one the form for `n`. */
  fill(text, values) {
    return form(text, values).replace(/\{(\w+)(:in order)?\}/g, (_, name, inOrder) =>
      name === "contract" ? this.contracts[values.contract].name
      : inOrder ? values[name].map((value) => this.write(value)).join(", ")
      : this.write(values[name]),
    );
  }

  /** Several clauses as one sentence; nothing when there are none. */
  one(messages) {
    const clauses = messages.map((message) => this.say(message).replace(STOPS, ""));
    return clauses.length ? `${clauses.join(this.texts.then)}.` : "";
  }

  write(value) {
    if (Array.isArray(value)) return this.list(value.map((v) => this.write(v)));
    if (typeof value === "number") return value < 0 ? `${MINUS}${-value}` : String(value);
    return of(this.names, value) ?? value;
  }

  list(items) {
    if (items.length < 2) return items.join("");
    const values = { first: items.slice(0, -1).join(", "), last: items.at(-1) };
    return this.texts.and.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }
}

/** Who doubled whom, in the order of speaking; doubling somebody who has spoken and doubled you is a redouble. */
export function doublesSpoken(deal, { players }) {
  const said = [];
  const spoken = new Set();
  const [declarer, ...others] = clockwise(players, deal.declarer);
  for (const player of [...others, declarer]) {
    const made = of(deal.doubles, player) ?? [];
    const whom = clockwise(players, player).filter((p) => made.includes(p));
    const back = whom.filter((p) => spoken.has(p) && (of(deal.doubles, p) ?? []).includes(player));
    const first = whom.filter((p) => !back.includes(p));
    spoken.add(player);
    if (whom.length === 3 && first.length) said.push(["doubled_everybody", { player }]);
    else if (first.length && back.length) said.push(["doubled_and_redoubled", { player, whom: first, back }]);
    else if (whom.length) said.push([back.length ? "redoubled" : "doubled", { player, whom }]);
  }
  return said.length ? said : [["no_doubles", {}]];
}

function counted(key, counts, players, ace) {
  return players
    .filter((p) => of(counts, p))
    .map((player) => [player === ace ? `${key}_and_ace` : key, { player, n: of(counts, player) }]);
}

/** What the table counted. */
export function tally(deal, players) {
  const r = deal.result;
  if (!r) return [[deal.passed_out ? "was_passed_out" : "is_open", {}]];
  if (r.king) return [["took_king", { player: r.king }]];
  if (r.tricks) return counted("took_tricks", r.tricks, players);
  if (r.queens) return counted("took_queens", r.queens, players);
  if (r.hearts) return counted("took_hearts", r.hearts, players, r.ace);
  if (r.order) return [["finished", { first: r.order[0], then: r.order.slice(1) }]];
  if (r.most) return [["held_most", { players: players.filter((p) => r.most.includes(p)), n: r.most.length }]];
  const [secondLast, last] = r.last_two;
  if (secondLast === last) return [["took_last_two", { player: last }]];
  return [
    ["took_second_last", { player: secondLast }],
    ["took_last", { player: last }],
  ];
}

function moved({ pair, doubles, points, winner, loser }) {
  if (!points) return ["moved_nothing", { first: pair[0], second: pair[1] }];
  return [doubles === 1 ? "moved" : "moved_twice", { n: points, winner, loser }];
}

/** The deal said aloud after it was saved; `line` is its line of the standing. */
export function readBack(line, deal, file) {
  const opening = ["read_back", { number: line.deal, declarer: deal.declarer, contract: deal.contract }];
  const isDoubled = Object.values(deal.doubles ?? {}).some((whom) => whom.length);
  const spoken = line.open && isDoubled ? doublesSpoken(deal, file) : [];
  return [opening, ...tally(deal, file.players), ...spoken, ...line.pairs.filter((p) => p.doubles).map(moved)];
}

/** Who deals, who cuts and who leads when this player declares. */
export function whoDeals(declarer, { players, rules: { play } }) {
  const dealer = play.dealer === "declarer" ? declarer : right(players, declarer);
  const cutter = {
    "right-of-dealer": right(players, dealer),
    "opposite-declarer": clockwise(players, declarer)[2],
    "left-of-dealer": left(players, dealer),
  }[play.cutter];
  return ["who_deals", { dealer, cutter, leader: play.leader === "declarer" ? declarer : left(players, dealer) }];
}
