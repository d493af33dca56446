// The page of a deal: declare, double, tally, save, and on to the next deal without leaving the page or waiting for the
// network. What is saved is kept on this phone first and sent from there; the server decides.

import { offer } from "./awake.js";
import { OpenDeal } from "./draft.js";
import { DealForm } from "./form.js";
import { note, noted } from "./kept.js";
import { Look } from "./looking.js";
import { Match, newId, take } from "./match.js";
import { figures, show } from "./preview.js";
import { showReadBack, way } from "./readback.js";
import { Refusals } from "./refusals.js";
import { showRefused } from "./refused.js";
import { doublesSpoken, readBack, whoDeals, Words } from "./say.js";
import { showStanding } from "./standing.js";
import { stay } from "./stays.js";
import { clock, fill } from "./texts.js";
import { outbox, showWaiting } from "./waiting.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("deal-data").textContent);
const { texts, urls, dealId, forgotten } = data;
/** A deal of the past: it is no open deal, and waits for its answer. */
const isPast = Boolean(dealId || forgotten);
const slug = data.now.slug;
const EVERY = 2000;
/** Two taps this close, in milliseconds, are one. */
const DOUBLE_TAP = 700;
/** A double that the address says was forgotten: "02", seat 0 doubles seat 2. */
const missingDouble = new URLSearchParams(location.search).get("double");

const element = /** @type {HTMLFormElement} */ ($("deal"));
const save = /** @type {HTMLButtonElement} */ ($("save"));
const match = new Match(data.now, urls.now);
const form = new DealForm(element, texts, tapped);

/** The deal on the page: its number, the revision it was seen at, whether anything was tapped, which save it mends. */
const page = { number: 1, seen: 0, isTouched: false, isPlaying: false, mends: null, isBusy: false };
/** What a correction does, once it was asked for. */
const seeing = new Look($("effect"), urls, texts);
const refusals = new Refusals(match, data, { ask, changed: catchUp, letIn, dropped: () => dealId && note(noteName(), null) });
let where = match.standing();

const words = () => new Words(data.sentences, shownNames(), data.contracts);
const noteName = () => (page.mends ? `mend:${slug}:${page.mends}` : dealId ? `edit:${slug}:${dealId}` : `open:${slug}`);

/** The names at the table now, by the names in the match file. */
function shownNames() {
  const names = match.namesAt(page.number);
  return Object.fromEntries(match.now.file.players.map((player, seat) => [player, data.shown[names[seat]] ?? names[seat]]));
}

// Opening a deal

/** Open the next deal, or the one to be corrected; what was tapped before is put back. */
function open() {
  where = match.standing();
  page.mends = null;
  seeing.forget();
  page.isTouched = page.isPlaying = false;
  page.seen = match.now.revision;
  $("taken").hidden = $("overtaken").hidden = true;
  const { file } = match;
  page.number = dealId ? match.ids.indexOf(dealId) + 1 : where.deals.length + 1;
  if (forgotten) return openForgotten();
  if (dealId && !page.number) return location.assign(urls.next); // another phone has removed it
  if (!dealId && !where.next) return finished();
  const kept = noted(noteName());
  if (dealId) return openKept(file.deals[page.number - 1], kept);
  const { draft } = match.now;
  const isOwn = kept?.number === page.number && (kept.isTallied || kept.version >= draft.version || !draft.deal || draft.mine);
  openDeal.version = draft.version;
  if (isOwn) {
    layOut(kept.snapshot.declarer);
    form.snapshot = kept.snapshot;
    page.isTouched = true;
    page.isPlaying = kept.isPlaying;
    if (draft.deal && !draft.mine && kept.version < draft.version) openDeal.tell.taken({ ...draft, draft: draft.version });
  } else if (draft.deal && !match.waiting.length) {
    layOut(file.players.indexOf(draft.deal.declarer));
    form.fillWith(draft.deal, draft.spoken);
    page.isPlaying = draft.spoken === 4;
  } else {
    form.clear();
    layOut(asked() ?? file.players.indexOf(where.next.declarer));
    if (form.only) {
      form.only.checked = true;
      form.choose();
    }
  }
  refresh();
  if (isOwn && !kept.isSent) keepOpen();
}

function openKept(deal, kept) {
  const isOwn = kept?.revision === match.now.revision && !missingDouble;
  layOut(isOwn ? kept.snapshot.declarer : (asked() ?? match.now.file.players.indexOf(deal.declarer)));
  if (isOwn) form.snapshot = kept.snapshot;
  else form.fillWith(deal);
  page.isTouched = isOwn;
  addMissing();
  refresh();
}

