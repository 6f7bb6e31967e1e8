/** Is a document a bill of some kind? Guesses at who sells, who buys and what is due make sense only on one. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import { scanNumbers } from "../../values/numbers.ts";
import { foldText } from "../../values/text-folding.ts";
import type { LabelHit, LabelMap } from "../rules/find-labels.ts";
import type { Conventions } from "../rules/value-reader.ts";

/** Pages that say what a document is, and the last ones, where its sums stand. */
const FIRST_PAGES = 2;
const MAX_HITS = 200;

const NUMBERED = ["invoice-number", "receipt-number", "order-number", "quote-number", "delivery-number"];
const SUMMED = ["gross-total", "amount-due", "net-total", "tax-total"];

/** A label that a sentence does not just mention; a weak one must stand alone. */
export const isProperLabel = ({ strength, from, to, colon, segment }: LabelHit): boolean =>
  (strength === 1 && (from === 0 || colon) && segment.tokens.length <= 12) ||
  (from === 0 && to === segment.tokens.length);

/** Titles of bills and of what goes with them, folded. */
const TITLED =
  /\b(?:invoice|receipt|bill|credit (?:note|memo)|quote|quotation|purchase order|\p{L}*rechnung|gutschrift|quittung|beleg|angebot|mahnung|facture|avoir|recu|devis|factura|recibo|ticket|presupuesto|\p{L}*factuur|creditnota|kassabon|offerte|fattura|ricevuta|scontrino|preventivo)\b/u;
/** Words of a title at most. */
const TITLE_WORDS = 6;

/**
 * A title says so, the number of a bill is announced on the first pages, or sums of money in cents stand beside the
 * labels of totals.
 */
export function isBill(view: DocumentView, labels: LabelMap, conventions: Conventions): boolean {
  const hitsOf = (concepts: readonly string[]): LabelHit[] =>
    concepts.flatMap((concept) => (labels.byConcept.get(concept) ?? []).slice(0, MAX_HITS)).filter(isProperLabel);
  const titles = (view.pages[0]?.rows ?? []).flatMap((row) => row.segments);
  if (titles.some(({ tokens, text }) => tokens.length <= TITLE_WORDS && TITLED.test(foldText(text)))) return true;
  if (hitsOf(NUMBERED).some(({ segment }) => segment.page <= FIRST_PAGES)) return true;
  return hitsOf(SUMMED).some(({ segment }) =>
    (view.rows[segment.row]?.segments ?? []).some((other) =>
      scanNumbers(other.text.slice(0, 80), conventions.notation).some(
        (span) => !span.percent && (span.decimals === 2 || span.currency !== null) && span.value !== 0,
      ),
    ),
  );
}
