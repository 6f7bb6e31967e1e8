/** Words that tell the kind of a place. */
import { foldText } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";

const ANSWERS = new Set(
  [...wordsOf(({ answers }) => answers.yes), ...wordsOf(({ answers }) => answers.no)].map(foldText),
);
/** Letters of an answer that is printed as a word; single letters stand for much else. */
const MIN_ANSWER_LETTERS = 2;

/** True for a text that says yes or no, and nothing else. */
export function isYesOrNo(text: string): boolean {
  const word = foldText(text).replace(/[^\p{L}]/gu, "");
  return word.length >= MIN_ANSWER_LETTERS && ANSWERS.has(word);
}

/** The yes or no that a text begins with, in small letters: `Nein (weiter mit Abschnitt C)`; undefined for none. */
export function leadingAnswer(text: string): string | undefined {
  const [word = ""] = /^\p{L}+/u.exec(foldText(text)) ?? [];
  return isYesOrNo(word) ? word : undefined;
}

const SIGNATURE_WORDS = wordsOf(({ answers }) => answers.signature).map(foldText);
const DATE_WORDS = wordsOf(({ answers }) => answers.date).map(foldText);
/** The pattern of a date to write: `mm/dd/yyyy`, `YYYYMMDD`, `TT.MM.JJJJ`. */
const DATE_PATTERN =
  /(?:^|[^\p{L}])(?:[dmyjtag]{1,4}[ /.-]{1,3}){2}[dmyjtag]{2,4}(?![\p{L}])|(?<!\p{L})y{4}m{2}d{2}(?!\p{L})/iu;
/** Characters of a label at most that one word decides; a sentence may speak of a signature elsewhere. */
const MAX_NAMING_CHARACTERS = 60;

const spaced = (label: string): string => ` ${foldText(label).replace(/[^\p{L}\p{N}]+/gu, " ")} `;

const hasWord = (label: string, words: readonly string[]): boolean =>
  label.length <= MAX_NAMING_CHARACTERS && words.some((word) => spaced(label).includes(` ${word} `));

/** True for the date of a signature: `Date of signature`, `Date signed`, `Signature date`; not `Signature and date`. */
function datesSignature(label: string): boolean {
  const text = spaced(label);
  const date = DATE_WORDS.map((word) => ({ word, at: text.indexOf(` ${word} `) })).find(({ at }) => at >= 0);
  const signature = SIGNATURE_WORDS.map((word) => ({ word, at: text.indexOf(` ${word} `) })).find(({ at }) => at >= 0);
  if (date === undefined || signature === undefined) return false;
  return date.at < signature.at || text.includes(` ${signature.word} ${date.word} `);
}

/** True for the label of a place to sign. */
export const namesSignature = (label: string): boolean => hasWord(label, SIGNATURE_WORDS) && !datesSignature(label);

/** True for the label of a place for a date. */
export const namesDate = (label: string): boolean => DATE_PATTERN.test(label) || hasWord(label, DATE_WORDS);
