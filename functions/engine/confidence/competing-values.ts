/** Other identifiers of a value's kind in the document: a buyer has a VAT id and a bank account too. */
import type { DocumentContext } from "../extraction/rules/document-context.ts";
import type { DocumentView } from "../structure/view/document-view.ts";
import { scanIbans, scanVatIds, type TextSpan } from "../values/codes.ts";
import type { KnownLeaf } from "./check.ts";

const SCANNERS: Record<string, (text: string) => TextSpan[]> = { iban: scanIbans, "vat-id": scanVatIds };

const compact = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

export class CompetingValues {
  readonly #view: DocumentView;
  readonly #counts = new Map<string, number>();

  constructor({ view }: Pick<DocumentContext, "view">) {
    this.#view = view;
  }

  #count(kind: string): number {
    const known = this.#counts.get(kind);
    if (known !== undefined) return known;
    const scan = Object.hasOwn(SCANNERS, kind) ? SCANNERS[kind] : undefined;
    const found = scan === undefined ? [] : this.#view.segments.flatMap(({ text }) => scan(text));
    const count = new Set(found.map((span) => compact(span.text))).size;
    this.#counts.set(kind, count);
    return count;
  }

  /** 0 if the document has at most one value of the kind, near 1 if it has many; always 0 for list rows. */
  competitionFor({ leaf, meaning }: KnownLeaf): number {
    const count = leaf.item !== null || meaning.value === null ? 0 : this.#count(meaning.value);
    return count < 2 ? 0 : 1 - 1 / count;
  }
}
