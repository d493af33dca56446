// Away from the server, a link would lead to the browser's error page, and back from there nothing would be left.

/** Stay on this page, and say so, as long as the server is away. @param {() => boolean} isAway @param {HTMLElement} section @param {string} said */
export function stay(isAway, section, said) {
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest?.("a[href]");
    if (!link || !isAway() || navigator.serviceWorker?.controller) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    section.textContent = said;
    section.hidden = false;
    scrollTo(0, 0);
  });
}
