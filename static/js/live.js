// Keeps the table up to date on every phone that watches: asks every two seconds while the page is seen, and at once on
// coming back to it. An answer that nothing has changed is a few bytes; when something has, the page is fetched anew.

import { offer } from "./awake.js";
import { showMe } from "./me.js";
import { showTimes } from "./times.js";

const EVERY = 2000;
const ENDED = [401, 403, 404, 410];

const { url, version: first } = told().dataset;
let tag = `"${first}"`;
let asking = false;
/** The time of the last answer; a page that this phone has kept says itself how old it is. */
let heard = new Date(document.documentElement.dataset.kept ?? Date.now());
let isEnded = false;

/** Where it is said how the page stands; another element after each time the page was renewed. */
function told() {
  return document.getElementById("live");
}

/** The version in an ETag; compression adds to it how the answer was packed. */
const version = (etag) => etag?.split(":")[0].replaceAll('"', "");

/** An answer of the server that is none: its status says why. */
class NoAnswer extends Error {
  /** @param {Response} answer */
  constructor(answer) {
    super(String(answer.status));
    this.status = answer.status;
  }
}

async function ask() {
  if (document.hidden || asking) return;
  asking = true;
  try {
    const answer = await fetch(url, { headers: { "If-None-Match": tag }, cache: "no-store" });
    if (answer.status !== 304 && !answer.ok) throw new NoAnswer(answer);
    if (answer.ok && version(answer.headers.get("ETag")) !== version(tag)) await renew();
    tag = answer.headers.get("ETag") ?? tag;
    heard = new Date();
    hideKept();
    say(isEnded ? told().dataset.ended : "");
  } catch (error) {
    const { away, gone } = told().dataset;
    const time = heard.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    say((ENDED.includes(error.status) ? gone : away).replace("{time}", time));
  } finally {
    asking = false;
  }
}

/** Put the page as it now is in the place of what is shown; what was opened stays open, and the focus where it was. */
async function renew() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) throw new NoAnswer(answer);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = [...document.querySelectorAll("details[open][id]")].map((details) => details.id);
  const mightScore = told().dataset.scores;
  const held = document.activeElement;
  for (const what of ["main", ".top", ".bar"]) {
    const [old, made] = [document.querySelector(what), fresh.querySelector(what)];
    if (old && made) old.replaceWith(document.adoptNode(made));
    else if (old) old.remove();
    else if (made) document.body.append(document.adoptNode(made));
  }
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  dress();
  if (held && !held.isConnected) {
    const same = [...document.querySelectorAll(held.localName)].find((one) => one.outerHTML === held.outerHTML);
    same?.focus({ preventScroll: true });
  }
  isEnded = !told().dataset.scores && (isEnded || Boolean(mightScore));
}

/** What scripts add to the page. */
function dress() {
  showMe();
  showTimes();
  offer(document.querySelector(".awake"));
}

/** The server has answered: what is shown is no kept copy any more. */
function hideKept() {
  delete document.documentElement.dataset.kept;
  const kept = document.getElementById("as-of");
  if (kept) kept.hidden = true;
}

/** @param {string} text what is to be known about the page, or nothing */
function say(text) {
  const place = told();
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}

dress();
setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
addEventListener("online", ask);
addEventListener("pageshow", ask);
