// The fields of the house rules, on whatever page asks for them: steppers, what they make as you go, and filling them in.

import { signed } from "./preview.js";
import { contractsOf, contractTotal, matchTotal, mostCompulsoryDoubles, setTotal } from "./score.js";
import { fill } from "./texts.js";

const LARGEST = 10_000;
const HOLD = 450; // milliseconds until a button that is held goes on by itself
const AGAIN = 80;

/** The number that was typed, with any minus sign; null when it is none. @param {string} text */
const whole = (text) => (/^[+\-−–‑]? ?\d+$/.test(text) ? Number(text.replace(/[−–‑]/, "-").replace(/[+ ]/g, "")) : null);

/** Every field of rules: its name in the form, and its value. */
function leaves(rules) {
  const found = [];
  for (const [before, record] of [["", rules], ["value_", rules.values], ["play_", rules.play]]) {
    for (const [name, value] of Object.entries(record)) {
      if (Array.isArray(value)) value.forEach((one, n) => found.push([`${before}${name}_${n}`, one]));
      else if (typeof value !== "object") found.push([before + name, value]);
    }
  }
  return found;
}

/** In how many fields two sets of rules differ. */
export function differences(one, other) {
  const values = new Map(leaves(other));
  return leaves(one).filter(([name, value]) => values.get(name) !== value).length;
}

export class HouseRules {
  /**
   * @param {HTMLFormElement} form
   * @param {any} base the rules one starts from, as a match file states them: what an empty field means
   * @param {Record<string, any>} texts
   * @param {(rules: any) => void} changed called with the rules as often as they change
   */
  constructor(form, base, texts, changed = () => {}) {
    Object.assign(this, { form, base, texts, changed });
    this.root = form.querySelector(".rules-fields");
    form.classList.add("live");
    for (const one of this.root.querySelectorAll(".stepper")) this.addButtons(one);
    this.fillIn(this.rules);
    this.root.addEventListener("input", () => this.show());
  }

  field = (name) => this.form.elements.namedItem(name);

  /** What one field says, or what it is like when it says nothing. */
  said(name, like) {
    if (Array.isArray(like)) return like.map((one, n) => this.said(`${name}_${n}`, one));
    const text = this.field(name).value.trim();
    if (typeof like === "boolean") return text ? text === "yes" : like;
    return typeof like === "number" ? (whole(text) ?? like) : text || like;
  }

  record = (before, like) => Object.fromEntries(Object.entries(like).map(([name, value]) => [name, this.said(before + name, value)]));

  /** The rules as the fields say. */
  get rules() {
    const { values, play, ...choices } = this.base;
    return { ...this.record("", choices), values: this.record("value_", values), play: this.record("play_", play) };
  }

  /** Start from other rules. */
  startFrom(rules) {
    this.base = rules;
    this.fillIn(rules);
  }

  /** State these rules in the fields; unless one starts from them, only in those that are empty and not refused so. */
  fillIn(rules) {
    for (const [name, value] of leaves(rules)) {
      const field = this.field(name);
      const text = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
      if (field instanceof RadioNodeList) field.value = text;
      else if (rules === this.base || !(field.value.trim() || field.ariaInvalid === "true")) field.value = name.startsWith("value_") ? signed(value) : text;
    }
    this.show();
  }

  /** What the rules make: each contract, all of them, the match. */
  show() {
    const { rules, texts } = this;
    const played = contractsOf(rules);
    for (const worth of this.root.querySelectorAll(".worth")) {
      const contract = worth.dataset.contract;
      worth.classList.toggle("out", !played.includes(contract));
      worth.querySelector("output").textContent = signed(contractTotal(contract, rules));
    }
    const total = matchTotal(rules);
    const isMeant = rules.ravage_city && !matchTotal({ ...rules, ravage_city: false });
    const [set, match] = this.root.querySelector(".rules-sums").children;
    const sum = Object.assign(document.createElement("b"), { textContent: signed(setTotal(rules)) });
    set.replaceChildren(`${fill(texts.setOf, { n: played.length })}: `, sum);
    match.textContent = fill(total ? (isMeant ? texts.sumsTo : texts.doesNot) : texts.sumsToZero, { total: signed(total) });
    for (const one of this.root.querySelectorAll(".stepper")) this.limit(one, rules);
    this.changed(rules);
  }

  // Steppers

  addButtons(one) {
    const input = one.querySelector("input");
    const add = (sign, text) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign < 0 ? "−" : "+" });
      button.setAttribute("aria-label", fill(text, one.dataset));
      this.whileHeld(button, () => this.step(one, sign));
      return button;
    };
    input.before(add(-1, this.texts.less));
    input.after(add(1, this.texts.more));
  }

  /** One step for a tap, and more while a finger stays. */
  whileHeld(button, step) {
    let timer = 0;
    let isRunning = false;
    const stop = () => clearTimeout(timer);
    const goOn = () => {
      isRunning = true;
      step();
      if (!button.disabled) timer = setTimeout(goOn, AGAIN);
    };
    button.addEventListener("pointerdown", () => {
      isRunning = false;
      timer = setTimeout(goOn, HOLD);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, stop);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      stop();
      if (!isRunning) step();
      isRunning = false;
    });
  }

  step(one, sign) {
    const input = one.querySelector("input");
    const [least, most] = this.limits(input.name, this.rules);
    const width = Number(one.dataset.step);
    const now = this.value(input.name);
    // from a value between two steps to the next one that can be shared
    const next = (sign > 0 ? Math.floor(now / width) + 1 : Math.ceil(now / width) - 1) * width;
    const value = Math.min(most, Math.max(least, next));
    input.value = input.name.startsWith("value_") ? signed(value) : String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  value = (name) => new Map(leaves(this.rules)).get(name);

  limits = (name, rules) => (name.startsWith("value_") ? [-LARGEST, LARGEST] : [0, mostCompulsoryDoubles(rules)]);

  limit(one, rules) {
    const { name } = one.querySelector("input");
    const [least, most] = this.limits(name, rules);
    const [less, more] = one.querySelectorAll("button");
    const value = new Map(leaves(rules)).get(name);
    less.disabled = value <= least;
    more.disabled = value >= most;
  }
}
