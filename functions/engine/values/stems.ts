/** Stems of words: what searches and names compare. */
import search from "./search-words.json" with { type: "json" };

const ENDING = new RegExp(`(?:${search.endings.join("|")})$`, "u");

/** A light stem that lets `shipping method` meet `Shipping methods`: common endings off, at least four letters kept. */
export function stem(word: string): string {
  const cut = word.replace(ENDING, "");
  return cut.length >= 4 ? cut : word;
}
