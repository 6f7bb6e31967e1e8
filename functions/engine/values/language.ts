/** The language of a text, by its most common words. */

export type Language = "en" | "de" | "fr" | "es" | "nl" | "it";

/** Short words that carry grammar, not matter; those that two languages share count for both. */
const STOP_WORDS: Record<Language, readonly string[]> = {
  en: "the and of to in is for that this with you are be or on as by from not have your was will it at we our all if any may which".split(
    " ",
  ),
  de: "der die das und ist nicht mit für von den dem des ein eine einer zu auf im am bei wird werden sind oder als auch nach aus zum zur bis sie wir ihre ich vom ohne gemäß".split(
    " ",
  ),
  fr: "le la les et des du un une est pour dans que qui sur par avec au aux ce cette ne pas vous nous votre nos ou sont plus en été être à sous".split(
    " ",
  ),
  es: "el la los las y de del un una que en por para con no se su al es lo como más o este esta son sin sus ha está nuestro usted fecha".split(
    " ",
  ),
  nl: "de het een en van is op te dat niet met voor zijn aan in bij ook door naar wordt uit of als u uw wij deze om tot worden heeft geen maar kunt".split(
    " ",
  ),
  it: "il lo la gli le e di del della dei che un una per con non si in al alla da è sono come più o nel nella questo questa dal delle suo anche".split(
    " ",
  ),
};

/** Forms, invoices and lists have hardly any grammar; these words are as common there. */
const BUSINESS_WORDS: Record<Language, readonly string[]> = {
  en: "invoice bill receipt date due total subtotal amount number description quantity price unit payment paid name address customer order tax terms balance statement account street page".split(
    " ",
  ),
  de: "rechnung datum betrag summe gesamt gesamtbetrag nummer beschreibung bezeichnung menge preis einzelpreis zahlung kunde kundennummer bestellung mwst ust netto brutto zahlbar konto straße seite".split(
    " ",
  ),
  fr: "facture date montant total numéro description désignation quantité prix unitaire paiement client commande tva échéance adresse compte règlement rue page".split(
    " ",
  ),
  es: "factura importe total número descripción cantidad precio unitario pago cliente pedido iva vencimiento dirección cuenta calle página".split(
    " ",
  ),
  nl: "factuur datum bedrag totaal nummer omschrijving aantal prijs stuks betaling klant klantnummer bestelling btw subtotaal vervaldatum adres rekening straat pagina".split(
    " ",
  ),
  it: "fattura data importo totale numero descrizione quantità prezzo unitario pagamento cliente ordine iva scadenza indirizzo conto via pagina".split(
    " ",
  ),
};

/** Words looked at: enough for any doubt. */
const SAMPLE = 5_000;
/** Below so many hits, or so few of all words, the text is a list or another language. */
const LEAST_HITS = 3;
const LEAST_SHARE = 0.04;
/** So many different ones: other languages repeat a word that is common in one of these. */
const LEAST_DIFFERENT = 4;
/** The best must lead the next by so much. */
const LEAD = 1.15;

const LEXICON = new Map<string, Language[]>();
for (const lists of [STOP_WORDS, BUSINESS_WORDS]) {
  for (const [language, words] of Object.entries(lists) as [Language, readonly string[]][]) {
    for (const word of words) LEXICON.set(word, [...(LEXICON.get(word) ?? []), language]);
  }
}

/** The language that the text is written in, of the six known here; null when none stands out. */
export function detectLanguage(text: string): Language | null {
  const hits: Record<Language, number> = { en: 0, de: 0, fr: 0, es: 0, nl: 0, it: 0 };
  const different = new Map<Language, Set<string>>();
  let words = 0;
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    if (words === SAMPLE) break;
    words += 1;
    const languages = LEXICON.get(word) ?? [];
    // A word that three languages share says a third as much for each.
    for (const language of languages) {
      hits[language] += 1 / languages.length;
      different.set(language, (different.get(language) ?? new Set()).add(word));
    }
  }
  const ranked = (Object.entries(hits) as [Language, number][]).sort((a, b) => b[1] - a[1]);
  const [best, second] = ranked;
  if (best === undefined || second === undefined) return null;
  const [language, count] = best;
  const enough = count >= LEAST_HITS && count >= LEAST_SHARE * words;
  const varied = (different.get(language)?.size ?? 0) >= LEAST_DIFFERENT;
  return enough && varied && count >= LEAD * second[1] ? language : null;
}
