// Hands files to the share sheet of the phone, where it has one.

const KINDS = { pdf: "application/pdf", json: "application/json", csv: "text/csv", txt: "text/plain", png: "image/png" };
const ready = new Map();

/** Whether this page is an app on the home screen, without the buttons of a browser. */
export const isApp = () => Boolean(navigator.standalone) || matchMedia("(display-mode: standalone)").matches;

/** Whether the share sheet takes files of this kind. @param {keyof typeof KINDS} kind */
export const takes = (kind) =>
  Boolean(navigator.canShare?.({ files: [new File(["-"], `a.${kind}`, { type: KINDS[kind] })] }));

/** The file at an address, by the name that the server gives it; an answer that is none is an error with its status. */
export async function fileAt(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw Object.assign(new Error(address), { status: answer.status });
  const [, name] = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition"));
  const type = answer.headers.get("Content-Type").split(";")[0];
  return new File([await answer.blob()], name, { type });
}

/** Open the share sheet; false when the tap is too long ago for that. Whoever closes it again has meant it. */
export async function handOver(what) {
  try {
    await navigator.share(what);
  } catch (error) {
    if (error.name === "NotAllowedError") return false;
    if (error.name !== "AbortError") throw error;
  }
  return true;
}

/** A tap on a link to a file shares the file, where the phone takes such files; a second tap, where one came too late. */
export async function shareInstead(event, link) {
  if (!takes(link.pathname.split(".").pop())) return;
  event.preventDefault();
  if (link.ariaBusy === "true") return;
  link.ariaBusy = "true";
  try {
    if (!ready.has(link.href)) ready.set(link.href, await fileAt(link.href));
    if (await handOver({ files: [ready.get(link.href)] })) ready.delete(link.href);
  } catch (error) {
    if (error.status) location.assign(link.href); // the page that says why leads back
    else sayAway();
  } finally {
    link.ariaBusy = null;
  }
}

function sayAway() {
  const said = document.getElementById("as-of");
  said.textContent = said.dataset.away;
  said.hidden = false;
  said.scrollIntoView({ block: "center" });
}
