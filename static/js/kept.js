// What is kept on this phone: saves on their way and matches as last seen, in IndexedDB; what is being typed, in the
// local storage, which is written before the tap is over. Where a browser refuses either, memory has to do.

import * as idb from "./vendor/idb-keyval.js";

/** Another scorepad may live under another path of the same host. */
const root = new URL(".", new URL(document.documentElement.dataset.worker ?? "/", location.href)).pathname;
/** What was read and written, should the browser let go of its storage in mid-evening. */
const memory = new Map();
let store = null;
let isRefused = typeof indexedDB === "undefined";

/** Whether what is kept outlives this page. */
export const isSafe = () => !isRefused;

async function inStore(work, inMemory) {
  for (let tries = 0; tries < 2 && !isRefused; tries++) {
    try {
      store ??= idb.createStore(`scorepad ${root}`, "kept");
      return await work(store);
    } catch (error) {
      store = null; // a lost connection is opened anew, once
      if (tries) {
        console.info("scorepad: nothing can be kept on this phone", error);
        isRefused = true;
      }
    }
  }
  return inMemory();
}

/** @param {string} key */
export const get = (key) =>
  inStore(
    async (s) => {
      const value = await idb.get(key, s);
      memory.set(key, value);
      return value;
    },
    () => memory.get(key),
  );

/** Read and write in one step, also when two pages of this phone do so at once. */
export const update = (key, change) =>
  inStore(
    async (s) => {
      let value;
      await idb.update(key, (old) => (value = change(old)), s);
      memory.set(key, value);
    },
    () => memory.set(key, change(memory.get(key))),
  );

export const set = (key, value) => update(key, () => value);

/** A small note under a name, written at once; a value of null forgets it. Answers whether it outlives this page. */
export function note(name, value) {
  try {
    if (value === null) localStorage.removeItem(`scorepad:${name}`);
    else localStorage.setItem(`scorepad:${name}`, JSON.stringify(value));
    memory.delete(`note:${name}`);
    return true;
  } catch {
    memory.set(`note:${name}`, value);
    return false;
  }
}

export function noted(name) {
  if (memory.has(`note:${name}`)) return memory.get(`note:${name}`);
  try {
    return JSON.parse(localStorage.getItem(`scorepad:${name}`) ?? "null");
  } catch {
    return null;
  }
}
