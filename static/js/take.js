// Every way out of a match: draws the picture, and opens the share sheet of the phone where it has one.

import { fileAt, handOver, isApp, takes } from "./file.js";
import { draw } from "./picture.js";

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("picture"));
const save = document.getElementById("save-picture");

draw(canvas, JSON.parse(document.getElementById("picture-data").textContent));
document.getElementById("as-picture").hidden = false;

const picture = new Promise((resolve) => canvas.toBlob(resolve, "image/png")).then(
  (blob) => new File([blob], save.dataset.name, { type: "image/png" }),
);
save.hidden = isApp() && takes("png"); // its share sheet saves pictures, and leads back
save.addEventListener("click", async () => {
  const href = URL.createObjectURL(await picture);
  Object.assign(document.createElement("a"), { href, download: save.dataset.name }).click();
  setTimeout(URL.revokeObjectURL, 60_000, href);
});

/** What each button hands over, and whether this phone takes that. */
const WAYS = {
  text: { can: () => true, what: async () => ({ text: document.getElementById("summary").textContent }) },
  picture: { can: () => takes("png"), what: async () => ({ files: [await picture] }) },
  file: { can: () => takes("pdf"), what: async ({ dataset }) => ({ files: [await fileAt(dataset.file)] }) },
};

for (const button of document.querySelectorAll("button[data-shares]")) {
  const way = WAYS[button.dataset.shares];
  button.hidden = !navigator.share || !way.can();
  if (!button.hidden) button.addEventListener("click", () => share(button, way));
}

const ready = new Map();

/** What was fetched is kept: a phone opens its share sheet only shortly after a tap, so that a second one may be needed. */
async function share(button, way) {
  const told = button.closest(".way").querySelector("[data-again]");
  told.textContent = "";
  button.disabled = true;
  try {
    if (!ready.has(button)) ready.set(button, await way.what(button));
    if (await handOver(ready.get(button))) ready.delete(button);
    else told.textContent = told.dataset.again;
  } catch {
    ready.delete(button);
    told.textContent = told.dataset.failed;
  } finally {
    button.disabled = false;
  }
}
