// Who may double whom, and what is left to count: the rules that the form of a deal needs. The server decides.

/** @typedef {{name: string, positive: boolean, flanks: boolean, passesOut: boolean, must: Record<string, string>}} Contract */
/** @typedef {{declarer: number, mayOpen: boolean, contracts: Record<string, Contract>}} Table */

/**
 * Whether a player may double another, beside the doubles made ("02": seat 0 doubles seat 2).
 * @param {Table} table @param {Contract} contract @param {number} doubler @param {number} doubled @param {Set<string>} made
 */
export function mayDouble(table, contract, doubler, doubled, made) {
  if (doubler === doubled) return false;
  if (doubler === table.declarer) return table.mayOpen || made.has(`${doubled}${doubler}`);
  return doubled === table.declarer || contract.flanks;
}

/**
 * Whom a player may double now: his maximum.
 * @param {Table} table @param {Contract} contract @param {number} doubler @param {Set<string>} made
 */
export function maximum(table, contract, doubler, made) {
  return [0, 1, 2, 3].filter((doubled) => mayDouble(table, contract, doubler, doubled, made));
}

/**
 * The doubles that may stand: a redouble falls when the double it answers is taken back.
 * @param {Table} table @param {Contract} contract @param {Set<string>} made
 */
export function allowed(table, contract, made) {
  return new Set([...made].filter((pair) => mayDouble(table, contract, +pair[0], +pair[1], made)));
}

/**
 * Counts with the last player filled in: when one is open he takes the rest, when nothing is left all open take 0.
 * @param {(number | null)[]} counts @param {number} all
 * @returns {(number | null)[]}
 */
export function filledIn(counts, all) {
  const open = counts.filter((n) => n === null).length;
  const rest = all - counts.reduce((sum, n) => sum + (n ?? 0), 0);
  if (rest < 0 || !open) return counts;
  if (rest === 0) return counts.map((n) => n ?? 0);
  return open === 1 ? counts.map((n) => n ?? rest) : counts;
}
