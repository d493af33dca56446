// The match as this phone knows it: the record as last heard from the server, and behind it the deals that are kept here
// and not sent yet. Figures are computed from both, so that the match goes on without the server.

import { get, set } from "./kept.js";
import { ask } from "./net.js";
import { standing } from "./score.js";

/** An id for a save: 128 random bits, also where `randomUUID` is absent. */
export const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");

export class Match {
  /** @param {any} now what the page brought along @param {string} url where it is asked for again */
  constructor(now, url) {
    const heard = new Date(document.documentElement.dataset.kept ?? Date.now());
    Object.assign(this, { now, url, waiting: [], etag: null, heard, isAway: false });
  }

  /** What this phone kept when the page itself is an older copy. */
  async recall() {
    const kept = await get(`match:${this.now.slug}`);
    if (!kept || !newer(kept, this.now)) return this.keep();
    this.now = kept;
    this.heard = new Date(kept.heard ?? this.heard);
  }

  keep() {
    return set(`match:${this.now.slug}`, { ...this.now, heard: this.heard.getTime() });
  }

  /** Ask the server; answers whether somebody else has changed something. Throws when it cannot be reached. */
  async ask() {
    const headers = this.etag ? { "If-None-Match": this.etag } : {};
    const answer = await ask(this.url, { headers });
    if (answer.status >= 500) throw new Error(String(answer.status));
    this.heard = new Date();
    if (answer.status === 304) return false;
    if (!answer.ok) return false;
    const now = await answer.json();
    const isOvertaken = newer(this.now, now) && (this.etag || this.waiting.length); // else it is a restored server's
    this.etag = answer.headers.get("ETag");
    if (isOvertaken) return false;
    const was = this.now;
    this.now = now;
    await this.keep();
    const isMine = now.draft.version === was.draft.version || now.draft.mine;
    return now.revision !== was.revision || now.may_score !== was.may_score || !isMine;
  }

  /** Players whose totals the server and this phone make out differently, while nothing waits here. */
  get differing() {
    const { totals } = this.now;
    const own = totals && !this.waiting.length ? this.standing().totals : null;
    return own ? this.now.file.players.filter((p) => own[p] !== totals[p]) : [];
  }

  /** The match file with what waits on this phone in its place. */
  get file() {
    return { ...this.now.file, deals: this.together.deals };
  }

  /** The ids of its deals; that of a deal which waits here is the id of its save. */
  get ids() {
    return this.together.ids;
  }

  get together() {
    const [deals, ids] = [[...this.now.file.deals], [...this.now.deal_ids]];
    for (const { deal, deal_id, id, kind, refused } of this.waiting) {
      if (kind === "add" && refused?.theirs) continue; // another deal has its number
      const place = ids.indexOf(kind === "add" ? id : deal_id);
      if (place >= 0) deals[place] = deal;
      else if (kind === "add") {
        deals.push(deal);
        ids.push(id);
      }
    }
    return { deals, ids };
  }

  standing() {
    return standing(this.file);
  }

  /** The totals that a deal adds to: those of all others. */
  totalsBut(number) {
    const where = this.standing();
    const score = where.deals[number - 1]?.score ?? {};
    return Object.fromEntries(where.players.map((p) => [p, where.totals[p] - (score[p] ?? 0)]));
  }

  /** The names at the table when a deal was played: whoever sits in a seat then. */
  namesAt(number) {
    const names = [...this.now.file.players];
    for (const { from_deal, seat, name } of this.now.file.replaced ?? []) if (from_deal <= number) names[seat - 1] = name;
    return names;
  }
}

/** The match after a save of this phone has arrived; the totals are asked for. */
export function take(now, { kind, deal }, { deal: number, deal_id, revision }) {
  const place = now.deal_ids.indexOf(deal_id);
  if (revision <= now.revision || (place < 0 && (kind !== "add" || number !== now.deal_ids.length + 1))) return now;
  const at = place < 0 ? number - 1 : place;
  const [deals, ids] = [[...now.file.deals], [...now.deal_ids]];
  [deals[at], ids[at]] = [deal, deal_id];
  const { draft } = now;
  return {
    ...now,
    revision: revision === now.revision + 1 ? revision : now.revision,
    file: { ...now.file, deals },
    deal_ids: ids,
    totals: null,
    draft: kind === "add" && draft.deal ? { version: draft.version + 1, spoken: 0, deal: null, mine: false } : draft,
  };
}

const newer = (a, b) => a.revision > b.revision || (a.revision === b.revision && a.draft.version > b.draft.version);
