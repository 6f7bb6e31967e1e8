/** Converts the words of a page to tokens. */
import type { Box, Page, Word } from "../../../ports/layout.ts";
import { middleY } from "../../layout/geometry.ts";
import { blockLines, pageWords } from "../../layout/page-words.ts";
import { labelWords } from "../../values/label-words.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { LABEL_MISPRINTS } from "../../values/vocabulary/vocabulary.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { Token } from "./tokens.ts";

/** A token with the facts that tell its row. */
export interface PlacedToken {
  token: Token;
  line: number;
  /** Height of its middle, inches. */
  middle: number;
}

const NUMBER_SIGN = new RegExp(
  `^((?:n[°º]\\.?|${anyOf(wordsOf(({ labels }) => labels.numberSigns))}))(\\p{Lu}{0,4}\\d\\S*)$`,
  "iu",
);

/** A count that recognition joins to the name behind it: `1xSchnitzel`. */
const JOINED_COUNT = /^(\d{1,2}[xX×])(\p{L}{3}\S*)$/u;
const LABEL_AND_VALUE = /^(\p{L}[\p{L}\p{N}.°#/()-]*[:：]|\p{L}{2,}(?=[$€£¥￥]-?\d))(?!\/\/)(\S+)$/u;

/** `Date:2020-01-01` → `Date:` + `2020-01-01`, `n°12` → `n°` + `12`, `TOTAL$12` → `TOTAL` + `$12`; addresses stay whole. */
function cutWord({ text, source, confidence }: Word): string[] {
  const match =
    LABEL_AND_VALUE.exec(text) ??
    NUMBER_SIGN.exec(text) ??
    (source === "ocr" || confidence !== undefined ? JOINED_COUNT.exec(text) : null);
  return match?.[1] !== undefined && match[2] !== undefined ? [match[1], match[2]] : [text];
}

type Spelling = Pick<Token, "words" | "key">;
/** Spells words like labels. @param unsure true for recognised words, which may be a letter off */
export type Spell = (text: string, unsure: boolean) => Spelling;

/** Recognition takes an S with a cedilla for a sign: `FI$ NO`. */
const CEDILLA_AS_SIGN = /(?<=\p{L})\$|^\$(?=\p{L}{2})/gu;

/** Confidence from which recognised words are taken as they are. */
const SURE_CONFIDENCE = 0.85;
const isUnsure = ({ confidence }: Word): boolean => confidence !== undefined && confidence < SURE_CONFIDENCE;

/** Caches label words by spelling: a document repeats itself. */
export function cachedSpelling(): Spell {
  const known = { sure: new Map<string, Spelling>(), unsure: new Map<string, Spelling>() };
  return (text, unsure) => {
    const own = unsure ? known.unsure : known.sure;
    let spelling = own.get(text);
    if (spelling === undefined) {
      const printed = labelWords(unsure ? text.replace(CEDILLA_AS_SIGN, "s") : text);
      const words = unsure ? printed.map((word) => LABEL_MISPRINTS.correct(word) ?? word) : printed;
      spelling = { words, key: words.join("") };
      own.set(text, spelling);
    }
    return spelling;
  };
}

/** Facts that the words of a block share. */
interface BlockFacts {
  page: number;
  block: Box;
  /** The block as the page is shown. */
  shownBlock: Box;
}

/** A token that reads its word and block: a manual has hundreds of thousands of them, and no room for copies. */
class WordToken implements Token {
  readonly text: string;
  readonly index: number;
  readonly #word: Word;
  readonly #shown: Word;
  readonly #around: BlockFacts;
  readonly #spelling: Spelling;

  constructor(text: string, spelling: Spelling, place: { word: Word; shown: Word; index: number; around: BlockFacts }) {
    this.text = text;
    this.index = place.index;
    this.#word = place.word;
    this.#shown = place.shown;
    this.#around = place.around;
    this.#spelling = spelling;
  }

  get words(): readonly string[] {
    return this.#spelling.words;
  }

  get key(): string {
    return this.#spelling.key;
  }

  get box(): Box {
    return this.#word.box;
  }

  get shown(): Token["shown"] {
    return { box: this.#shown.box, block: this.#around.shownBlock };
  }

  get page(): number {
    return this.#around.page;
  }

  get block(): Box {
    return this.#around.block;
  }

  get confidence(): number {
    return this.#word.confidence ?? 1;
  }

  get em(): number {
    const { fontSize, box } = this.#word;
    return fontSize === undefined ? box.bottom - box.top : fontSize / 72;
  }

  get bold(): boolean {
    return this.#word.bold ?? false;
  }

  get recognised(): boolean {
    return this.#word.source === "ocr" || this.#word.confidence !== undefined;
  }
}

/**
 * Converts a page's words to tokens, in reading order.
 * @param shown the same page as shown
 * @param tokensOf receives the tokens of each word
 */
export function placeWords(page: Page, shown: Page, spell: Spell, tokensOf: Map<Word, Token[]>): PlacedToken[] {
  const placed: PlacedToken[] = [];
  const [shownWords, shownBlocks] = [pageWords(shown), shown.blocks];
  let index = 0;
  let line = 0;
  for (const [place, block] of page.blocks.entries()) {
    const around = { page: page.number, block: block.box, shownBlock: shownBlocks[place]?.box ?? block.box };
    for (const { words } of blockLines(block)) {
      for (const word of words) {
        if (word.text.trim() !== "") {
          const at = { word, shown: shownWords[index] ?? word, index, around };
          const tokens = cutWord(word).map((text) => new WordToken(text, spell(text, isUnsure(word)), at));
          const middle = middleY(word.box);
          tokensOf.set(word, tokens);
          for (const token of tokens) placed.push({ token, line, middle });
        }
        index += 1;
      }
      line += 1;
    }
  }
  return placed;
}
