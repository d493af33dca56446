// Who looks at this phone: a name tapped once on the table page, remembered on the device for this match.

const KEY = "scorepad-me-";

/** @type {Map<string, string>} seats by match, for a browser that keeps nothing */
const known = new Map();

/** @param {string} slug @returns {string | null} the seat, "0" to "3" */
function remembered(slug) {
  try {
    return known.get(slug) ?? localStorage.getItem(KEY + slug);
  } catch {
    return known.get(slug) ?? null;
  }
}

/** @param {string} slug @param {string | null} seat */
function remember(slug, seat) {
  known.set(slug, seat ?? "");
  try {
    if (seat) localStorage.setItem(KEY + slug, seat);
    else localStorage.removeItem(KEY + slug);
  } catch {
    // This page knows it all the same.
  }
}

/** Ask who it is, or show what concerns him; the page is shown anew as often as the table changes. */
export function showMe() {
  const who = document.getElementById("who");
  if (!who) return;
  const { slug } = who.dataset;
  const told = [...document.querySelectorAll(".you")];
  const show = () => {
    const seat = remembered(slug);
    for (const one of told) one.hidden = one.dataset.seat !== seat;
    who.hidden = told.some((one) => !one.hidden);
  };
  for (const chip of who.querySelectorAll("button")) {
    chip.addEventListener("click", () => {
      remember(slug, chip.dataset.seat);
      show();
      told.find((one) => !one.hidden)?.querySelector("button").focus({ preventScroll: true });
    });
  }
  for (const button of document.querySelectorAll(".not-me")) {
    button.addEventListener("click", () => {
      remember(slug, null);
      show();
      who.querySelector("button").focus({ preventScroll: true });
    });
  }
  show();
}
