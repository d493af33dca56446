// Keeps the open deal on the server as it is tapped, so that another phone can take over and the others see who doubled
// whom while the hand is played. The last tap wins; without a connection the page itself keeps it until it is saved.

import { write } from "./net.js";

export class OpenDeal {
  /**
   * @param {{open: string, csrf: string}} urls where it is kept, and where a token comes from
   * @param {number} version the version this page has seen
   * @param {{kept: () => void, taken: (theirs: any) => void, isStill: () => Promise<boolean>}} tell
   *   what to do when it is kept, when another phone holds it, and whether the deal on this page is still the next one
   */
  constructor(urls, version, tell) {
    Object.assign(this, { urls, version, tell, wanted: null, sending: false, takeOver: false });
  }

  /** @param {any} deal declaration and doubles, as a match file says them @param {number} spoken 0 to 4 */
  keep(deal, spoken) {
    this.wanted = { deal, spoken };
    return this.send();
  }

  /** Nothing is open any more: saved, or a misdeal. */
  drop() {
    this.wanted = { deal: null, spoken: 0 };
    this.takeOver = true;
    return this.send();
  }

  /** Forget what should have been sent: it went out with its deal. */
  forget() {
    this.wanted = this.last = null;
  }

  /** Take the open deal over from the phone that held it, as it stands on this page. */
  take(theirs) {
    this.version = theirs.draft;
    this.takeOver = true;
    this.wanted ??= this.last;
    return this.send();
  }

  async send() {
    if (this.sending || !this.wanted) return;
    this.sending = true;
    this.last = this.wanted;
    this.wanted = null;
    try {
      const answer = await this.put(this.last);
      if (answer.status >= 500) throw new Error(String(answer.status));
      if (answer.status === 409) await this.conflict(await answer.json());
      else if (answer.ok) {
        this.takeOver = false;
        this.version = (await answer.json()).draft;
        this.tell.kept();
      }
    } catch {
      // No connection, no room on the server's disk, or the page was left: it is sent when the page is back, unless its deal has gone out by then.
      this.sending = false;
      this.wanted ??= this.last;
      return;
    }
    this.sending = false;
    return this.send();
  }

  /** Another phone holds it; or it was saved or dropped there, and the last tap is about a deal that may be over. */
  async conflict(theirs) {
    if (theirs.error === "closed") return; // the page says so
    if (theirs.deal && !theirs.mine && !this.takeOver) return this.tell.taken(theirs);
    this.version = theirs.draft;
    if (this.last && (await this.tell.isStill())) this.wanted ??= this.last;
  }

  put({ deal, spoken }) {
    if (!deal) return write(this.urls.open, "DELETE", { draft: this.version, take_over: true }, this.urls.csrf);
    const body = { draft: this.version, spoken, deal, take_over: this.takeOver };
    return write(this.urls.open, "PUT", body, this.urls.csrf);
  }
}
