// A save that the server refused: its reason or both versions, and what can be done about it.

import { fill } from "./texts.js";

/** Two taps this close, in milliseconds, are one. */
const DOUBLE_TAP = 700;

const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });

/**
 * Show the refused save in the section, or nothing.
 * @param {HTMLElement} section @param {any} entry of the outbox, or null
 * @param {any} texts @param {(deal: any, number: number) => string} inWords
 * @param {import("./refusals.js").Refusals} can what a tap does @param {(entry: any) => void} mend puts it into the form
 */
export function showRefused(section, entry, texts, inWords, can, mend) {
  section.hidden = !entry;
  const shown = entry ? `${entry.id} ${entry.refused.message}` : "";
  if (section.dataset.shown === shown) return;
  section.dataset.shown = shown;
  if (entry) section.replaceChildren(...parts(entry, texts, inWords, can, mend));
}

function parts(entry, texts, inWords, can, mend) {
  const { refused, number, deal } = entry;
  const isConflict = refused.error === "stale" || refused.error === "id_reused";
  const title = refused.error === "id_reused" ? texts.reused : isConflict ? texts.stale : texts.refused;
  const theirs = refused.theirs ? inWords(refused.theirs, number) : refused.deal_id ? texts.removed : texts.nothing;
  const versions = make("dl", "");
  versions.append(make("dt", texts.theirs), make("dd", theirs), make("dt", texts.yours), make("dd", inWords(deal, number)));
  const reasons = refused.problems?.length ? refused.problems : [refused];
  const told = isConflict ? [versions] : reasons.map((p) => make("p", p.message, { className: "wrong" }));
  return [make("h2", fill(title, { n: number })), ...told, buttons(entry, texts, can, mend)];
}

function buttons(entry, texts, can, mend) {
  const row = make("p", "", { className: "two" });
  const add = (text, tapped, more = "") => {
    const button = make("button", text, { type: "button", className: `button ${more}` });
    button.addEventListener("click", () => tapped(button));
    row.append(button);
  };
  /** Two taps: the first asks, and says what the second does. */
  const asks = (button, question, answer) => {
    const asked = Number(button.dataset.asked ?? 0);
    if (asked && Date.now() - asked < DOUBLE_TAP) return;
    if (asked) return answer();
    button.dataset.asked = String(Date.now());
    button.textContent = question;
    return asks;
  };
  const drop = (button) => asks(button, fill(texts.dropSure, { n: entry.number }), () => can.letGo(entry));
  /** What stands is not saved over before it was seen what that does. */
  const over = (button) => {
    if (asks(button, texts.saveMine, () => can.saveOver(entry)) !== asks) return;
    const blank = /** @type {HTMLTemplateElement} */ (document.getElementById("effect-blank"));
    const section = /** @type {HTMLElement} */ (blank.content.firstElementChild.cloneNode(true));
    row.before(section);
    can.lookOver(entry, section);
  };
  if (entry.refused.error === "closed") {
    row.append(make("a", texts.reopen, { className: "button", href: can.urls.reopen }));
    add(texts.again, () => can.again(entry));
    add(texts.drop, drop, "danger");
    return row;
  }
  if (entry.refused.theirs && entry.refused.deal_id) {
    add(texts.lookMine, over);
    if (entry.kind === "add") add(texts.asNext, () => can.asNext(entry));
    add(texts.leave, drop);
  } else add(texts.drop, drop, "danger");
  const isGone = entry.kind === "correct" && !entry.refused.theirs && (entry.refused.deal_id || entry.refused.status === 404);
  if (!isGone) add(texts.mendMine, () => mend(entry));
  return row;
}
