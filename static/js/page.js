// What every page does once scripts run.

import { showTimes } from "./times.js";

document.documentElement.classList.replace("no-js", "js");

showTimes();

const print = document.getElementById("print");
if (print) {
  document.getElementById("print-bar").hidden = false;
  print.addEventListener("click", () => window.print());
}

// In an app on the home screen nothing leads back from a file: it is handed to the share sheet, or opens beside the app.
if (navigator.standalone || matchMedia("(display-mode: standalone)").matches) {
  let sharing;
  import("./file.js").then((module) => (sharing = module), () => {});
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !/\.(pdf|json|csv|txt)$/.test(link.pathname)) return;
    Object.assign(link, { target: "_blank", rel: "noopener" });
    sharing?.shareInstead(event, link);
  });
}

// A double tap on a button sends its form once.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented) return; // its page sends it
  if (form.dataset.sent) event.preventDefault();
  else setTimeout(() => (form.dataset.sent = "1"));
});
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// On the page that starts a match, the first declarer is chosen by the names as they are typed.
for (const shown of document.querySelectorAll("[data-name-of]")) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(`name_${shown.dataset.nameOf}`));
  const unnamed = shown.textContent;
  const show = () => (shown.textContent = input.value.trim() || unnamed);
  input.addEventListener("input", show);
  if (input.value) show();
}

// The last tap of an evening lands on "Save"; were it a double tap, the second would land on what is there next.
const bar = /** @type {HTMLElement | null} */ (document.querySelector(".bar:has(form)"));
if (bar) {
  bar.inert = true;
  setTimeout(() => (bar.inert = false), 700);
}
