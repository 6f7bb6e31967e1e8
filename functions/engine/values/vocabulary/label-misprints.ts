/** Words of labels that recognition got wrong by one letter: `Descripcibn`, `lnvoice`. */
import { labelWords } from "../label-words.ts";

/** Shorter words are one letter from many others. */
const SHORTEST = 6;
const LETTERS = /^\p{L}+$/u;

/** A word with each of its letters left out in turn. */
const shortened = (word: string): string[] =>
  Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)).filter(
    (part, at, all) => all.indexOf(part) === at,
  );

/** At most one letter is put in, left out or another. */
function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  return restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB;
}

interface Index {
  words: ReadonlySet<string>;
  /** The words by what is left of them without one of their letters, and by themselves. */
  near: ReadonlyMap<string, readonly string[]>;
}

/** The words of labels, to be found by one that differs in a letter; made ready when the first one is looked for. */
export class Misprints {
  readonly #labels: () => Iterable<string>;
  #index: Index | undefined;

  constructor(labels: () => Iterable<string>) {
    this.#labels = labels;
  }

  #ready(): Index {
    if (this.#index !== undefined) return this.#index;
    const words = new Set([...this.#labels()].flatMap((label) => labelWords(label)));
    const near = new Map<string, string[]>();
    for (const word of words) {
      if (word.length < SHORTEST || !LETTERS.test(word)) continue;
      for (const key of [word, ...shortened(word)]) near.set(key, [...(near.get(key) ?? []), word]);
    }
    this.#index = { words, near };
    return this.#index;
  }

  /**
   * The one word that a word may be a misprint of.
   * @param word as labels spell it @returns null where it is a word itself, or where none or several are a letter off
   */
  correct(word: string): string | null {
    if (word.length < SHORTEST || !LETTERS.test(word)) return null;
    const { words, near } = this.#ready();
    if (words.has(word)) return null;
    const like = [word, ...shortened(word)].flatMap((key) => near.get(key) ?? []);
    const found = new Set(like.filter((other) => isOneLetterOff(word, other)));
    const [only] = found;
    return found.size === 1 && only !== undefined ? only : null;
  }
}