/** A double that was found to be missing, and is to be added now. */
function addMissing() {
  const box = form.boxes("doubles").find((one) => one.value === missingDouble);
  if (box) box.checked = page.isTouched = true;
}

/** A deal that is put in before another: what the server has put into the form stays. */
function openForgotten() {
  page.number = forgotten;
  layOut(asked() ?? form.declarer);
  refresh();
}

/** The declarer that the address asks for, of the first deal opened here. */
function asked() {
  const seat = new URLSearchParams(location.search).get("declarer");
  history.replaceState(null, "", location.pathname);
  return /^[0-3]$/.test(seat ?? "") ? +seat : null;
}

/** Lay the form out for a declarer; doubles and tally stay. */
function layOut(declarer) {
  const { players, rules } = match.now.file;
  const own = match.file.deals[page.number - 1];
  const player = players[declarer];
  const contracts = {};
  for (const [key, facts] of Object.entries(data.contracts)) {
    const used = where.deals.find((d) => d.declarer === player && d.contract === key && (forgotten || d.deal !== page.number))?.deal;
    contracts[key] = { ...facts, used, must: isPast || page.mends || used ? {} : must(player, key) };
  }
  form.layOut({ declarer, players, names: match.namesAt(page.number), mayOpen: rules.declarer_may_open, contracts });
  showOthers(form.order.slice(1).filter((seat) => own || where.left[players[seat]].length));
  $("roles").textContent = words().say(whoDeals(player, match.now.file));
}

/** Who would have to double, by seat, and why. */
function must(player, contract) {
  const players = match.now.file.players;
  const left = where.left[player].length;
  const why = (p) => fill(texts.owes, { owed: where.owed[p][player], left });
  return Object.fromEntries(where.mustDouble(player, contract).map((p) => [players.indexOf(p), why(p)]));
}

/** Who else may have declared. */
function showOthers(seats) {
  const others = $("others");
  if (others.dataset.seats !== String(seats)) others.replaceChildren(...seats.map(other));
  others.dataset.seats = String(seats);
  others.closest("details").hidden = !seats.length;
}

function other(seat) {
  const chip = Object.assign(document.createElement("button"), { type: "button", className: "chip" });
  chip.append(Object.assign(document.createElement("bdi"), { textContent: match.namesAt(page.number)[seat] }));
  chip.addEventListener("click", () => {
    layOut(seat);
    form.choose();
    $("others").closest("details").open = false;
    tapped();
    focusHeading();
  });
  return chip;
}

/** All is declared: the table says who won, once everything has arrived there. */
function finished() {
  note(noteName(), null);
  element.hidden = true;
  document.querySelector(".bar").hidden = true;
  $("heading").textContent = texts.finished;
  $("about").textContent = "";
  showState();
  if (!match.waiting.length) location.assign(urls.table);
}

// After each tap

function tapped() {
  const wasChosen = element.dataset.contract;
  page.isTouched = true;
  if (forgotten) notLooked();
  refresh();
  follow(wasChosen);
  if (forgotten) return;
  note(noteName(), kept());
  keepOpen();
}

/** Bring what is tapped next into sight: the doubles after the contract, then whoever speaks, then what was said. */
function follow(wasChosen) {
  if (form.key && form.key !== wasChosen) {
    $("read-back").open = false;
    $("doubles").scrollIntoView({ block: "start" });
  } else if (!page.isPlaying && document.activeElement?.closest?.("#doubles")) {
    (form.now ?? $("said")).scrollIntoView({ block: "nearest" });
  }
}

const kept = () => ({
  number: page.number,
  revision: match.now.revision,
  version: openDeal.version,
  isPlaying: page.isPlaying,
  isTallied: Boolean(form.contract && !form.isPassedOut && form.result),
  snapshot: form.snapshot,
});

