// The mirror of the scoring core: the same figures as `scorepad score --json`, from the same match file, on the phone.
// The server decides; this previews, and goes on counting when the connection drops. No network, no page.

const SEVEN = ["B", "M", "NQ", "NH", "NL2", "T", "D"];
const POSITIVES = new Set(["T", "D"]);
const QUEENS = 4;

/** What the four scores of a contract sum to, by the values and the number of tricks. */
const TOTALS = {
  B: (v) => v.king,
  M: (v, tricks) => v.trick * tricks,
  NQ: (v) => v.queen * QUEENS,
  NH: (v, hearts) => v.heart * (hearts - 1) + v.ace,
  NL2: (v) => v.second_last_trick + v.last_trick,
  T: (v, tricks) => v.trump_trick * tricks,
  D: (v) => v.dominoes.reduce((sum, n) => sum + n, 0),
  RC: (v) => v.ravage_city,
};

/** What a player has in a map by name, were his name "constructor". */
export const of = (map, player) => (map && Object.hasOwn(map, player) ? map[player] : undefined);

/** The basic score of each player, by the result and the values. */
const BASIC = {
  B: (r, v) => (p) => (p === r.king ? v.king : 0),
  M: (r, v) => (p) => v.trick * (of(r.tricks, p) ?? 0),
  NQ: (r, v) => (p) => v.queen * (of(r.queens, p) ?? 0),
  NH: (r, v) => (p) => v.heart * (of(r.hearts, p) ?? 0) + (p === r.ace ? v.ace - v.heart : 0),
  NL2: (r, v) => (p) => (p === r.last_two[0] ? v.second_last_trick : 0) + (p === r.last_two[1] ? v.last_trick : 0),
  T: (r, v) => (p) => v.trump_trick * (of(r.tricks, p) ?? 0),
  D: (r, v) => (p) => v.dominoes[r.order.indexOf(p)],
  RC: (r, v) => (p) => (r.most.includes(p) ? v.ravage_city / r.most.length : 0),
};

/** How often a double in Trumps or Dominoes counts as a compulsory one of one declarer. */
const POSITIVES_AT_MOST = { all: 2, none: 0, one: 1 };

/** The contracts each player declares once. */
export const contractsOf = (rules) => (rules.ravage_city ? [...SEVEN, "RC"] : SEVEN);

export const contractTotal = (contract, rules) => TOTALS[contract](rules.values, rules.deck / 4) || 0; // never −0

/** What all contracts of one declarer sum to; a match is four times that. */
export const setTotal = (rules) => contractsOf(rules).reduce((sum, c) => sum + contractTotal(c, rules), 0);
export const matchTotal = (rules) => 4 * setTotal(rules);

/** How many compulsory doubles of one declarer can be fulfilled at all. */
export const mostCompulsoryDoubles = (rules) =>
  contractsOf(rules).filter((c) => !POSITIVES.has(c)).length + POSITIVES_AT_MOST[rules.positives_count];

/** A value for each player by name. */
const each = (players, value) => Object.fromEntries(players.map((p) => [p, value(p)]));

// A zero is never negative here: −2 × 0 is 0 on paper.
const plain = (n) => n || 0;

/** The four basic scores of a finished deal; of a passed-out one, a third each and the declarer the rest. */
export function basicScores(deal, rules, players) {
  if (deal.passed_out) {
    const total = contractTotal(deal.contract, rules);
    const third = Math.floor(total / 3);
    return each(players, (p) => plain(p === deal.declarer ? total - 3 * third : third));
  }
  const score = BASIC[deal.contract](deal.result, rules.values);
  return each(players, (p) => plain(score(p)));
}

const hasDoubled = (deal, doubler, doubled) => (of(deal.doubles, doubler) ?? []).includes(doubled);

/** How the six pairs settle, from the same four basic scores. */
export function settle(deal, basic, players) {
  const pairs = [];
  players.forEach((a, i) => {
    for (const b of players.slice(i + 1)) {
      const doubles = Number(hasDoubled(deal, a, b)) + Number(hasDoubled(deal, b, a));
      const difference = basic[a] - basic[b];
      const points = Math.abs(difference) * doubles;
      const [winner, loser] = !points ? [null, null] : difference > 0 ? [a, b] : [b, a];
      pairs.push({ pair: [a, b], doubles, difference, winner, loser, points });
    }
  });
  return pairs;
}

/** What the settlements move for each player. */
export function adjustments(pairs, players) {
  const moved = each(players, () => 0);
  for (const { winner, loser, points } of pairs) {
    if (!points) continue;
    moved[winner] += points;
    moved[loser] -= points;
  }
  return moved;
}

// Compulsory doubles: what one player has doubled one declarer, as [negatives, positives].

const room = (done, rules) => Math.max(0, POSITIVES_AT_MOST[rules.positives_count] - done[1]);

export const owedAfter = (done, rules) =>
  Math.max(0, rules.compulsory_doubles - done[0] - Math.min(POSITIVES_AT_MOST[rules.positives_count], done[1]));

function chances(done, left, rules) {
  const positives = left.filter((c) => POSITIVES.has(c)).length;
  return left.length - positives + Math.min(room(done, rules), positives);
}

