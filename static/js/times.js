// Times of the record, which are UTC, as the clock of the reader shows them; a time of today without its day.

/** @param {ParentNode} page */
export function showTimes(page = document) {
  for (const shown of /** @type {NodeListOf<HTMLTimeElement>} */ (page.querySelectorAll("time[data-text]"))) {
    const at = new Date(shown.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const isToday = at.toDateString() === new Date().toDateString();
    const day = isToday ? {} : { day: "numeric", month: "short", year: "numeric" };
    const time = at.toLocaleString([], { ...day, hour: "2-digit", minute: "2-digit" });
    shown.textContent = shown.dataset.text.replace("{time}", time);
  }
}
