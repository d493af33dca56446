// Saves that are on their way. Each is kept on this phone before anything is sent, goes out in order and counts once: the
// server knows a save by its id. What is refused waits to be mended or dropped, and what stands behind it waits too.

import { get, update } from "./kept.js";
import { take } from "./match.js";
import { write } from "./net.js";

/**
 * @typedef {{kind: "add" | "correct", slug: string, id: string, seen: number, number: number, deal: any, deal_id?: string,
 *   at: string, refused?: any}} Entry
 */

const KEY = "outbox";

export class Outbox {
  /** @param {string} root the address of the app @param {(what: {sent?: Entry, answer?: any}) => void} tell */
  constructor(root, tell) {
    Object.assign(this, { root, tell, sending: null, stopped: new Map(), isAway: false, why: "" });
  }

  /** @returns {Promise<Entry[]>} of one match, or of all */
  async entries(slug = null) {
    const all = (await get(KEY)) ?? [];
    return slug ? all.filter((entry) => entry.slug === slug) : all;
  }

  /** Keep a save; in the place of the refused one that it mends. @param {Entry} entry @param {string?} mends */
  async keep(entry, mends = null) {
    const inPlace = (all) => all.map((e) => (e.id === mends ? entry : e));
    await update(KEY, (all = []) => (all.some((e) => e.id === mends) ? inPlace(all) : [...all, entry]));
  }

  /** Let a save go. The deals behind it move up, unless another deal has its number on the server. */
  async drop(entry) {
    const by = entry.kind === "add" && !entry.refused?.theirs ? -1 : 0;
    await update(KEY, (all = []) =>
      all.some((e) => e.id === entry.id) ? moved(all, entry, by).filter((e) => e.id !== entry.id) : all,
    );
  }

  /** A deal was another hand than the one that has its number: it gets the next, and those behind it follow. */
  async renumber(entry, number) {
    const by = number - entry.number;
    const again = { ...entry, number, refused: undefined };
    await update(KEY, (all = []) => moved(all, entry, by).map((e) => (e.id === entry.id ? again : e)));
  }

  change(id, changes) {
    return update(KEY, (all = []) => all.map((e) => (e.id === id ? { ...e, ...changes } : e)));
  }

  /** Send what waits, as far as it goes; one run at a time. */
  send() {
    this.sending ??= this.run().finally(() => (this.sending = null));
    return this.sending;
  }

  async run() {
    for (const slug of new Set((await this.entries()).map((entry) => entry.slug))) {
      while (!this.stopped.has(slug)) {
        const [head] = await this.entries(slug);
        if (!head || head.refused || !(await this.sendOne(head))) break;
      }
    }
  }

  /** Whether the save has arrived. */
  async sendOne(entry) {
    let answer, body;
    try {
      answer = await this.request(entry);
      body = await answer.json();
      if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
      this.isAway = false;
      this.why = "";
    } catch {
      this.isAway = true;
      this.why = body?.error === "not_saved" ? body.message : "";
      this.tell({});
      return false;
    }
    if (answer.ok) {
      await this.arrived(entry, body);
      this.tell({ sent: entry, answer: body });
    } else if ([401, 403, 410].includes(answer.status)) {
      this.stopped.set(entry.slug, body.message);
      this.tell({});
    } else {
      const { error, message, problems, theirs, revision, deal_id } = body;
      await this.change(entry.id, { refused: { status: answer.status, error, message, problems, theirs, revision, deal_id } });
      this.tell({});
    }
    return answer.ok;
  }

  /** Take a save out, and let what waits know the revision: it has seen its own changes, and nobody else's. */
  async arrived(entry, answer) {
    await update(`match:${entry.slug}`, (now) => now && take(now, entry, answer));
    const isNext = answer.revision === entry.seen + 1;
    const hasSeen = (e) => e.slug === entry.slug && ((isNext && e.seen >= entry.seen) || e.deal_id === answer.deal_id);
    await update(KEY, (all = []) =>
      all
        .filter((e) => e.id !== entry.id)
        .map((e) => (hasSeen(e) ? { ...e, seen: Math.max(e.seen, answer.revision) } : e)),
    );
  }

  /** @param {Entry} entry */
  request({ kind, slug, id, seen, deal, number, deal_id }) {
    const deals = `${this.root}api/matches/${slug}/deals`;
    const csrf = `${this.root}csrf`;
    if (kind === "add") return write(deals, "POST", { id, seen, deal, number }, csrf);
    return write(`${deals}/${deal_id}`, "PUT", { id, seen, deal }, csrf);
  }
}

/** The new deals behind one, with other numbers. */
const moved = (all, entry, by) =>
  all.map((e) => (e.slug === entry.slug && e.kind === "add" && e.number > entry.number ? { ...e, number: e.number + by } : e));
