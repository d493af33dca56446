// Lets scorepad start without a connection. The server writes the line above: RELEASE, its version and its assets.
//
// Assets come from the cache, since their addresses change when they do. Pages come from the network, and the last answer
// is kept; without a connection the kept one is shown, and says so. All else passes by untouched: saves, the API, links
// that give a right, files.

const SCOPE = new URL(registration.scope);
const MINE = `scorepad ${SCOPE.pathname} `; // another scorepad may live beside this one, under another path
const ASSETS = `${MINE}assets ${RELEASE.version}`;
const PAGES = `${MINE}pages ${RELEASE.version}`; // a page of another release would miss its assets
const OFFLINE = new URL("offline", SCOPE).href;

const MOST_PAGES = 60;
const PATIENCE = 4000; // milliseconds for the network, where there is a kept page to show instead

/** The pages that are kept: home, new match, and of a match its table, share, next deal and whys. */
const KEPT = /^(new|m\/[^/]+(\/(share|deals\/new|deals\/[^/]+\/why))?)?$/;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(ASSETS).then((cache) => cache.addAll([...RELEASE.assets, OFFLINE])));
});

addEventListener("activate", (event) => event.waitUntil(takeOver()));

// A new release waits until every page of the old one is closed, or until somebody taps "Reload".
addEventListener("message", (event) => {
  if (event.data === "skip-waiting") skipWaiting();
  if (event.data === "claim") event.waitUntil(clients.claim()); // from a page that no worker serves yet
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== SCOPE.origin || !url.pathname.startsWith(SCOPE.pathname)) return;
  const path = url.pathname.slice(SCOPE.pathname.length);
  if (path.startsWith("static/v-")) event.respondWith(asset(event.request));
  else if (KEPT.test(path)) event.respondWith(page(event, url.origin + url.pathname));
});

/** Delete what older releases kept, and serve the pages that are open. */
async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== ASSETS && name !== PAGES);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

const asset = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

/** The page from the network; the kept one, or the page that says there is no connection, when that fails. */
async function page(event, address) {
  const network = ask(event, address);
  event.waitUntil(network.catch(() => {})); // an answer that comes late is kept all the same
  if (event.request.mode !== "navigate") return network; // a page that renews itself wants no older copy
  const kept = await (await caches.open(PAGES)).match(address);
  const late = new Promise((resolve) => kept && setTimeout(resolve, PATIENCE, kept));
  return Promise.race([network, late]).catch(() => kept ?? caches.match(OFFLINE));
}

async function ask(event, address) {
  const answer = await fetch(event.request);
  const isElsewhere = answer.redirected || answer.type === "opaqueredirect";
  const isPage = answer.status === 200 && answer.headers.get("Content-Type")?.startsWith("text/html");
  if (isElsewhere || [401, 403, 404, 410].includes(answer.status)) event.waitUntil(drop(address));
  else if (isPage) event.waitUntil(keep(address, answer.clone()).catch(() => {})); // no room on the phone: not kept
  return answer;
}

const drop = async (address) => (await caches.open(PAGES)).delete(address);

/** Keep a page with the time at which it was true, and no more than the newest pages. */
async function keep(address, answer) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name); // they spoke of the bytes on the wire
  const html = (await answer.text()).replace("<html ", `<html data-kept="${new Date().toISOString()}" `);
  const pages = await caches.open(PAGES);
  await pages.put(address, new Response(html, { headers }));
  for (const oldest of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(oldest);
}
