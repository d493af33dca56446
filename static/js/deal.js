// The form of a deal as it is filled in: only what is allowed is offered, forced doubles are set, counts by taps.

import { OpenDeal } from "./draft.js";
import { figures, show } from "./preview.js";
import { allowed, filledIn, maximum } from "./rules.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("deal"));
const table = JSON.parse(document.getElementById("deal-data").textContent);
const texts = table.texts;
const save = /** @type {HTMLButtonElement} */ (document.getElementById("save"));
const play = /** @type {HTMLButtonElement | null} */ (document.getElementById("play"));
const whyNot = document.getElementById("why-not");
const passedOut = /** @type {HTMLInputElement} */ (form.elements.namedItem("passed_out"));
const saveText = save.textContent;
/** Doubles that scorepad set because they are forced: they go when another contract is chosen. */
const preset = new Set();

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const boxes = (name) => [...form.querySelectorAll(`input[name="${name}"]`)];
const checked = (name) => boxes(name).find((box) => box.checked)?.value;
const contractKey = () => checked("contract");

/** @returns {Set<string>} */
const made = () => new Set(boxes("doubles").filter((box) => box.checked).map((box) => box.value));

function setDoubles(pairs) {
  for (const box of boxes("doubles")) box.checked = pairs.has(box.value);
}

// Doubles

function addGroups() {
  for (const row of form.querySelectorAll(".speak")) {
    const doubler = +row.dataset.doubler;
    const isDeclarer = doubler === table.declarer;
    const groups = [["max", isDeclarer ? texts.all : texts.max, (seat) => seat !== doubler]];
    if (!isDeclarer) groups.push(["flanks", texts.flanks, (seat) => seat !== table.declarer && seat !== doubler]);
    for (const [kind, text, takes] of groups.reverse()) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `chip group ${kind}`;
      button.textContent = text;
      button.addEventListener("click", () => tapGroup(doubler, takes));
      row.querySelector(".whom").prepend(button);
    }
  }
}

/** A group is set by one tap, and taken back by one when all of it is set. */
function tapGroup(doubler, takes) {
  const contract = table.contracts[contractKey()];
  const pairs = made();
  const group = maximum(table, contract, doubler, pairs).filter(takes).map((doubled) => `${doubler}${doubled}`);
  const whole = group.every((pair) => pairs.has(pair));
  const takesOnlyGroup = [...pairs].every((pair) => +pair[0] !== doubler || group.includes(pair));
  for (const pair of group) whole && takesOnlyGroup ? pairs.delete(pair) : pairs.add(pair);
  if (!takesOnlyGroup) for (const pair of [...pairs]) if (+pair[0] === doubler && !group.includes(pair)) pairs.delete(pair);
  for (const pair of keptForced(doubler)) pairs.add(pair);
  setDoubles(pairs);
  refresh();
  keepOpen();
}

/** A forced double stays when a group is tapped; only a tap on it takes it away. */
function keptForced(doubler) {
  const pair = `${doubler}${table.declarer}`;
  return preset.has(pair) ? [pair] : [];
}

function chooseContract() {
  const contract = table.contracts[contractKey()];
  const pairs = made();
  for (const pair of preset) pairs.delete(pair);
  preset.clear();
  for (const seat of Object.keys(contract?.must ?? {})) {
    const pair = `${seat}${table.declarer}`;
    if (!pairs.has(pair)) preset.add(pair);
    pairs.add(pair);
  }
  setDoubles(pairs);
}

function showDoubles(contract) {
  const pairs = allowed(table, contract, made());
  setDoubles(pairs);
  for (const row of form.querySelectorAll(".speak")) {
    const doubler = +row.dataset.doubler;
    const may = maximum(table, contract, doubler, pairs);
    for (const box of row.querySelectorAll("input")) {
      const can = may.includes(+box.value[1]);
      box.disabled = !can;
      box.closest(".chip").hidden = !can;
    }
    const forced = contract.must[doubler];
    const pair = `${doubler}${table.declarer}`;
    const reason = row.querySelector(".reason");
    reason.dataset.plain ??= reason.textContent;
    reason.textContent = forced ?? reason.dataset.plain;
    reason.classList.toggle("must", Boolean(forced));
    row.querySelector(`input[value="${pair}"]`)?.closest(".chip").classList.toggle("forced", Boolean(forced));
    showGroups(row, doubler, may, pairs);
    row.hidden = !may.length;
  }
  showWithout(contract, pairs);
  const n = pairs.size;
  document.getElementById("spoken").textContent = n === 1 ? texts.spokenOne : n ? fill(texts.spoken, { n }) : "";
  return n;
}

function showGroups(row, doubler, may, pairs) {
  const mine = may.filter((doubled) => pairs.has(`${doubler}${doubled}`));
  const flanks = may.filter((doubled) => doubled !== table.declarer);
  const max = row.querySelector(".group.max");
  max.hidden = may.length < 2;
  max.classList.toggle("on", may.length > 1 && mine.length === may.length);
  const both = row.querySelector(".group.flanks");
  if (!both) return;
  both.hidden = flanks.length < 2;
  both.classList.toggle("on", mine.length === 2 && flanks.every((seat) => mine.includes(seat)));
}

