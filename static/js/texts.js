// Texts in the reader's language with their values written in; of a counted text the form for its number `n`.

const plural = new Intl.PluralRules(document.documentElement.lang.replace("_", "-") || "en");

/** @param {string | Record<string, string>} text or its forms by plural category @param {Record<string, any>} values */
export const form = (text, { n }) => (typeof text === "string" ? text : (text[plural.select(n)] ?? text.other));

/** A text with its values. */
export const fill = (text, values) => form(text, values).replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A time of day as the reader writes it. @param {Date} at */
export const clock = (at) => at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
