/** Other identifiers of a value's kind in the document: a buyer has a VAT id and an account too. */
import { scanIbans, scanVatIds, type TextSpan } from "../formats/codes.ts";
import type { DocumentView } from "../view.ts";
import type { Known } from "./check.ts";

const SCANS: Record<string, (text: string) => TextSpan[]> = { iban: scanIbans, "vat-id": scanVatIds };

const compact = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

export class Contenders {
  readonly #view: DocumentView;
  readonly #counts = new Map<string, number>();

  constructor(view: DocumentView) {
    this.#view = view;
  }

  #count(kind: string): number {
    const scan = Object.hasOwn(SCANS, kind) ? SCANS[kind] : undefined;
    if (scan === undefined) return 0;
    let count = this.#counts.get(kind);
    if (count === undefined) {
      count = new Set(this.#view.segments.flatMap(({ text }) => scan(text).map((span) => compact(span.text)))).size;
      this.#counts.set(kind, count);
    }
    return count;
  }

  /** 0 where the document has one identifier of the kind at most; nearer to 1 the more it has. Rows of lists are not asked. */
  against({ leaf, meaning }: Known): number {
    const count = leaf.item !== null || meaning.value === null ? 0 : this.#count(meaning.value);
    return count < 2 ? 0 : 1 - 1 / count;
  }
}