function refresh() {
  const key = form.key;
  element.dataset.contract = key ?? "";
  element.hidden = document.querySelector(".bar").hidden = false;
  showHeading();
  showState();
  $("misdeal")?.toggleAttribute("hidden", !key || Boolean(page.mends));
  save.classList.remove("paper");
  if (!form.contract) {
    save.disabled = true;
    save.textContent = saveText();
    $("preview").hidden = $("said").hidden = true;
    if ($("play")) $("play").hidden = true;
    $("why-not").textContent = texts.chooseContract;
    return;
  }
  const made = form.showDoubles();
  const { isPassedOut } = form;
  $("tally").hidden = isPassedOut;
  $("noting").textContent = key === "T" ? texts.noteTrump : texts.note;
  form.showTally();
  const missing = isPassedOut ? null : form.missing;
  save.disabled = Boolean(missing);
  save.textContent = isPassedOut && !isLookedAt() ? texts.passedOut : saveText(missing);
  if (!forgotten) $("effect").hidden = !isLooked(missing);
  save.classList.toggle("paper", isPassedOut && form.spoken < 4);
  $("why-not").textContent = missing ?? "";
  const isAway = page.isPlaying || isPassedOut || !missing;
  if ($("play")) Object.assign($("play"), { hidden: !page.mends && isAway, textContent: page.mends ? texts.notNow : texts.play });
  $("spoken").textContent = form.now ? (made ? fill(texts.spoken, { n: made }) : "") : texts.allSpoken;
  $("said").hidden = !made && form.spoken < 4;
  $("said").textContent = words().one(doublesSpoken(form.declaration, match.now.file));
  preview(isPassedOut, missing);
}

function showHeading() {
  const name = match.namesAt(page.number)[form.declarer];
  const isOld = isPast || page.mends;
  const heading = page.mends ? texts.mend : dealId ? texts.correct : forgotten ? texts.forgotten : texts.heading;
  $("heading").textContent = fill(heading, { name, n: page.number });
  const about = fill(texts.about, { n: page.number, all: 4 * Object.keys(data.contracts).length });
  const more = isOld ? fill(texts.declared, { name }) : page.isPlaying && form.key ? texts.playing : "";
  $("about").textContent = more ? `${about} · ${more}` : about;
}

function saveText(missing = null) {
  if (isLookedAt() && !isLooked(missing)) return texts.look;
  return corrects() ? texts.saveCorrection : fill(texts.save, { n: page.number });
}

// What a deal of the past does when it is saved: looked at first, saved by the next tap

/** The correction that saving makes of a deal of the record; null where it is a new deal, or one that has not arrived. */
function corrects() {
  const mended = match.waiting.find((e) => e.id === page.mends);
  const made = mended && !mended.refused ? null : refusals.whatToSave(mended, dealId, page.seen);
  return made?.kind === "correct" ? made : null;
}

/** Whether saving is looked at first. */
const isLookedAt = () => Boolean(forgotten ? !page.mends : corrects());

const looked = element.querySelector('[name="looked"]');

function isLooked(missing) {
  if (forgotten) return Boolean(looked.value);
  return !missing && seeing.isOf(form.deal);
}

/** What the server has shown is of another deal than the one on the page. */
function notLooked() {
  looked.value = "";
  $("effect")?.remove();
}

/** Show what the correction does, above the form. */
async function look({ deal_id, seen }) {
  const bar = document.querySelector(".bar");
  bar.inert = true;
  setTimeout(() => (bar.inert = false), DOUBLE_TAP);
  const [file, isAlone] = page.mends ? [match.now.file, false] : [match.file, match.waiting.length > 0];
  const ids = page.mends ? match.now.deal_ids : match.ids;
  const shown = seeing.show({ deal: form.deal, deal_id, seen }, file, ids.indexOf(deal_id), match.namesAt(Infinity), isAlone);
  refresh();
  $("effect").scrollIntoView({ block: "start" });
  await shown;
}

function preview(isPassedOut, missing) {
  const { result } = form;
  const deal = { ...form.declaration, passed_out: isPassedOut, result };
  const shown = isPassedOut || result ? figures(deal, match.now.file.rules, forgotten ? where.totals : match.totalsBut(page.number)) : null;
  $("so-far").hidden = !missing && !(isPassedOut && form.spoken < 4);
  $("so-far").textContent = isPassedOut ? texts.ifPassed : texts.soFar;
  const order = form.order.map((seat) => match.now.file.players[seat]);
  show($("preview"), shown, order, shownNames(), texts);
}

// The open deal on the server

const openDeal = new OpenDeal(urls, match.now.draft.version, {
  kept: () => note(noteName(), { ...kept(), isSent: !openDeal.wanted }),
  taken: (theirs) => {
    $("taken").hidden = false;
    $("show-theirs").onclick = async () => {
      note(noteName(), null);
      $("taken").hidden = true;
      await ask();
      open();
    };
    $("take-over").onclick = () => {
      $("taken").hidden = true;
      openDeal.take(theirs);
    };
  },
  isStill: async () => {
    const { number } = page;
    await ask();
    catchUp();
    return page.number === number && match.standing().deals.length < number;
  },
});

