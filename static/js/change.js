// Putting something right: the fields of the house rules count along, and points are changed by steps instead of typing.

import { HouseRules } from "./houserules.js";
import { signed } from "./preview.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("change"));
const rules = document.getElementById("rules-data");
if (rules) {
  const data = JSON.parse(rules.textContent);
  new HouseRules(form, data.rules, data.texts);
}

const STEP = 5;
const points = (input) => Number(input.value.replace(/[\u2212\u2013]/g, "-")) || 0;

for (const input of form.querySelectorAll("[data-stepper]")) {
  const row = Object.assign(document.createElement("span"), { className: "stepper" });
  input.replaceWith(row);
  const button = (sign) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: sign < 0 ? "\u2212" : "+" });
    made.setAttribute("aria-label", `${input.labels[0]?.textContent} ${made.textContent}${STEP}`);
    made.addEventListener("click", () => (input.value = signed(points(input) + sign * STEP)));
    return made;
  };
  row.append(input);
  input.before(button(-1));
  input.after(button(1));
}
