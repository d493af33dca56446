// Copies the address of the watch link, where the browser lets a page do that.

const place = document.getElementById("copy");
if (place && navigator.clipboard) {
  const told = place.querySelector("[role=status]");
  place.hidden = false;
  place.querySelector("button").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(place.dataset.text);
      told.textContent = told.dataset.done;
    } catch {
      told.textContent = told.dataset.failed;
    }
  });
}
