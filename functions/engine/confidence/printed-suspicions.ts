/**
 * Upper limits of confidence for values that the page itself makes doubtful: printed words of a label taken for a text or
 * a name, figures whose print goes on, recognised amounts without the decimal mark that the others have, and lone dates
 * that may be read in two ways. They are rules like those of failed checks: no other evidence outweighs them.
 */
import type { DocumentContext } from "../extraction/rules/document-context.ts";
import { wordReference } from "../grounding/printed-words.ts";
import type { Token } from "../structure/view/tokens.ts";
import { scanDates } from "../values/dates.ts";
import { hasLegalForm, isTitle } from "../values/party-names.ts";
import type { KnownLeaf } from "./check.ts";
import type { LabelEvidence } from "./label-evidence.ts";
import type { ValuePlace } from "./value-places.ts";

/** Below the threshold from which values are given. */
const SUSPICION_CAP = 0.45;

/** An amount with cents, in a word of its own. */
const CENTS = /^\D{0,3}[\d.,' ]*\d[.,]\d{2}\D{0,3}$/;
/** Recognised amounts with cents from which a document writes all amounts so. */
const MIN_CENTS = 4;
/** Digits of an amount that may have lost its mark. */
const WHOLE = /^\D{0,3}\d{3,}\D{0,3}$/;

/** Digits that may be a part of a number in groups. */
const DIGIT_GROUP = /^\d{2,}$/;

export class PrintedSuspicions {
  /** Concepts of the labels that a word is part of, by its reference. */
  readonly #labelWords = new Map<string, Set<string>>();
  readonly #writesCents: boolean;
  readonly #conventions: DocumentContext["conventions"];

  constructor({ view, labels, conventions }: Pick<DocumentContext, "view" | "labels" | "conventions">) {
    this.#conventions = conventions;
    const hits = [...labels.bySegment.values()].flat();
    const whole = hits.filter(({ from, to, segment, strength, colon }) => {
      const numbered = segment.tokens.slice(0, from).every(({ text }) => /^\d{0,3}\p{L}?\W*$/u.test(text));
      return numbered && (colon || to === segment.tokens.length) && (strength === 1 || colon);
    });
    for (const { segment, to, concept } of whole) {
      for (const token of segment.tokens.slice(0, to)) {
        const known = this.#labelWords.get(wordReference(token)) ?? new Set();
        this.#labelWords.set(wordReference(token), known.add(concept));
      }
    }
    const recognised = view.segments.flatMap(({ tokens }) => tokens.filter((token) => token.recognised));
    this.#writesCents = recognised.filter(({ text }) => CENTS.test(text)).length >= MIN_CENTS;
  }

  #isLabel({ leaf, meaning }: KnownLeaf, tokens: readonly Token[]): boolean {
    const { value } = leaf;
    if (typeof value !== "string" || !/\p{L}{2}/u.test(value) || hasLegalForm(value) || leaf.field.choices !== null)
      return false;
    if (meaning.value !== null && meaning.value !== "party" && meaning.value !== "text") return false;
    return (
      /:\s*$/.test(value) ||
      tokens.every((token) => this.#labelWords.has(wordReference(token))) ||
      (meaning.value === "party" && isTitle(value))
    );
  }

  #hasLostMark({ leaf, meaning }: KnownLeaf, tokens: readonly Token[]): boolean {
    if (meaning.value !== "amount" || typeof leaf.value !== "number" || !this.#writesCents) return false;
    // Recognition may part cents from their mark, or take it for a space: `283, 75`, `54 50`.
    const isWhole = Number.isInteger(leaf.value) && WHOLE.test(tokens.map(({ text }) => text).join(""));
    return isWhole && tokens.some(({ recognised }) => recognised);
  }

  /** The first or the last digits of a longer number: `88 1020 3440`. */
  #isPartOfNumber({ leaf: { value } }: KnownLeaf, { before, after }: ValuePlace): boolean {
    if (!/^[\d\s]+$/.test(String(value))) return false;
    return [before, after].some((token) => token !== null && DIGIT_GROUP.test(token.text));
  }

  /** A bill over nothing is rather the amount of another line, such as a tax of 0. */
  #isNothing({ leaf, meaning }: KnownLeaf): boolean {
    return leaf.value === 0 && (meaning.concept === "gross-total" || meaning.concept === "net-total");
  }

  /** `03/04/2026` without a label, in a document that does not tell day from month: either reading is a guess. */
  #mayBeOtherDate({ leaf: { value } }: KnownLeaf, tokens: readonly Token[], { own, labelled }: LabelEvidence): boolean {
    const { order, isOrderGuessed } = this.#conventions;
    if (isOrderGuessed !== true || own > 0 || labelled || typeof value !== "string") return false;
    const dates = scanDates(tokens.map(({ text }) => text).join(" "), order);
    return dates.some(({ iso, ambiguous }) => ambiguous && iso === value);
  }

  /** The upper limit of a value's confidence; 1 where nothing on the page speaks against it. */
  capOf(one: KnownLeaf, place: ValuePlace | null, evidence: LabelEvidence): number {
    if (place === null || one.leaf.item !== null || place.tokens.length === 0) return 1;
    const { tokens } = place;
    const isMisread = this.#hasLostMark(one, tokens) || this.#mayBeOtherDate(one, tokens, evidence);
    const doubtful =
      isMisread || this.#isPartOfNumber(one, place) || this.#isLabel(one, tokens) || this.#isNothing(one);
    return doubtful ? SUSPICION_CAP : 1;
  }
}