/** Whether a declarer must be doubled now: too few chances would be left for what is owed. */
export function isForced(done, contract, leftAfter, rules) {
  const counts = !POSITIVES.has(contract) || room(done, rules) > 0;
  return counts && chances(done, leftAfter, rules) < owedAfter(done, rules);
}

/** The others, clockwise from a player's left. */
function others(players, player) {
  const at = players.indexOf(player);
  return [1, 2, 3].map((step) => players[(at + step) % 4]);
}

/**
 * Where a match stands. `file` is a match file with every field of its rules stated and no problems in it.
 * @param {any} file
 */
export function standing(file) {
  const { players, rules } = file;
  const first = players.indexOf(file.first_declarer ?? players[0]);
  const order = [0, 1, 2, 3].map((step) => players[(first + step) % 4]);
  const contracts = contractsOf(rules);
  const used = each(players, () => new Set());
  const done = each(players, () => each(players, () => [0, 0]));
  const totals = each(players, () => 0);
  const deals = [];
  let [expected, agreed, playing] = [0, 0, null];

  const left = (p) => contracts.filter((c) => !used[p].has(c));
  const agree = (afterDeal) => {
    for (const line of file.agreed_points ?? []) {
      if (line.after_deal !== afterDeal) continue;
      for (const p of players) totals[p] += of(line.points, p) ?? 0;
      agreed += players.reduce((sum, p) => sum + (of(line.points, p) ?? 0), 0);
    }
  };
  const proposed = () => {
    const waiting = order.filter((p) => used[p].size < contracts.length);
    if (rules.rotation === "seven-in-a-row") return waiting[0] ?? null;
    return waiting.reduce((best, p) => (best === null || used[p].size < used[best].size ? p : best), null);
  };

  const add = (deal, number) => {
    const { declarer, contract } = deal;
    const due = proposed();
    used[declarer].add(contract);
    const forced = others(players, declarer).filter((p) => isForced(done[declarer][p], contract, left(declarer), rules));
    const isOpen = !deal.result && !deal.passed_out;
    const warnings = due === declarer ? [] : ["declared_out_of_turn"];
    for (const p of forced) if (!isOpen && !hasDoubled(deal, p, declarer)) warnings.push("forced_double_missing");
    for (const p of others(players, declarer)) {
      if (hasDoubled(deal, p, declarer)) {
        const [negatives, positives] = done[declarer][p];
        done[declarer][p] = POSITIVES.has(contract) ? [negatives, positives + 1] : [negatives + 1, positives];
      }
    }
    const line = { deal: number, declarer, contract, passed_out: Boolean(deal.passed_out), open: isOpen, forced, warnings };
    if (isOpen) {
      playing = { ...line, doubles: deal.doubles ?? {} };
      return { ...line, basic: null, pairs: [], adjustment: null, score: null, totals: { ...totals }, contract_total: null };
    }
    const basic = basicScores(deal, rules, players);
    const pairs = settle(deal, basic, players);
    const adjustment = adjustments(pairs, players);
    const score = each(players, (p) => basic[p] + adjustment[p]);
    for (const p of players) totals[p] += score[p];
    const total = contractTotal(contract, rules);
    expected += total;
    return { ...line, basic, pairs, adjustment, score, totals: { ...totals }, contract_total: total };
  };

  agree(0);
  file.deals.forEach((deal, at) => {
    deals.push(add(deal, at + 1));
    agree(at + 1);
  });

  const ofOthers = (value) => each(players, (p) => Object.fromEntries(players.filter((d) => d !== p).map((d) => [d, value(p, d)])));
  const shortfall = (p, d) => {
    const open = playing?.declarer === d && !hasDoubled(playing, p, d);
    const still = open ? [playing.contract, ...left(d)] : left(d);
    return Math.max(0, owedAfter(done[d][p], rules) - chances(done[d][p], still, rules));
  };
  const mustDouble = (declarer, contract) =>
    others(players, declarer).filter((p) =>
      isForced(done[declarer][p], contract, left(declarer).filter((c) => c !== contract), rules),
    );
  const nextDeal = () => {
    if (playing) return { deal: playing.deal, declarer: playing.declarer, must_double: { [playing.contract]: playing.forced } };
    const declarer = proposed();
    if (declarer === null || file.abandoned) return null;
    const must = Object.fromEntries(left(declarer).map((c) => [c, mustDouble(declarer, c)]));
    return { deal: deals.length + 1, declarer, must_double: must };
  };
  const shortfalls = {};
  for (const [p, short] of Object.entries(ofOthers(shortfall))) {
    const some = Object.entries(short).filter(([, n]) => n);
    if (some.length) shortfalls[p] = Object.fromEntries(some);
  }
  return {
    players,
    deals,
    totals,
    ranks: each(players, (p) => 1 + players.filter((q) => totals[q] > totals[p]).length),
    owed: ofOthers((p, d) => owedAfter(done[d][p], rules)),
    declared: each(players, (p) => contracts.filter((c) => used[p].has(c))),
    left: each(players, left),
    next: nextDeal(),
    complete: !playing && players.every((p) => !left(p).length),
    zero_check: { expected, agreed, actual: players.reduce((sum, p) => sum + totals[p], 0) },
    shortfalls,
    mustDouble,
  };
}
