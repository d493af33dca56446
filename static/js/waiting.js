// Says on every page which deals are kept on this phone and not sent yet, sends them, and saves them as a file.

import { get, isSafe } from "./kept.js";
import { Match } from "./match.js";
import { Outbox } from "./outbox.js";
import { clock, fill } from "./texts.js";

const section = document.getElementById("waiting");
const data = JSON.parse(document.getElementById("waiting-data").textContent);
const EVERY = 5000;
const look = Object.assign(document.createElement("a"), { className: "button", textContent: data.texts.look });

export const outbox = new Outbox(data.root, (what) => document.dispatchEvent(new CustomEvent("outbox", { detail: what })));

/** Show what waits: of one match, or on the home page of all. */
export async function showWaiting() {
  const entries = await outbox.entries(data.slug);
  const refused = entries.find((entry) => entry.refused);
  const stopped = entries.map((entry) => outbox.stopped.get(entry.slug)).find(Boolean);
  const isLate = outbox.isAway || refused || stopped || document.body.classList.contains("deal-page") === false;
  section.hidden = !entries.length || !isLate;
  section.dataset.count = String(entries.length);
  if (section.hidden) return entries;
  const why = stopped ?? (refused ? fill(data.texts.refused, { n: refused.number }) : isSafe() ? data.texts.goesOut : data.texts.unsafe);
  write(section.querySelector("summary span"), fill(data.texts.kept, { n: entries.length }));
  write(section.querySelector(".why"), outbox.why ? `${outbox.why} ${why}` : why);
  if (stopped && section.dataset.stopped !== stopped) section.open = true;
  section.dataset.stopped = stopped ?? "";
  look.remove();
  if (refused && !document.body.classList.contains("deal-page")) {
    look.href = `${data.root}m/${refused.slug}/deals/new?waiting=1`;
    section.querySelector(".two").prepend(look);
  }
  const lines = entries.map(line);
  const list = section.querySelector("ol");
  if (list.textContent !== lines.map((l) => l.textContent).join("")) list.replaceChildren(...lines);
  return entries;
}

/** A text that has not changed is not said again. */
const write = (element, text) => element.textContent === text || (element.textContent = text);

function line(entry) {
  const { deal, number, refused, at } = entry;
  const time = clock(new Date(at));
  const item = Object.assign(document.createElement("li"), { className: refused ? "wrong" : "" });
  const values = { n: number, name: deal.declarer, contract: data.contracts[deal.contract] ?? deal.contract, time };
  item.textContent = fill(data.texts.line, values) + (refused ? ` ${refused.message}` : "");
  return item;
}

/** The match with what is kept here, as a match file. */
async function saveFile() {
  const slug = data.slug ?? (await outbox.entries())[0]?.slug;
  const now = await get(`match:${slug}`);
  if (!now) return;
  const match = new Match(now, "");
  match.waiting = await outbox.entries(slug);
  const text = `${JSON.stringify(match.file, null, 1)}\n`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `barbu-${match.file.date ?? ""}-${match.file.deals.length}.json`.replace("--", "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function send() {
  await outbox.send();
  await showWaiting();
}

section.querySelector('[data-do="send"]').addEventListener("click", () => {
  outbox.stopped.clear();
  send();
});
section.querySelector('[data-do="file"]').addEventListener("click", saveFile);
addEventListener("beforeunload", (event) => {
  if (!isSafe() && Number(section.dataset.count)) event.preventDefault();
});
for (const event of ["online", "pageshow"]) addEventListener(event, send);
document.addEventListener("visibilitychange", () => document.hidden || send());
setInterval(send, EVERY);
send();
