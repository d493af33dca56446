// Requests that end: a line that has swallowed one is given up after some seconds.

const PATIENCE = 8000;

/** Ask for something fresh. @param {string} address @param {RequestInit} options @returns {Promise<Response>} */
export async function ask(address, options = {}) {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), PATIENCE);
  try {
    return await fetch(address, { cache: "no-store", ...options, signal: given.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Write something as this device. @param {string} csrf where a token comes from */
export async function write(address, method, body, csrf) {
  const once = async () => {
    const { token } = await (await ask(csrf)).json();
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    return ask(address, { method, headers, body: JSON.stringify(body) });
  };
  const answer = await once();
  return answer.status === 400 ? once() : answer; // two first requests at once can cross their tokens: once more
}