function keepOpen() {
  if (isPast || page.mends || match.waiting.length || !form.contract) return;
  openDeal.keep(form.declaration, form.spoken);
}

/** The doubles are spoken and the hand is on. */
function play() {
  form.spoken = 4;
  page.isPlaying = true;
  tapped();
  $("tally").scrollIntoView({ block: "start" });
}

/** What is mended can wait. */
function notNow() {
  note(noteName(), null);
  page.mends = null;
  open();
  focusHeading();
}

/** Where a reader goes on when what he was on is gone. */
const focusHeading = () => $("heading").focus({ preventScroll: true });

/** A misdeal: the same player declares again. */
function drop() {
  form.clear();
  page.isPlaying = page.isTouched = false;
  $("misdeal").open = false;
  openDeal.drop();
  note(noteName(), kept());
  layOut(match.now.file.players.indexOf(where.next.declarer));
  refresh();
  const name = match.namesAt(page.number)[form.declarer];
  showReadBack($("read-back"), fill(texts.dropped, { n: page.number, name }), "", null, spoken(), []);
  scrollTo(0, 0);
  focusHeading();
}

// Saving

element.addEventListener("submit", (event) => {
  if (forgotten) {
    form.boxes("passed_out")[0].checked = form.isPassedOut; // it is sent as a form
    if (form.isPassedOut) form.clearTally();
    return;
  }
  event.preventDefault();
  const what = event.submitter?.value;
  if (what === "play") page.mends ? notNow() : play();
  else if (what === "drop") drop();
  else if (!save.disabled && !page.isBusy) saveDeal();
});

async function saveDeal() {
  const correction = corrects();
  if (correction && !isLooked()) return look(correction);
  page.isBusy = save.disabled = true;
  const mended = match.waiting.find((e) => e.id === page.mends);
  const { place, ...how } = refusals.whatToSave(mended, dealId, page.seen);
  const entry = { ...how, slug, id: newId(), number: page.number, deal: form.deal, at: new Date().toISOString() };
  openDeal.forget();
  await outbox.keep(entry, place);
  note(noteName(), null);
  page.mends = null;
  await settle();
  page.isBusy = false;
  if (dealId) return correct(entry);
  readBackOf(entry, "kept");
  scrollTo(0, 0);
  open();
  outbox.send();
}

/** A correction is waited for; without a connection it is kept, and the page says so. */
async function correct(entry) {
  await outbox.send();
  await settle();
  const own = match.waiting.find((e) => e.id === entry.id);
  if (!own) location.assign(`${urls.next}?saved=${encodeURIComponent(entry.deal_id ?? entry.id)}`);
  else open();
}

/** What waits on this phone, read again. */
async function settle() {
  match.waiting = await outbox.entries(slug);
  where = match.standing();
}

const spoken = () => ({ names: shownNames(), texts });

/** Read back a deal that is saved, or kept on this phone for now. */
function readBackOf(entry, state) {
  const line = where.deals[entry.number - 1];
  if (!line) return;
  Object.assign($("read-back").dataset, { state, deal: entry.number, id: entry.id });
  const isSaved = state === "saved";
  const address = `${urls.deals}${encodeURIComponent(entry.deal_id ?? entry.id)}`;
  const ways = isSaved
    ? [way(texts.correctIt, address), way(texts.why, `${address}/why`)]
    : [way(texts.correctIt, "", () => mend(entry))];
  const title = fill(isSaved ? texts.saved : texts.keptHere, { n: entry.number });
  const sentence = words().one(readBack(line, entry.deal, match.now.file));
  showReadBack($("read-back"), title, sentence, line, spoken(), ways);
}

document.addEventListener("outbox", async ({ detail: { sent, answer } }) => {
  if (sent?.slug === slug) match.now = take(match.now, sent, answer);
  if (sent && dealId && answer.deal_id === dealId) page.seen = answer.revision;
  await settle();
  if (sent && $("read-back").dataset.id === sent.id) readBackOf({ ...sent, number: answer.deal }, "saved");
  if (sent && !match.waiting.length) {
    openDeal.version = match.now.draft.version;
    if (!page.isTouched || !(where.next || isPast || page.mends)) open();
    else keepOpen();
  }
  showState();
});

// What others do meanwhile

async function ask() {
  try {
    const changed = await match.ask();
    match.isAway = false;
    return changed;
  } catch {
    match.isAway = true;
    return false;
  }
}

