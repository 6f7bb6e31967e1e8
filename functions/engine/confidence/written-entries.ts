/**
 * Values that were written into the places of a printed form. The place names such a value, as a form's field does: the
 * usual labels of documents, and words on other lines, say nothing of it.
 */
import type { DocumentContext } from "../extraction/rules/document-context.ts";
import { isFormDocument } from "../extraction/rules/forms/form-document.ts";
import { wordReference } from "../grounding/printed-words.ts";
import type { ValuePlace } from "./value-places.ts";

/**
 * Upper limit for what recognition read in a place: writing is told from print by its look alone, and about three in four
 * of such runs are writing on forms that the signs were not fitted to (`npm run bench -- filled-forms --fit`). So no
 * mark on the page is green.
 */
const RECOGNISED_CAP = 0.85;

/** The upper limit of the confidence of a value that was written into a printed place. */
export const capOfWritten = ({ tokens }: Pick<ValuePlace, "tokens">): number =>
  tokens.some(({ recognised }) => recognised) ? RECOGNISED_CAP : 1;

export class WrittenEntries {
  /** Number of the place that a word stands in, by the word's reference. */
  readonly #entryOf = new Map<string, number>();
  readonly #sizes: number[] = [];

  constructor(context: DocumentContext) {
    if (!isFormDocument(context)) return;
    for (const { entry, tokens } of context.view.entries) {
      if (entry.field !== undefined || entry.kind === "tick") continue;
      for (const token of tokens) this.#entryOf.set(wordReference(token), this.#sizes.length);
      this.#sizes.push(tokens.length);
    }
  }

  /** True for a value that is all that stands in its places. */
  fills({ tokens }: Pick<ValuePlace, "tokens">): boolean {
    const counts = new Map<number, number>();
    for (const token of tokens) {
      const at = this.#entryOf.get(wordReference(token));
      if (at === undefined) return false;
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    return counts.size > 0 && [...counts].every(([at, count]) => count === this.#sizes[at]);
  }
}
