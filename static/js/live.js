// Keeps the table up to date on every phone that watches: asks every two seconds while the page is seen, and at once on
// coming back to it. An answer that nothing has changed is a few bytes; when something has, the page is fetched anew.

const live = document.getElementById("live");
const EVERY = 2000;
let tag = `"${live.dataset.version}"`;

/** The version in an ETag; compression adds to it how the answer was packed. */
const version = (etag) => etag?.split(":")[0].replaceAll('"', "");
let asking = false;
let heard = new Date();

async function ask() {
  if (document.hidden || asking) return;
  asking = true;
  try {
    const answer = await fetch(live.dataset.url, { headers: { "If-None-Match": tag }, cache: "no-store" });
    if (answer.status !== 304 && !answer.ok) throw new Error(String(answer.status));
    if (answer.ok && version(answer.headers.get("ETag")) !== version(tag)) await renew();
    tag = answer.headers.get("ETag") ?? tag;
    heard = new Date();
    document.getElementById("live").hidden = true;
  } catch {
    sayAway();
  } finally {
    asking = false;
  }
}

/** Put the page as it now is in the place of what is shown; what was opened stays open. */
async function renew() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = [...document.querySelectorAll("details[open][id]")].map((details) => details.id);
  for (const what of ["main", ".top", ".bar"]) {
    const [old, made] = [document.querySelector(what), fresh.querySelector(what)];
    if (old && made) old.replaceWith(document.adoptNode(made));
    else if (old) old.remove();
    else if (made) document.body.append(document.adoptNode(made));
  }
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
}

function sayAway() {
  const shown = document.getElementById("live");
  const time = heard.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  shown.textContent = shown.dataset.away.replace("{time}", time);
  shown.hidden = false;
}

setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
addEventListener("online", ask);
addEventListener("pageshow", ask);
