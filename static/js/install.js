// Makes scorepad start without a connection, where the browser lets it: brings the service worker, asks before the page
// goes over to a new release, and says when a page is a copy kept on this phone.

import { spoken, tables } from "./pages.js";

const html = document.documentElement;
const worker = navigator.serviceWorker; // only under https, or on the computer itself

if (html.dataset.kept) {
  const said = document.getElementById("as-of");
  said.textContent = said.dataset.text.replace("{time}", spoken(new Date(html.dataset.kept), new Date()));
  said.hidden = false;
}
if (worker) bring(new URL(html.dataset.worker, location.href)).catch(() => {}); // a browser may refuse it: then there is none
if (document.getElementById("kept-tables")) listTables();

/** @param {URL} address */
async function bring(address) {
  keepThis().catch(() => {});
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  const registration = await worker.register(address);
  offer(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => offer(registration));
  });
  document.addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => {}));
}

/** A page that came before the worker did is asked for once more, so that it is kept like those that follow. */
async function keepThis() {
  if (location.pathname.includes("/join/")) return; // a scoring link is kept nowhere
  if (performance.getEntriesByType("navigation")[0]?.workerStart) return;
  if (!worker.controller) {
    const controlled = new Promise((resolve) => worker.addEventListener("controllerchange", resolve, { once: true }));
    (await worker.ready).active.postMessage("claim"); // this page may have been on its way when the worker began
    await controlled;
  }
  await fetch(location.href, { cache: "force-cache" }); // what the browser has just been sent, and no bytes more
}

/** Show that a new release waits. @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  if (!registration.waiting || !worker.controller) return;
  const bar = document.getElementById("release");
  bar.hidden = false;
  document.getElementById("later").onclick = () => (bar.hidden = true);
  document.getElementById("reload").onclick = () => {
    if (!registration.waiting) return location.reload(); // another page of this phone has gone over already
    worker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting.postMessage("skip-waiting");
  };
}

/** On the page without connection: the tables that can be read all the same. */
async function listTables() {
  document.getElementById("again").addEventListener("click", () => location.reload());
  if (!worker) return;
  const found = await tables(new URL(".", new URL(html.dataset.worker, location.href)).pathname);
  document.getElementById("kept-tables").replaceChildren(
    ...found.map(({ address, title, kept }) => {
      const link = Object.assign(document.createElement("a"), { className: "button", href: address });
      const name = Object.assign(document.createElement("bdi"), { textContent: title });
      const time = Object.assign(document.createElement("small"), { textContent: spoken(kept, new Date()) });
      link.append(name, " ", time);
      const line = document.createElement("li");
      line.append(link);
      return line;
    }),
  );
  document.getElementById("kept-here").hidden = !found.length;
}
