// The form of a deal on this page: laid out for whoever declares, filled in by taps, read and written as a match file's deal.

import { Pad } from "./pad.js";
import { allowed, maximum } from "./rules.js";
import { of } from "./score.js";
import { fill } from "./texts.js";

const SEATS = [0, 1, 2, 3];
const COUNTED = { M: "tricks", T: "tricks", NQ: "queens", NH: "hearts" };
/** Two taps this close, in milliseconds, are one. */
const DOUBLE_TAP = 350;
const NOTED = { T: "trump", D: "start" };

/** Text and places change only where they differ: what a finger is on stays as it is. */
const write = (element, text) => element.textContent === text || (element.textContent = text);

function inOrder(group, elements) {
  if (elements.some((element, at) => element !== elements[0] && element.previousElementSibling !== elements[at - 1])) group.append(...elements);
}

export class DealForm {
  /** @param {HTMLFormElement} form @param {any} texts @param {() => void} tapped after each tap */
  constructor(form, texts, tapped) {
    Object.assign(this, { form, texts, tapped, preset: new Set(), spoken: 0, passedAt: 0, contracts: {}, players: [], names: [] });
    this.declarer = +form.elements.namedItem("declarer").value;
    this.pads = new Map();
    for (const fieldset of form.querySelectorAll(".counts")) {
      this.pads.set(fieldset.dataset.what, new Pad(fieldset, texts, tapped));
    }
    this.rows = [...form.querySelectorAll(".speak")];
    for (const row of this.rows) this.addGroups(row);
    form.addEventListener("change", (event) => this.change(event.target));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) event.preventDefault(); // it saves nothing by itself
    });
    form.classList.add("live");
    document.getElementById("pass").hidden = true;
  }

  boxes(name) {
    return [...this.form.querySelectorAll(`input[name="${name}"]`)];
  }

  checked(name) {
    return this.boxes(name).find((box) => box.checked)?.value;
  }

  /** The contract chosen, or undefined. */
  get key() {
    return this.checked("contract");
  }

  get contract() {
    return this.contracts[this.key];
  }

  /** What `rules.js` asks about. */
  get table() {
    return { declarer: this.declarer, mayOpen: this.mayOpen };
  }

  /** @returns {Set<string>} doubles as pairs of seats, "02": seat 0 doubles seat 2 */
  get made() {
    return new Set(this.boxes("doubles").filter((box) => box.checked).map((box) => box.value));
  }

  set made(pairs) {
    for (const box of this.boxes("doubles")) box.checked = pairs.has(box.value);
  }

  get order() {
    return SEATS.map((step) => (this.declarer + step) % 4);
  }

  /** Everybody in the order of speaking, the declarer last. */
  get speakers() {
    return [...this.order.slice(1), this.declarer];
  }

  // Laying out

  /**
   * Lay the empty or filled form out for a declarer.
   * @param {{declarer: number, players: string[], names: string[], mayOpen: boolean, contracts: any}} seats
   *   players as the match file names them, names as they are shown, contracts with `used` and `must`
   */
  layOut(seats) {
    Object.assign(this, seats);
    this.form.elements.namedItem("declarer").value = String(this.declarer);
    for (const element of this.form.querySelectorAll("[data-seat]")) {
      write(element.querySelector("bdi"), this.names[+element.dataset.seat]);
    }
    for (const group of this.form.querySelectorAll("[data-clockwise]")) {
      const bySeat = new Map([...group.querySelectorAll(":scope > [data-seat]")].map((e) => [+e.dataset.seat, e]));
      inOrder(group, this.order.filter((seat) => bySeat.has(seat)).map((seat) => bySeat.get(seat)));
    }
    const speaking = new Map(this.rows.map((row) => [+row.dataset.doubler, row]));
    this.rows = this.speakers.map((seat) => speaking.get(seat));
    inOrder(document.getElementById("speakers"), this.rows);
    for (const pad of this.pads.values()) pad.begin(this.order);
    for (const row of this.rows) this.layOutRow(row);
    for (const box of this.boxes("contract")) this.layOutContract(box);
  }

  layOutRow(row) {
    const isDeclarer = +row.dataset.doubler === this.declarer;
    row.classList.toggle("declarer", isDeclarer);
    row.setAttribute("aria-label", this.names[+row.dataset.doubler]);
    row.querySelector(".group.max").textContent = isDeclarer ? this.texts.all : this.texts.max;
  }

  layOutContract(box) {
    const { used, must } = this.contracts[box.value];
    const [chip, forced] = [box.closest(".chip"), Object.keys(must).length];
    chip.classList.toggle("used", Boolean(used));
    box.disabled = Boolean(used);
    if (used) box.checked = false;
    chip.querySelector("small")?.remove();
    if (!used && !forced) return;
    const text = used ? fill(this.texts.usedIn, { n: used }) : fill(this.texts.must, { n: forced });
    chip.append(Object.assign(document.createElement("small"), { textContent: text, className: used ? "" : "must" }));
  }

  // Doubles

  addGroups(row) {
    const doubler = +row.dataset.doubler;
    const whom = row.querySelector(".whom");
    const add = (kind, text, tapped) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: `chip group ${kind}` });
      button.textContent = text;
      button.addEventListener("click", tapped);
      return button;
    };
    whom.prepend(
      add("max", this.texts.max, () => this.tapGroup(doubler, (seat) => seat !== doubler)),
      add("flanks", this.texts.flanks, () => this.tapGroup(doubler, (seat) => seat !== this.declarer && seat !== doubler)),
    );
    row.querySelector(".who").append(add("pass", this.texts.pass, () => this.pass(doubler)));
  }

  /** A player says no more; a second tap on the same spot is none on whoever speaks next. */
  pass(doubler) {
    if (Date.now() - this.passedAt < DOUBLE_TAP) return;
    this.passedAt = Date.now();
    this.speak(doubler, true);
  }

  /** A player has spoken, and so have all before him. */
  speak(doubler, isPass = false) {
    if (!isPass) this.passedAt = 0;
    this.spoken = Math.max(this.spoken, this.speakers.indexOf(doubler) + 1);
    this.tapped();
  }

  /** A group is set by one tap, and taken back by one when all of it is set. */
  tapGroup(doubler, takes) {
    const pairs = this.made;
    const group = maximum(this.table, this.contract, doubler, pairs).filter(takes).map((doubled) => `${doubler}${doubled}`);
    const whole = group.every((pair) => pairs.has(pair));
    const takesOnlyGroup = [...pairs].every((pair) => +pair[0] !== doubler || group.includes(pair));
    for (const pair of group) whole && takesOnlyGroup ? pairs.delete(pair) : pairs.add(pair);
    if (!takesOnlyGroup) for (const pair of [...pairs]) if (+pair[0] === doubler && !group.includes(pair)) pairs.delete(pair);
    const forced = `${doubler}${this.declarer}`;
    if (this.preset.has(forced)) pairs.add(forced); // only a tap on it takes a forced double away
    this.made = pairs;
    this.speak(doubler);
  }

  /** A contract was chosen: its forced doubles are set, those of another contract taken back. */
  choose() {
    const pairs = this.made;
    for (const pair of this.preset) pairs.delete(pair);
    this.preset.clear();
    for (const seat of Object.keys(this.contract?.must ?? {})) {
      const pair = `${seat}${this.declarer}`;
      if (!pairs.has(pair)) this.preset.add(pair);
      pairs.add(pair);
    }
    this.made = pairs;
  }

  showDoubles() {
    const pairs = allowed(this.table, this.contract, this.made);
    this.made = pairs;
    const mayAny = (row) => maximum(this.table, this.contract, +row.dataset.doubler, pairs).length > 0;
    const now = this.rows.find((row, at) => at >= this.spoken && mayAny(row));
    const at = now ? this.rows.indexOf(now) : this.rows.length;
    this.rows.forEach((row, place) => this.showRow(row, pairs, row === now, place < at));
    this.now = now;
    return pairs.size;
  }

  showRow(row, pairs, isNow, hasSpoken) {
    const doubler = +row.dataset.doubler;
    const may = maximum(this.table, this.contract, doubler, pairs);
    for (const box of row.querySelectorAll("input")) {
      box.disabled = !may.includes(+box.value[1]);
      box.closest(".chip").hidden = box.disabled;
    }
    const own = `${doubler}${this.declarer}`;
    const forced = this.contract.must[doubler];
    const reason = row.querySelector(".reason");
    const isMissing = forced && !pairs.has(own);
    const hasPassed = hasSpoken && ![...pairs].some((pair) => +pair[0] === doubler);
    const plain = isNow ? this.texts.speaks : hasPassed ? this.texts.passed : doubler === this.declarer ? this.texts.declares : "";
    reason.textContent = forced ? `${forced}${isMissing ? ` · ${this.texts.without}` : ""}` : plain;
    reason.classList.toggle("must", Boolean(forced));
    row.querySelector(`input[value="${own}"]`)?.closest(".chip").classList.toggle("forced", Boolean(forced));
    const mine = may.filter((doubled) => pairs.has(`${doubler}${doubled}`));
    const flanks = may.filter((doubled) => doubled !== this.declarer);
    const [max, both] = [row.querySelector(".group.max"), row.querySelector(".group.flanks")];
    max.hidden = may.length < 2;
    max.classList.toggle("on", may.length > 1 && mine.length === may.length);
    both.hidden = doubler === this.declarer || flanks.length < 2 || may.length < 3;
    both.classList.toggle("on", mine.length === 2 && flanks.every((seat) => mine.includes(seat)));
    for (const button of [max, both]) button.setAttribute("aria-pressed", String(button.classList.contains("on")));
    row.hidden = !may.length;
    row.classList.toggle("one", may.length === 1);
    row.classList.toggle("now", isNow);
    const pass = row.querySelector(".pass");
    pass.classList.toggle("gone", !isNow);
    pass.disabled = !isNow;
    pass.textContent = forced && !isMissing ? this.texts.noMore : this.texts.pass;
  }

  // Taps

  change(input) {
    if (input.name === "contract") {
      this.spoken = 0;
      this.choose();
    }
    if (input.name.startsWith("place_")) this.fillOrder(input);
    if (input.name === "doubles") {
      this.preset.delete(input.value);
      this.speak(+input.value[0]);
    } else this.tapped();
  }

  /** In the order of Dominoes nobody stands twice, and the fourth fills in. */
  fillOrder(changed) {
    for (const place of SEATS) {
      for (const box of this.boxes(`place_${place}`)) if (box !== changed && box.value === changed.value) box.checked = false;
    }
    const places = this.places;
    if (!places.slice(0, 3).every(Boolean)) return;
    const last = SEATS.map(String).find((seat) => !places.slice(0, 3).includes(seat));
    this.boxes("place_3").find((box) => box.value === last).checked = true;
  }

  get places() {
    return SEATS.map((place) => this.checked(`place_${place}`));
  }

  /** What is chosen once is not offered again; only a player with hearts can have taken the ace. */
  showTally() {
    for (const pad of this.pads.values()) pad.show();
    const places = this.places;
    for (const place of SEATS) {
      for (const box of this.boxes(`place_${place}`)) {
        box.disabled = places.some((seat, other) => other !== place && seat === box.value);
        box.closest(".chip").classList.toggle("taken", box.disabled);
      }
    }
    const hearts = this.pads.get("hearts");
    for (const box of this.boxes("ace")) {
      const none = hearts.counts[hearts.inputs.findIndex((input) => input.name === `hearts_${box.value}`)] === 0;
      box.disabled = none;
      box.closest(".chip").classList.toggle("taken", none);
      if (none) box.checked = false;
    }
  }

  /** What is still missing of the tally, or null. */
  get missing() {
    const { texts } = this;
    const counted = COUNTED[this.key] && this.pads.get(COUNTED[this.key]).missing;
    if (counted) return counted;
    const asked = {
      B: [["king"], texts.chooseKing],
      NH: [["ace"], texts.chooseAce],
      NL2: [["second_last", "last"], texts.chooseLastTwo],
      D: [SEATS.map((place) => `place_${place}`), texts.chooseOrder],
      RC: [["most"], texts.chooseMost],
    }[this.key];
    return asked?.[0].every((name) => this.checked(name)) === false ? asked[1] : null;
  }

  /** The one contract that can be declared, when there is but one. */
  get only() {
    const open = this.boxes("contract").filter((box) => !box.disabled);
    return open.length === 1 ? open[0] : null;
  }

  /** Nobody has doubled where that means passed out. */
  get isPassedOut() {
    return this.contract.passesOut && !this.made.size;
  }

  // Reading and writing

  name(seat) {
    return seat === undefined ? undefined : this.players[+seat];
  }

  /** Declaration and doubles, as a match file says them. */
  get declaration() {
    const doubles = Object.create(null); // a player may be called "constructor"
    for (const [doubler, doubled] of this.made) (doubles[this.name(doubler)] ??= []).push(this.name(doubled));
    return { declarer: this.name(this.declarer), contract: this.key, doubles };
  }

  /** The result as far as it is known; null while nothing can be said. */
  get result() {
    const what = COUNTED[this.key];
    if (what) {
      const { counts, inputs } = this.pads.get(what);
      if (counts.every((n) => n === null)) return null;
      const taken = Object.fromEntries(inputs.map((input, at) => [this.name(input.name.at(-1)), counts[at] ?? 0]));
      return what === "hearts" ? { hearts: taken, ace: this.name(this.checked("ace")) } : { [what]: taken };
    }
    if (this.missing) return null;
    return {
      B: () => ({ king: this.name(this.checked("king")) }),
      NL2: () => ({ last_two: [this.name(this.checked("second_last")), this.name(this.checked("last"))] }),
      D: () => ({ order: this.places.map((seat) => this.name(seat)) }),
      RC: () => ({ most: this.boxes("most").filter((box) => box.checked).map((box) => this.name(box.value)) }),
    }[this.key]();
  }

  /** The whole deal, as a match file says it. */
  get deal() {
    const deal = this.declaration;
    if (this.isPassedOut) deal.passed_out = true;
    else if (this.result) deal.result = this.result;
    const noted = NOTED[this.key];
    const value = { trump: () => this.checked("trump"), start: () => this.form.elements.namedItem("start").value }[noted]?.();
    if (value) deal[noted] = value;
    const note = this.form.elements.namedItem("note").value.trim();
    return note ? { ...deal, note } : deal;
  }

  /** Everything that was tapped or typed, to be put back as it was. */
  get snapshot() {
    const typed = Object.fromEntries([...this.pads].map(([what, pad]) => [what, pad.bySeat]));
    const chosen = [...this.form.querySelectorAll("input:checked")].map((box) => [box.name, box.value]);
    const written = ["note", "start"].map((name) => [name, this.form.elements.namedItem(name).value]);
    return { declarer: this.declarer, spoken: this.spoken, preset: [...this.preset], typed, chosen, written };
  }

  set snapshot({ spoken, preset, typed, chosen, written }) {
    const isChosen = new Set(chosen.map((pair) => pair.join()));
    for (const box of this.form.querySelectorAll("input[type=radio], input[type=checkbox]")) {
      box.checked = isChosen.has([box.name, box.value].join());
    }
    for (const [what, pad] of this.pads) pad.set(of(typed, what) ?? [null, null, null, null]);
    for (const [name, value] of written) this.form.elements.namedItem(name).value = value;
    Object.assign(this, { spoken, preset: new Set(preset) });
  }

  /** What was counted before nobody had doubled. */
  clearTally() {
    for (const input of document.getElementById("tally").querySelectorAll("input:not(#note)")) {
      if (input.type === "text") input.value = "";
      else input.checked = false;
    }
  }

  clear() {
    this.snapshot = { spoken: 0, preset: [], typed: {}, chosen: [], written: [["note", ""], ["start", ""]] };
  }

  /** Fill the form with a deal of a match file; it is laid out for its declarer already. */
  fillWith(deal, spoken = 4) {
    const seat = (name) => String(this.players.indexOf(name));
    const seats = (field, names) => names.map((name) => [field, seat(name)]);
    const bySeat = (counts) => this.players.map((name) => of(counts, name) ?? 0);
    const r = deal.result ?? {};
    const chosen = [["contract", deal.contract], ["trump", deal.trump]];
    for (const [doubler, whom] of Object.entries(deal.doubles ?? {})) {
      for (const doubled of whom) chosen.push(["doubles", `${seat(doubler)}${seat(doubled)}`]);
    }
    for (const field of ["king", "ace"]) if (r[field]) chosen.push([field, seat(r[field])]);
    if (r.last_two) chosen.push(["second_last", seat(r.last_two[0])], ["last", seat(r.last_two[1])]);
    (r.order ?? []).forEach((name, place) => chosen.push([`place_${place}`, seat(name)]));
    chosen.push(...seats("most", r.most ?? []));
    const typed = {};
    for (const what of this.pads.keys()) if (r[what]) typed[what] = bySeat(r[what]);
    const written = [["note", deal.note ?? ""], ["start", deal.start ?? ""]];
    this.snapshot = { spoken, preset: [], typed, chosen, written };
  }
}
