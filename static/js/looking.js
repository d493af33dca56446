// A correction is looked at before it is saved: what it does to the totals as this phone counts at once, then as the server
// counts, with what doubles mean otherwise.

import { showEffect } from "./effect.js";
import { newId } from "./match.js";
import { write } from "./net.js";
import { standing } from "./score.js";

export class Look {
  /** @param {HTMLElement} section where it is shown @param {any} urls @param {any} texts */
  constructor(section, urls, texts) {
    Object.assign(this, { section, urls, texts, shown: "" });
  }

  /** Whether this deal is the one that was looked at. */
  isOf(deal) {
    return Boolean(this.shown) && this.shown === JSON.stringify(deal);
  }

  /** What was looked at is of another match. */
  forget() {
    this.shown = "";
  }

  /**
   * @param {{deal: any, deal_id: string, seen: number}} correction @param {any} file the match it corrects
   * @param {number} at the place of the deal in it, -1 when this phone has not heard of it
   * @param {string[]} names at the table @param {boolean} isAlone whether the server does not know that match
   */
  async show({ deal, deal_id, seen }, file, at, names, isAlone = false) {
    const shown = (this.shown = JSON.stringify(deal));
    const { furtherAsked, furtherLater } = this.texts;
    const tell = (totals, further) => this.shown === shown && showEffect(this.section, names, totals, further);
    const [before, after] = [standing(file), standing({ ...file, deals: file.deals.map((d, place) => (place === at ? deal : d)) })];
    const totals = at < 0 ? [] : before.players.map((p) => [before.totals[p], after.totals[p]]);
    tell(totals, [isAlone ? furtherLater : furtherAsked]);
    if (isAlone) return;
    try {
      const address = `${this.urls.effects}${encodeURIComponent(deal_id)}/effect`;
      const answer = await write(address, "POST", { id: newId(), seen, deal }, this.urls.csrf);
      const heard = await answer.json();
      if (answer.ok) tell(heard.totals, heard.further);
      else if (answer.status < 500) tell(totals, []); // saving it says what is wrong
      else throw new Error(String(answer.status));
    } catch {
      tell(totals, [furtherLater]);
    }
  }
}