async function tick() {
  if (document.hidden || page.isBusy) return;
  const changed = await ask();
  if (match.now.may_score) outbox.stopped.delete(slug);
  if (match.waiting.length && !match.isAway) await outbox.send();
  await settle(); // another page of this phone may have sent something
  if (page.isBusy) return;
  if (changed) catchUp();
  if (!match.isAway) openDeal.send();
  showState();
}

/** The match has changed: move on when nothing was tapped here, else say what has become of this deal. */
function catchUp() {
  where = match.standing();
  seeing.forget();
  if (refusals.isOutdated) delete $("refused").dataset.shown; // and so was what was looked at there
  if (forgotten) return;
  if (!page.mends) {
    page.number = dealId ? match.ids.indexOf(dealId) + 1 : Math.min(page.number, where.deals.length + 1);
    if (!page.isTouched || !page.number) return open();
  }
  const isOver = !dealId && !page.mends && where.deals.length >= page.number;
  const { draft } = match.now;
  if (isOver) return overtaken();
  if (draft.deal && !draft.mine && draft.version > openDeal.version && !dealId) openDeal.tell.taken({ ...draft, draft: draft.version });
  layOut(form.declarer);
  refresh();
}

/** Another phone has saved the deal that is being entered here. */
function overtaken() {
  const section = $("overtaken");
  const line = where.deals[page.number - 1];
  const said = words().one(readBack(line, match.file.deals[page.number - 1], match.now.file));
  section.hidden = false;
  section.querySelector("h2").textContent = fill(texts.overtaken, { n: page.number });
  section.querySelector("p").textContent = `${said} ${texts.notSaved}`;
  const goOn = $("go-on");
  goOn.textContent = fill(texts.goOn, { n: where.deals.length + 1 });
  goOn.onclick = () => {
    note(noteName(), null);
    section.hidden = true;
    open();
    scrollTo(0, 0);
  };
}

// What waits, what was refused, whether the server is there

function showState() {
  showWaiting();
  const refused = match.waiting.find((e) => e.refused && e.id !== page.mends);
  showRefused($("refused"), refused, texts, inWords, refusals, mend);
  showStanding($("standing"), where, match, { texts, names: shownNames() });
  const away = $("away");
  const differing = match.differing;
  const said = match.now.may_score === false ? texts.ended
    : match.now.closed && !refused ? texts.closed
    : match.isAway && !match.waiting.length ? fill(texts.away, { time: clock(match.heard) })
    : differing.length ? fill(texts.difference, { list: differing.map((p) => `${shownNames()[p]} ${match.now.totals[p]}`).join(", ") })
    : "";
  away.hidden = !said;
  if (away.textContent !== said) away.textContent = said;
}

/** A deal in one sentence: doubles and tally. */
function inWords(deal, number) {
  const { file } = match.now;
  const line = { deal: number, pairs: [], open: true };
  return words().one(readBack(line, deal, file));
}

/** The queue moves again: look at the match as it now stands. */
async function letIn() {
  await ask();
  await settle();
  if (dealId && !match.waiting.length) return location.assign(urls.next);
  if (!page.isTouched) open();
  else catchUp();
  showState();
  focusHeading();
}

/** Put a refused deal back into the form; saved again, it takes its place in the queue. */
function mend(entry) {
  if (forgotten) return location.assign(urls.next); // the form of this page goes to the server as it is
  page.mends = entry.id;
  page.number = entry.number;
  page.isTouched = true;
  page.isPlaying = false;
  layOut(match.now.file.players.indexOf(entry.deal.declarer));
  form.fillWith(entry.deal);
  refresh();
  scrollTo(0, 0);
  focusHeading();
}

stay(() => match.isAway || outbox.isAway || !navigator.onLine, $("away"), texts.stays);

/** A contract that was declared already says where, and leads there. */
document.querySelector(".contracts").addEventListener("click", (event) => {
  const box = event.target.closest(".contract.used")?.querySelector("input");
  if (!box) return;
  const used = form.contracts[box.value]?.used;
  const id = match.ids[used - 1];
  const link = Object.assign(document.createElement("a"), { textContent: fill(texts.correct, { n: used }), href: `${urls.deals}${id}` });
  $("declared-in").replaceChildren(fill(texts.declaredIn, { n: used }), " ", link);
  $("declared-in").hidden = false;
});

async function start() {
  offer(document.querySelector(".awake"));
  $("as-of").remove(); // this page speaks of the match as it stands, not of the copy it came in
  await match.recall();
  await settle();
  open();
  await tick();
  setInterval(tick, EVERY);
  document.addEventListener("visibilitychange", tick);
  for (const event of ["online", "pageshow"]) addEventListener(event, tick);
}

start();
