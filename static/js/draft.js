// Keeps the open deal on the server as it is tapped, so that another phone can take over and the others see who doubled
// whom while the hand is played. The last tap wins; without a connection the page itself keeps it until it is saved.

export class OpenDeal {
  /**
   * @param {{open: string, csrf: string}} urls where it is kept, and where a token comes from
   * @param {number} version the version this page has seen
   * @param {{kept: (version: number) => void, taken: (theirs: any) => void}} tell
   */
  constructor(urls, version, tell) {
    Object.assign(this, { urls, version, tell, wanted: null, sending: false, takeOver: false });
  }

  /** @param {any} deal declaration and doubles, as a match file says them @param {number} spoken */
  keep(deal, spoken) {
    this.wanted = { deal, spoken };
    this.send();
  }

  /** Take the open deal over from the phone that held it, as it stands on this page. */
  take(theirs) {
    this.version = theirs.draft;
    this.takeOver = true;
    this.wanted ??= this.last;
    this.send();
  }

  async send() {
    if (this.sending || !this.wanted) return;
    this.sending = true;
    this.last = this.wanted;
    this.wanted = null;
    try {
      const answer = await this.put(this.last);
      if (answer.status === 409) {
        const theirs = await answer.json();
        if (theirs.deal) this.tell.taken(theirs); // else it was saved or dropped: this page is an old one, gone back to
        return;
      }
      if (answer.ok) {
        this.takeOver = false;
        this.version = (await answer.json()).draft;
        this.tell.kept(this.version);
      }
    } catch {
      // No connection: what is on this page is saved with the deal.
    } finally {
      this.sending = false;
    }
    return this.send();
  }

  async put({ deal, spoken }) {
    const { token } = await (await fetch(this.urls.csrf, { cache: "no-store" })).json();
    return fetch(this.urls.open, {
      method: "PUT",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify({ draft: this.version, spoken, deal, take_over: this.takeOver }),
    });
  }
}
