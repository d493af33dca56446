// What can be done about a save that the server refused: saved over what stands, sent again, made the next deal, dropped.

import { Look } from "./looking.js";
import { newId } from "./match.js";
import { outbox } from "./waiting.js";

export class Refusals {
  /**
   * @param {import("./match.js").Match} match @param {any} data of the page
   * @param {{ask: () => Promise<boolean>, changed: () => void, letIn: () => Promise<void>, dropped: () => void}} tell
   */
  constructor(match, { urls, texts }, tell) {
    Object.assign(this, { match, urls, texts, tell, seenAt: 0 });
  }

  /** What the server should do with the deal on the page: by what it has seen, and whose place it takes in the queue. */
  whatToSave(mended, dealId, seen) {
    const { revision } = this.match.now;
    if (!mended) return dealId ? { kind: "correct", deal_id: dealId, seen } : { kind: "add", seen: revision };
    const { refused, id, deal_id } = mended;
    if (!refused) return { kind: "correct", deal_id: deal_id ?? id, seen: revision }; // it may have arrived by now
    const over = deal_id ?? (refused.theirs ? refused.deal_id : null);
    return { ...(over ? { kind: "correct", deal_id: over } : { kind: "add" }), seen: refused.revision ?? mended.seen, place: id };
  }

  /** Show what it does to save a refused deal over the one that stands in its place. */
  async lookOver(entry, section) {
    const { revision, deal_id } = entry.refused;
    const changed = await this.tell.ask();
    const { file, deal_ids } = this.match.now;
    this.seenAt = this.match.now.revision;
    if (changed) this.tell.changed();
    const correction = { deal: entry.deal, deal_id, seen: revision };
    const names = this.match.namesAt(Infinity);
    return new Look(section, this.urls, this.texts).show(correction, file, deal_ids.indexOf(deal_id), names);
  }

  /** Whether what was looked at is of another match than the one that stands now; asked once. */
  get isOutdated() {
    const is = Boolean(this.seenAt) && this.seenAt !== this.match.now.revision;
    if (is) this.seenAt = 0;
    return is;
  }

  /** Save a refused deal over the one that stands in its place. */
  saveOver(entry) {
    const { revision, deal_id } = entry.refused;
    return this.goOn(outbox.change(entry.id, { kind: "correct", deal_id, id: newId(), seen: revision, refused: undefined }));
  }

  /** The match was closed when this was sent; it may be open again. */
  again(entry) {
    return this.goOn(outbox.change(entry.id, { refused: undefined }));
  }

  letGo(entry) {
    return this.goOn(outbox.drop(entry).then(this.tell.dropped));
  }

  /** It is another hand than the one that stands: it becomes the next deal. */
  asNext(entry) {
    return this.goOn(outbox.renumber(entry, this.match.now.deal_ids.length + 1));
  }

  /** Once that is done, the queue moves again. */
  async goOn(done) {
    await done;
    await outbox.send();
    await this.tell.letIn();
  }
}
