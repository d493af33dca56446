// Starting a match: a preset fills in the house rules, and rules of one's own are kept on this phone under a name.

import { differences, HouseRules } from "./houserules.js";
import { note, noted } from "./kept.js";
import { fill } from "./texts.js";

const KEPT = "rules";

const form = /** @type {HTMLFormElement} */ (document.getElementById("start"));
const data = JSON.parse(document.getElementById("rules-data").textContent);
const presets = form.querySelector(".presets");
const changed = document.getElementById("changed");
const undo = document.getElementById("undo");
const said = document.getElementById("keep-said");
const { standard } = data.rules;

/** @type {Map<HTMLInputElement, any>} the rules behind each choice */
const rulesOf = new Map();

/** Rules as this release states them, whatever another one has kept. */
const complete = (rules) => ({
  ...standard,
  ...rules,
  values: { ...standard.values, ...rules?.values },
  play: { ...standard.play, ...rules?.play },
});

/** @returns {{ name: string, rules: any }[]} */
function keptSets() {
  const found = noted(KEPT);
  return Array.isArray(found) ? found.filter((one) => typeof one?.name === "string" && one.rules && typeof one.rules === "object") : [];
}

const choices = () => [...presets.querySelectorAll('input[name="preset"]')];
const chosen = () => choices().find((input) => input.checked) ?? choices().at(-1);
const make = (tag, more) => Object.assign(document.createElement(tag), more);

/** The chip of rules kept here, and a way to forget them. */
function chip({ name, rules }) {
  const row = make("div", { className: "kept-rules" });
  const label = make("label", { className: "chip line" });
  const input = make("input", { type: "radio", name: "preset", value: "standard", autocomplete: "off" });
  const about = make("span", {});
  const shown = make("b", {});
  shown.append(make("bdi", { textContent: name }));
  about.append(shown, make("small", { textContent: data.texts.keptHere }));
  label.append(input, about);
  const forget = make("button", { type: "button", className: "not-me", textContent: data.texts.forget });
  forget.setAttribute("aria-label", fill(data.texts.forgetThese, { name }));
  forget.addEventListener("click", () => forgetRules(row, { name, rules }, input));
  row.append(label, forget);
  row.dataset.name = name;
  rulesOf.set(input, complete(rules));
  return row;
}

/** Keep no longer; until the page is left it can be taken back. */
function forgetRules(row, set, input) {
  note(KEPT, keptSets().filter((one) => one.name !== set.name));
  const wasChosen = input.checked;
  rulesOf.delete(input);
  const back = make("button", { type: "button", className: "not-me", textContent: data.texts.takeBack });
  back.addEventListener("click", () => {
    keep(set);
    row.replaceWith(chip(set));
    pick();
  });
  row.replaceChildren(make("span", { className: "soft", textContent: fill(data.texts.forgotten, set) }), back);
  if (wasChosen) pick();
  back.focus();
}

const keep = (set) => note(KEPT, [...keptSets().filter((one) => one.name !== set.name), set]);

/** Mark the choice whose rules the fields state; standard rules with changes, when there is none. */
function pick() {
  const rules = fields.rules;
  const now = chosen();
  if (now.checked && rulesOf.has(now) && !differences(rules, rulesOf.get(now))) return show(rules);
  const same = choices().filter((input) => rulesOf.has(input) && !differences(rules, rulesOf.get(input)));
  const input = same.at(-1) ?? (now.checked && rulesOf.has(now) ? now : choices().find(({ value }) => value === "standard"));
  input.checked = true;
  fields.base = rulesOf.get(input);
  show(rules);
}

/** How many changes there are to what is chosen. */
function show(rules) {
  const n = differences(rules, rulesOf.get(chosen()) ?? standard);
  changed.textContent = n ? fill(data.texts.changed, { n }) : "";
  undo.hidden = !n;
}

for (const input of choices()) rulesOf.set(input, data.rules[input.value]);
const last = choices().find(({ value }) => value.startsWith("of:"));
for (const set of keptSets()) {
  presets.append(chip(set));
  if (last && !differences(rulesOf.get(last), complete(set.rules))) {
    last.parentElement.querySelector("b").textContent = fill(data.texts.lastTime, set);
  }
}

const fields = new HouseRules(form, rulesOf.get(chosen()), data.texts, (rules) => show(rules));
pick();

for (const [where, event] of [[presets, "change"], [undo, "click"]]) {
  where.addEventListener(event, () => fields.startFrom(rulesOf.get(chosen()) ?? standard));
}

form.querySelector(".keep").hidden = false;
const name = /** @type {HTMLInputElement} */ (document.getElementById("keep-name"));
document.getElementById("keep").addEventListener("click", () => {
  const set = { name: name.value.trim(), rules: fields.rules };
  if (!set.name) {
    said.textContent = data.texts.nameMissing;
    name.focus();
    return;
  }
  const isSafe = keep(set);
  [...presets.querySelectorAll(".kept-rules")].find((row) => row.dataset.name === set.name)?.remove();
  const row = chip(set);
  presets.append(row);
  row.querySelector("input").checked = true;
  fields.startFrom(complete(set.rules));
  said.textContent = fill(isSafe ? data.texts.kept : data.texts.unsafe, set);
  name.value = "";
});
name.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // it names the rules, and starts no match
  document.getElementById("keep").click();
});
