// Keeps the screen on while a page of the match is seen, where the browser can: a switch that the phone remembers.

const KEY = "scorepad-awake";

let wanted = remembered();
/** @type {WakeLockSentinel | null} */
let lock = null;
let asking = false;
/** Tells the switch on the page that something changed. */
let tell = () => {};

function remembered() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, wanted ? "1" : "0");
  } catch {
    // It holds as long as this page.
  }
}

/** Ask for what is wanted and let go of what is not; what the phone refuses is asked for again when it is woken. */
async function ask() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    if (wanted && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen");
    if (!wanted) await lock?.release();
  } catch {
    lock = null; // a battery that runs low, or a page that is no longer seen
  } finally {
    asking = false;
  }
  tell();
}

/**
 * Offer the switch of the macro `awake` of _parts.html; nothing happens where the screen cannot be kept on.
 * @param {HTMLElement | null} element
 */
export function offer(element) {
  if (!element || !("wakeLock" in navigator)) return;
  const [box, said] = [element.querySelector("input"), element.querySelector("[role=status]")];
  tell = () => {
    const isRefused = wanted && !document.hidden && (!lock || lock.released);
    said.textContent = isRefused ? said.dataset.refused : "";
  };
  box.checked = wanted;
  element.hidden = false;
  box.addEventListener("change", () => {
    wanted = box.checked;
    remember();
    ask();
  });
  ask();
}

document.addEventListener("visibilitychange", () => {
  if ("wakeLock" in navigator && (wanted || lock)) ask();
});
