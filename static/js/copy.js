// Copies an address, or the text of the page that is named.

for (const place of document.querySelectorAll(".copy")) {
  const told = place.querySelector("[role=status]");
  place.hidden = false;
  place.querySelector("button").addEventListener("click", async () => {
    try {
      await copy(place.dataset.text ?? document.getElementById(place.dataset.of).textContent);
      told.textContent = told.dataset.done;
    } catch {
      told.textContent = told.dataset.failed;
    }
  });
}

/** Without HTTPS there is no clipboard to write to; what is selected can be copied all the same. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = Object.assign(document.createElement("textarea"), { className: "hidden", value: text, readOnly: true });
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  before?.focus();
  if (!isDone) throw new Error("refused");
}
