// The counts of a contract as tiles, filled by one pad of whole numbers.

import { filledIn } from "./rules.js";
import { fill } from "./texts.js";

export class Pad {
  /** @param {HTMLElement} fieldset @param {any} texts @param {() => void} changed */
  constructor(fieldset, texts, changed) {
    Object.assign(this, { fieldset, texts, changed, what: fieldset.dataset.what, all: +fieldset.dataset.all });
    this.tiles = [...fieldset.querySelectorAll(".tile")];
    this.names = this.tiles.map((tile) => tile.querySelector("bdi"));
    this.inputs = this.tiles.map((tile) => tile.querySelector("input"));
    this.typed = this.inputs.map((input) => (/^[0-9]+$/.test(input.value) ? +input.value : null));
    this.now = Math.max(0, this.typed.indexOf(null));
    this.keys = Object.assign(document.createElement("div"), { className: "keys" });
    fieldset.append(this.keys);
    this.inputs.forEach((input, place) => {
      Object.assign(input, { readOnly: true, inputMode: "none" });
      const again = () => this.again(place);
      this.tiles[place].addEventListener("click", (event) => {
        event.preventDefault();
        again();
      });
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") event.preventDefault(), again();
      });
    });
    for (let n = 0; n <= this.all; n++) this.keys.append(this.key(String(n), () => this.tap(n)));
    this.claim = this.key("", () => this.tap(this.free));
    this.claim.classList.add("claim");
    this.keys.append(this.claim);
  }

  key(text, tapped) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip key", textContent: text });
    button.addEventListener("click", tapped);
    return button;
  }

  /** Count a player again: his figure stays until another is tapped. */
  again(place) {
    this.now = place;
    this.isAgain = true;
    if (this.counts.every((n) => n !== null) && this.rest === 0) {
      this.typed = this.counts; // what filled itself in stays too
      this.isMending = true;
    }
    this.changed();
  }

  /** The tiles and what was typed into them begin with the declarer, clockwise. */
  begin(order) {
    const bySeat = new Map(this.inputs.map((input, at) => [+input.name.at(-1), at]));
    const places = order.map((seat) => bySeat.get(seat));
    for (const list of ["tiles", "names", "inputs", "typed"]) this[list] = places.map((at) => this[list][at]);
    this.now = Math.max(0, this.counts.indexOf(null));
  }

  /** Counts by seat number as text; null where nothing was typed. @param {(number | null)[]} bySeat */
  set(bySeat) {
    this.typed = this.inputs.map((input) => bySeat[+input.name.at(-1)]);
    this.isAgain = this.isMending = false;
    this.now = Math.max(0, this.counts.indexOf(null));
  }

  /** What was typed, by seat number. */
  get bySeat() {
    return [0, 1, 2, 3].map((seat) => this.typed[this.inputs.findIndex((input) => +input.name.at(-1) === seat)]);
  }

  get counts() {
    return filledIn(this.typed, this.all);
  }

  get rest() {
    return this.all - this.counts.reduce((sum, n) => sum + (n ?? 0), 0);
  }

  /** What makes the count add up, if the player whose turn it is took it. */
  get free() {
    return this.all - this.typed.reduce((sum, n, place) => sum + (place === this.now ? 0 : (n ?? 0)), 0);
  }

  /** A number for the player whose turn it is; then comes the next one without, or simply the next while mending. */
  tap(n) {
    this.typed[this.now] = n;
    this.isAgain = false;
    this.isMending &&= this.rest !== 0;
    const after = [1, 2, 3].map((step) => (this.now + step) % 4);
    this.now = after.find((place) => this.isMending || this.counts[place] === null) ?? this.now;
    this.changed();
  }

  show() {
    const { counts, free } = this;
    const done = !this.isAgain && counts.every((n) => n !== null) && this.rest === 0;
    counts.forEach((n, place) => {
      this.inputs[place].value = n ?? "";
      this.tiles[place].classList.toggle("now", !done && place === this.now);
      this.tiles[place].classList.toggle("auto", this.typed[place] === null && n !== null);
    });
    [...this.keys.children].slice(0, -1).forEach((button, n) => {
      button.disabled = n > free && !this.isMending;
      button.classList.toggle("on", !done && this.typed[this.now] === n);
    });
    const values = { name: this.names[this.now].textContent, n: free };
    this.claim.textContent = fill(this.texts.claim, values);
    this.claim.hidden = free < 0 || free > this.all;
    this.keys.hidden = done;
    this.keys.setAttribute("role", "group");
    this.keys.setAttribute("aria-label", values.name);
    const said = fill(this.texts.running[this.what], { counted: this.all - this.rest, all: this.all });
    this.fieldset.querySelector(".running").textContent = said;
  }

  /** What is still missing, or null. */
  get missing() {
    if (this.rest < 0) return fill(this.texts.tooMany, { n: -this.rest });
    return this.rest ? fill(this.texts.missing[this.what], { n: this.rest }) : null;
  }
}
