// Looks at a page as it is laid out now, and answers what a player could not tap, read or hear.
(() => {
  const said = [];
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1 && !element.closest(".hidden, .skip");
  const name = (element) => {
    const text = (element.innerText || element.getAttribute("aria-label") || element.value || "").trim().replace(/\s+/g, " ");
    const kind = element.className && typeof element.className === "string" ? `.${element.className.trim().replace(/\s+/g, ".")}` : "";
    return `${element.localName}${element.id ? `#${element.id}` : ""}${kind} “${text.slice(0, 30)}”`;
  };
  const round = (n) => Math.round(n * 10) / 10;

  // Sideways

  const page = document.scrollingElement;
  const width = Math.min(window.innerWidth, screen.width);
  if (page.scrollWidth > width) {
    const wide = [...document.body.querySelectorAll("*")].filter((e) => shown(e) && e.getBoundingClientRect().right > width + 1);
    said.push(`scrolls sideways: ${page.scrollWidth} in ${width}: ${wide.slice(0, 3).map(name).join(", ")}`);
  }

  // Fingers

  const isInText = (link) =>
    link.localName === "a" && getComputedStyle(link).display === "inline" && link.parentElement.innerText.trim() !== link.innerText.trim();
  const controls = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")];
  for (const control of controls) {
    const target = control.closest("label") ?? control;
    if (!shown(target) || isInText(control)) continue;
    const box = target.getBoundingClientRect();
    const least = target.closest("table.grid") ? 24 : 44; // seven contracts in a row: as high as a thumb, less wide
    if (box.width < least || box.height < 44) said.push(`small to tap: ${name(target)} ${round(box.width)}×${round(box.height)}`);
  }

  // The bar at the thumb

  const bar = document.querySelector(".bar");
  if (bar && shown(bar)) {
    const before = window.scrollY;
    window.scrollTo({ top: page.scrollHeight, behavior: "instant" });
    const top = Math.min(...[...bar.querySelectorAll("a, button, p")].filter(shown).map((e) => e.getBoundingClientRect().top));
    const last = [...document.querySelectorAll("main > *, main form > *")].filter(shown).map((e) => e.getBoundingClientRect().bottom);
    const end = Math.max(...last);
    if (end > top) said.push(`the end of the page hides behind the bar: ${round(end - top)} px`);
    if (bar.getBoundingClientRect().height > window.innerHeight / 2) said.push("the bar takes half the screen");
    window.scrollTo({ top: before, behavior: "instant" });
  }

  // Text stays in its box

  const BOXES = ".chip, .tile, td, th, .button, .save, .play, .pad, li, .top, .bar, summary, .sheet";
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && shown(parent) && !parent.closest("script, noscript, option")) texts.push([walker.currentNode, parent]);
  }
  for (const [text, parent] of texts) {
    const box = parent.closest(BOXES);
    if (!box || parent.closest(".sheet-deals")) continue; // the sheet's own table is as wide as paper, and scrolls
    let clipped = parent;
    while (clipped !== box && getComputedStyle(clipped).overflowX === "visible") clipped = clipped.parentElement;
    if (getComputedStyle(clipped).overflowX !== "visible") continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const ink = range.getBoundingClientRect(), room = box.getBoundingClientRect();
    if (ink.left < room.left - 1 || ink.right > room.right + 1 || ink.top < room.top - 8 || ink.bottom > room.bottom + 8) {
      said.push(`sticks out of its box: ${name(parent)} in ${name(box)}`);
    }
  }

  // Words and figures stay whole

  for (const [text, parent] of texts) {
    for (const { 0: word, index } of text.data.matchAll(/[^\s-]{2,12}/g)) {
      if (word.length > 6 && parent.closest("bdi")) continue;
      if (!/^[\p{L}\p{N}+−]+$/u.test(word) || /[^\s-]/.test(text.data[index - 1] ?? " ") || /[^\s-]/.test(text.data[index + word.length] ?? " ")) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top / 4)));
      if (lines.size > 1) said.push(`broken in two: ${word} in ${name(parent)}`);
    }
  }

  // Contrast

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  };
  const over = (top, under) => {
    const mix = (c) => top[c] * top.a + under[c] * (1 - top.a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  };
  const grounds = (element) => {
    if (!element) return [rgba(getComputedStyle(document.documentElement).backgroundColor)];
    const style = getComputedStyle(element);
    const layers = style.backgroundImage.match(/(?:rgba?|color)\([^()]*\)/g) ?? [];
    if (!layers.length) layers.push(style.backgroundColor);
    const colors = layers.map(rgba);
    if (element.matches(".bar")) return colors.filter((c) => c.a === 1);
    if (colors.every((c) => c.a === 1)) return colors;
    return grounds(element.parentElement).flatMap((under) => colors.map((color) => over(color, under)));
  };
  const light = ({ r, g, b }) => {
    const [red, green, blue] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const isOff = (element) => element.closest(":disabled") || element.closest("label")?.querySelector("input:disabled");
  const seen = new Set();
  for (const [, parent] of texts) {
    if (isOff(parent) || parent.closest("svg")) continue;
    const style = getComputedStyle(parent);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.6 && +style.fontWeight >= 700) ? 3 : 4.5;
    let strength = 1;
    for (let e = parent; e; e = e.parentElement) strength *= +getComputedStyle(e).opacity;
    const ink = rgba(style.color);
    const ratios = grounds(parent).map((ground) => contrast(over({ ...ink, a: ink.a * strength }, ground), ground));
    const worst = Math.min(...ratios);
    if (worst < least - 0.01) seen.add(`pale: ${name(parent)} ${round(worst)}`);
  }
  said.push(...seen);

  // Names and order

  for (const control of controls) {
    const target = control.closest("label") ?? control;
    if (!shown(target)) continue;
    const labels = [...(control.labels ?? [])].map((label) => label.innerText).join("");
    const spoken = labels || control.getAttribute("aria-label") || (control.matches("input, select") ? "" : control.innerText);
    if (!spoken.trim()) said.push(`has no name: ${name(control)}`);
    const described = control.getAttribute("aria-describedby");
    if (described && !document.getElementById(described)) said.push(`is described by nothing: ${name(control)}`);
  }
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter(shown).map((h) => +h.localName[1]);
  if (levels.filter((level) => level === 1).length !== 1 || levels[0] !== 1) said.push(`headings: ${levels}`);
  if (levels.some((level, place) => place && level > levels[place - 1] + 1)) said.push(`headings skip a level: ${levels}`);
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  if (twice.length) said.push(`ids stand twice: ${twice}`);
  for (const table of document.querySelectorAll("table")) {
    if (shown(table) && !table.querySelector("th")) said.push(`a table without heads: ${name(table)}`);
  }
  for (const group of document.querySelectorAll("fieldset")) {
    if (shown(group) && !group.querySelector("legend")?.innerText.trim()) said.push(`a group without a name: ${name(group)}`);
  }
  return [...new Set(said)];
})()