/** A forced double that was tapped away is said to have been played without. */
function showWithout(contract, pairs) {
  for (const old of form.querySelectorAll("input.without")) old.remove();
  for (const seat of Object.keys(contract.must)) {
    if (pairs.has(`${seat}${table.declarer}`)) continue;
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name: "without", value: seat, className: "without" });
    form.append(input);
  }
}

// Tally

const pads = new Map();

/** The counts of a contract as tiles, filled by one pad of whole numbers. */
class Pad {
  constructor(fieldset) {
    this.fieldset = fieldset;
    this.all = +fieldset.dataset.all;
    this.tiles = [...fieldset.querySelectorAll(".tile")];
    this.inputs = this.tiles.map((tile) => tile.querySelector("input"));
    this.typed = this.inputs.map((input) => (/^[0-9]+$/.test(input.value) ? +input.value : null));
    this.now = Math.max(0, this.typed.indexOf(null));
    this.keys = document.createElement("div");
    this.keys.className = "keys";
    fieldset.append(this.keys);
    this.inputs.forEach((input, place) => {
      input.readOnly = true;
      input.inputMode = "none";
      input.tabIndex = -1;
      this.tiles[place].addEventListener("click", (event) => {
        event.preventDefault();
        this.now = place;
        this.typed[place] = null;
        refresh();
      });
    });
    for (let n = 0; n <= this.all; n++) this.keys.append(this.key(n));
  }

  key(n) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "chip key";
    button.textContent = String(n);
    button.addEventListener("click", () => this.tap(n));
    return button;
  }

  get counts() {
    return filledIn(this.typed, this.all);
  }

  get rest() {
    return this.all - this.counts.reduce((sum, n) => sum + (n ?? 0), 0);
  }

  tap(n) {
    this.typed[this.now] = n;
    const next = [1, 2, 3].map((step) => (this.now + step) % 4).find((place) => this.counts[place] === null);
    if (next !== undefined) this.now = next;
    refresh();
  }

  show() {
    const counts = this.counts;
    const done = counts.every((n) => n !== null) && this.rest === 0;
    counts.forEach((n, place) => {
      this.inputs[place].value = n ?? "";
      this.tiles[place].classList.toggle("now", !done && place === this.now);
      this.tiles[place].classList.toggle("auto", this.typed[place] === null && n !== null);
    });
    const others = this.typed.reduce((sum, n, place) => sum + (place === this.now ? 0 : (n ?? 0)), 0);
    [...this.keys.children].forEach((button, n) => {
      button.disabled = n > this.all - others;
      button.classList.toggle("on", !done && this.typed[this.now] === n);
      button.classList.toggle("rest", !done && n === this.all - others);
    });
    this.keys.hidden = done;
    this.fieldset.querySelector(".running").textContent = fill(texts.of, { counted: this.all - this.rest, all: this.all });
  }

  get missing() {
    if (this.rest < 0) return fill(texts.tooMany, { n: -this.rest });
    return this.rest ? fill(texts.missing, { n: this.rest }) : null;
  }
}

/** In the order of Dominoes nobody stands twice, and the fourth fills in. */
function showOrder() {
  const places = [0, 1, 2, 3].map((place) => checked(`place_${place}`));
  for (let place = 0; place < 4; place++) {
    for (const box of boxes(`place_${place}`)) {
      const taken = places.some((seat, other) => other !== place && seat === box.value);
      box.closest(".chip").classList.toggle("taken", taken);
      box.disabled = taken;
    }
  }
}

function fillOrder(changed) {
  const seat = changed.value;
  for (let place = 0; place < 4; place++) {
    for (const box of boxes(`place_${place}`)) if (box !== changed && box.value === seat) box.checked = false;
  }
  const places = [0, 1, 2, 3].map((place) => checked(`place_${place}`));
  if (places.slice(0, 3).every(Boolean)) {
    const last = ["0", "1", "2", "3"].find((s) => !places.slice(0, 3).includes(s));
    boxes("place_3").find((box) => box.value === last).checked = true;
  }
}

/** What is still missing of the tally, or null. */
function missingTally(key) {
  const hearts = pads.get("hearts");
  switch (key) {
    case "B":
      return checked("king") ? null : texts.chooseKing;
    case "M":
    case "T":
      return pads.get("tricks").missing;
    case "NQ":
      return pads.get("queens").missing;
    case "NH":
      return hearts.missing ?? (checked("ace") ? null : texts.chooseAce);
    case "NL2":
      return checked("second_last") && checked("last") ? null : texts.chooseLastTwo;
    case "D":
      return [0, 1, 2, 3].every((place) => checked(`place_${place}`)) ? null : texts.chooseOrder;
    default:
      return checked("most") ? null : texts.chooseMost;
  }
}

