// Of the pages that static/sw.js keeps on this phone: how old one is, and which tables there are.

/**
 * A moment as a player says it: the time, and the date too when it is not today's.
 * @param {Date} moment @param {Date} now @param {string} [language] the phone's own, unless another is named
 */
export function spoken(moment, now, language) {
  const time = moment.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  const isToday = moment.toDateString() === now.toDateString();
  return isToday ? time : `${moment.toLocaleDateString(language, { day: "numeric", month: "long" })}, ${time}`;
}

/**
 * What a kept table is called, and when it was kept; null for any other page.
 * @param {string} address @param {string} html
 */
export function table(address, html) {
  if (!/\/m\/[^/]+$/.test(new URL(address).pathname)) return null;
  const shown = new DOMParser().parseFromString(html, "text/html");
  return { address, title: shown.querySelector("h1").textContent, kept: new Date(shown.documentElement.dataset.kept) };
}

/** The tables that are kept for this scorepad, the newest first. @param {string} path the path it lives under */
export async function tables(path) {
  const found = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith(`scorepad ${path} pages `)) continue;
    const pages = await caches.open(name);
    for (const request of await pages.keys()) {
      found.push(table(request.url, await (await pages.match(request)).text()));
    }
  }
  return found.filter(Boolean).sort((a, b) => b.kept - a.kept);
}
