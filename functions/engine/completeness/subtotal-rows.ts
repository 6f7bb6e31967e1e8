/** Subtotal and carry-forward rows, which stand among the rows of a list. */
import { foldText } from "../values/text-folding.ts";

/** Words that say a row is a sum, in the six languages; folded. */
const SUMMING = new Set(
  (
    "total totals subtotal subtotals sum sums balance carried brought forward carry over " +
    "summe summen zwischensumme gesamtsumme endsumme gesamtbetrag gesamt ubertrag vortrag seitensumme saldo endsaldo anfangssaldo endbetrag zwischentotal " +
    "totaux sous report reporter solde somme montant " +
    "suma subtotal saldo arrastre anterior " +
    "totaal subtotaal transport saldo eindtotaal " +
    "totale subtotale riporto saldo somma"
  ).split(" "),
);
/** Words that stand beside those and do not make the row anything else. */
const BESIDE = new Set(
  (
    "grand net gross of the this page pages to from in all amount amounts due items rows opening closing previous next incl excl including excluding vat tax " +
    "netto brutto der die das den auf von bis seite seiten inkl exkl mwst ust eur alle " +
    "net brut a nouveau de la le les page general generale ht ttc tva hors taxes " +
    "neto bruto del pagina siguiente sin con iva importe parcial y sigue " +
    "volgende vorige van naar excl btw incl bedrag " +
    "netto lordo di da iva parziale imponibile usd eur gbp chf"
  ).split(" "),
);
/** Rows with more words say something else. */
const MAX_LABEL_WORDS = 8;

/**
 * The letters in the row's cells spell subtotal words only. A description that merely begins with such a word (`Total
 * station, used`) is none.
 */
export function isSubtotalRow(texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => foldText(text).match(/\p{L}+/gu) ?? []);
  if (words.length === 0 || words.length > MAX_LABEL_WORDS) return false;
  const summing = words.filter((word) => SUMMING.has(word));
  return summing.length > 0 && words.every((word) => SUMMING.has(word) || BESIDE.has(word));
}

/** The label mentions a sum: `Total for this invoice`. */
export const namesSum = (label: string): boolean =>
  (foldText(label).match(/\p{L}+/gu) ?? []).slice(0, MAX_LABEL_WORDS).some((word) => SUMMING.has(word));