/** Only a player with hearts can have taken the ace. */
function showAce() {
  const pad = pads.get("hearts");
  for (const box of boxes("ace")) {
    const place = pad.inputs.findIndex((input) => input.name === `hearts_${box.value}`);
    const none = pad.counts[place] === 0;
    box.disabled = none;
    box.closest(".chip").hidden = none;
    if (none) box.checked = false;
  }
}

// Preview

const COUNTED = { M: "tricks", T: "tricks", NQ: "queens", NH: "hearts" };

/** The result as far as it is known, players by the numbers of their seats; null while nothing can be said. */
function resultSoFar(key) {
  const what = COUNTED[key];
  if (what) {
    const pad = pads.get(what);
    const counts = pad.counts;
    if (counts.every((n) => n === null)) return null;
    const said = Object.fromEntries(pad.inputs.map((input, place) => [input.name.at(-1), counts[place] ?? 0]));
    return key === "NH" ? { hearts: said, ace: checked("ace") } : { [what]: said };
  }
  if (missingTally(key)) return null;
  return {
    B: () => ({ king: checked("king") }),
    NL2: () => ({ last_two: [checked("second_last"), checked("last")] }),
    D: () => ({ order: [0, 1, 2, 3].map((place) => checked(`place_${place}`)) }),
    RC: () => ({ most: boxes("most").filter((box) => box.checked).map((box) => box.value) }),
  }[key]();
}

function preview(key, isPassedOut, missing) {
  const section = document.getElementById("preview");
  const result = isPassedOut ? null : resultSoFar(key);
  const doubles = {};
  for (const pair of made()) (doubles[pair[0]] ??= []).push(pair[1]);
  const deal = { declarer: String(table.declarer), contract: key, doubles, passed_out: isPassedOut, result };
  const shown = isPassedOut || result ? figures(deal, table.rules, table.totals) : null;
  document.getElementById("so-far").hidden = !missing;
  const clockwise = [0, 1, 2, 3].map((step) => (table.declarer + step) % 4);
  show(section, shown, clockwise, table.names, texts);
}

// The open deal

const draftField = /** @type {HTMLInputElement} */ (form.elements.namedItem("draft"));
const takenNote = document.getElementById("taken");
const openDeal = table.urls
  ? new OpenDeal(table.urls, +draftField.value, {
      kept: (version) => {
        draftField.value = String(version);
        takenNote.hidden = true;
      },
      taken: (theirs) => {
        takenNote.hidden = false;
        document.getElementById("take-over").onclick = () => openDeal.take(theirs);
      },
    })
  : null;

/** Declaration and doubles as a match file says them. */
function keepOpen() {
  if (!openDeal || !contractKey()) return;
  const doubles = {};
  for (const pair of made()) (doubles[table.players[pair[0]]] ??= []).push(table.players[pair[1]]);
  const spoken = new Set([...made()].map((pair) => pair[0])).size;
  openDeal.keep({ declarer: table.players[table.declarer], contract: contractKey(), doubles }, spoken);
}

// The whole form

function refresh() {
  const key = contractKey();
  const contract = table.contracts[key];
  form.dataset.contract = key ?? "";
  if (!contract) {
    save.disabled = true;
    document.getElementById("preview").hidden = true;
    if (play) play.hidden = true;
    whyNot.textContent = texts.chooseContract;
    return;
  }
  const doubles = showDoubles(contract);
  const isPassedOut = contract.passesOut && !doubles;
  passedOut.checked = isPassedOut;
  document.getElementById("tally").hidden = isPassedOut;
  for (const pad of pads.values()) pad.show();
  showOrder();
  showAce();
  const missing = isPassedOut ? null : missingTally(key);
  save.disabled = Boolean(missing);
  save.textContent = isPassedOut ? texts.passedOut : saveText;
  whyNot.textContent = missing ?? "";
  if (play) play.hidden = isPassedOut || !missing;
  preview(key, isPassedOut, missing);
}

function start() {
  form.classList.add("live");
  document.getElementById("pass").hidden = true;
  addGroups();
  for (const fieldset of form.querySelectorAll(".counts")) pads.set(fieldset.dataset.what, new Pad(fieldset));
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.name === "contract") chooseContract();
    if (input.name === "doubles") preset.delete(input.value);
    if (input.name.startsWith("place_")) fillOrder(input);
    refresh();
    if (["contract", "doubles"].includes(input.name)) keepOpen();
  });
  form.addEventListener("submit", () => {
    for (const box of boxes("doubles")) if (box.disabled) box.checked = false;
  });
  const isPlaying = document.querySelector('button[value="drop"]');
  const isFresh = !isPlaying && !made().size && !form.querySelector("[role=alert]");
  if (contractKey() && isFresh) chooseContract();
  refresh();
}

window.addEventListener("pageshow", (event) => {
  if (event.persisted) refresh();
});
start();
