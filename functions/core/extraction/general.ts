/** The general result, when no schema says what is wanted: what kind of document, which language, its labelled values and plain tables. */

import { alignment } from "./candidates.ts";
import { type Finding, foundOr, type Node, nothing } from "./evidence.ts";
import { foldText, trimValue } from "./formats/text.ts";
import type { LabelMap } from "./labels.ts";
import { type DocumentView, type Row, type Segment, tokensBetween } from "./view.ts";

/** Types of documents by the words that title them, folded; the more special ones first. */
const TYPES: [string, RegExp][] = [
  [
    "credit note",
    /\b(?:credit note|credit memo|gutschrift|rechnungskorrektur|stornorechnung|facture d'avoir|avoir|nota de credito|factura rectificativa|creditnota|creditfactuur|nota di credito)\b/,
  ],
  [
    "order confirmation",
    /\b(?:order confirmation|auftragsbestatigung|confirmation de commande|confirmacion de pedido|orderbevestiging|conferma d'ordine)\b/,
  ],
  [
    "purchase order",
    /\b(?:purchase order|bestellung|bon de commande|orden de compra|inkooporder|bestelbon|ordine di acquisto)\b/,
  ],
  [
    "delivery note",
    /\b(?:delivery note|packing slip|packing list|lieferschein|bon de livraison|albaran|pakbon|bolla di consegna|documento di trasporto)\b/,
  ],
  ["quote", /\b(?:quote|quotation|estimate|angebot|kostenvoranschlag|devis|presupuesto|offerte|preventivo)\b/],
  [
    "reminder",
    /\b(?:payment reminder|mahnung|zahlungserinnerung|rappel de paiement|aanmaning|sollecito di pagamento)\b/,
  ],
  [
    "bank statement",
    /\b(?:bank statement|account statement|statement of account|kontoauszug|releve de compte|extracto bancario|bankafschrift|rekeningafschrift|estratto conto)\b/,
  ],
  [
    "receipt",
    /\b(?:receipt|quittung|kassenbon|kassenbeleg|recu|ticket de caisse|recibo|ticket|kassabon|bonnetje|scontrino|ricevuta)\b/,
  ],
  ["invoice", /\b(?:invoice|[\p{L}]*rechnung|facture|factura|factuur|fattura)\b/u],
  [
    "payslip",
    /\b(?:payslip|pay stub|lohnabrechnung|gehaltsabrechnung|entgeltabrechnung|bulletin de paie|nomina|loonstrook|salarisstrook|busta paga)\b/,
  ],
  [
    "contract",
    /\b(?:contract|agreement|[\p{L}]*vertrag|contrat|convention|contrato|overeenkomst|contract|contratto|accordo)\b/u,
  ],
  [
    "certificate",
    /\b(?:certificate|bescheinigung|zertifikat|urkunde|attestation|certificat|certificado|certificaat|certificato)\b/,
  ],
  ["resume", /\b(?:curriculum vitae|resume|lebenslauf)\b/],
  ["form", /\b(?:form|formular|antrag|formulaire|formulario|solicitud|formulier|aanvraag|modulo|application form)\b/],
  ["report", /\b(?:report|bericht|rapport|informe|verslag|relazione|rapporto)\b/],
];

const LETTER =
  /^(?:dear\b|sehr geehrte|liebe[rs]?\b|hallo\b|cher\b|chere\b|madame,|monsieur,|madame, monsieur|estimad[oa]|querid[oa]|geachte|beste\b|gentile\b|egregi|spettabile|spett\.)/;

const KEY_VALUES = 200;
const TABLES = 50;
const TABLE_ROWS = 500;

function segmentFinding(segment: Segment, start: number, end: number, confidence: number, value?: string): Finding {
  return { value: value ?? segment.text.slice(start, end), tokens: tokensBetween(segment, start, end), confidence };
}

/** A title is short and stands high on the first page; large type makes it surer. */
function documentType(view: DocumentView): Finding | null {
  const [page] = view.pages;
  if (page === undefined) return null;
  const segments = page.rows.flatMap((row) => row.segments);
  const largest = Math.max(0, ...segments.map((segment) => segment.tokens[0]?.em ?? 0));
  let best: Finding | null = null;
  for (const segment of segments) {
    const words = segment.tokens.length;
    if (words > 8 || segment.text.length > 80) continue;
    const folded = foldText(segment.text);
    const found = TYPES.flatMap(([type, pattern]) => {
      const match = pattern.exec(folded);
      return match === null ? [] : [{ type, match }];
    })[0];
    if (found === undefined) continue;
    const large = (segment.tokens[0]?.em ?? 0) >= largest * 0.9 ? 0.2 : 0;
    const high = segment.box.top < page.height * 0.35 ? 0.15 : 0;
    const alone = words <= 2 ? 0.2 : words <= 4 && found.match.index === 0 ? 0.12 : 0;
    const score = 0.4 + large + high + alone;
    if (score > (best?.confidence ?? 0.59)) best = segmentFinding(segment, 0, segment.text.length, score, found.type);
  }
  return best ?? letterType(segments);
}

function letterType(segments: readonly Segment[]): Finding | null {
  const greeting = segments.find((segment) => LETTER.test(foldText(segment.text)) && segment.tokens.length <= 8);
  return greeting === undefined ? null : segmentFinding(greeting, 0, greeting.text.length, 0.65, "letter");
}

interface Pair {
  key: string;
  finding: Finding;
}

/** Words of a line with a label and its value; longer ones are sentences that hold a colon. */
const LINE_WORDS = 16;
const VALUE_WORDS = 12;

/** What stands before a colon and may be a label: a few words that begin like one, no sentence, no address, no time. */
const isKey = (text: string): boolean =>
  text.length >= 2 &&
  text.length <= 48 &&
  text.split(/\s+/).length <= 6 &&
  /^[\p{Lu}\d#][^,]*$/u.test(text) &&
  /\p{L}{2,}/u.test(text) &&
  !/[.;!?]\s|https?$/u.test(text);

function pair(key: string, segment: Segment, start: number, end: number, confidence: number): Pair | null {
  const raw = segment.text.slice(start, end);
  const value = trimValue(raw);
  if (value === "" || value.split(" ").length > VALUE_WORDS || !/[\p{L}\p{N}]/u.test(value)) return null;
  const from = start + raw.indexOf(value);
  if (raw.indexOf(value) < 0) return null;
  return { key, finding: segmentFinding(segment, from, from + value.length, confidence) };
}

/** `Label: value` on one segment; several on one where the vocabulary knows the later labels. */
function pairsInSegment(segment: Segment, labels: LabelMap): Pair[] {
  if (segment.tokens.length > LINE_WORDS) return [];
  const cuts = (labels.bySegment.get(segment) ?? [])
    .filter((hit) => hit.colon && hit.from > 0)
    .map((hit) => segment.starts[hit.from] ?? 0);
  const bounds = [0, ...new Set(cuts), segment.text.length];
  return bounds.slice(0, -1).flatMap((from, index) => {
    const to = bounds[index + 1] ?? segment.text.length;
    const colon = segment.text.slice(from, to).search(/:(?:\s|$)/);
    if (colon < 0) return [];
    const key = segment.text.slice(from, from + colon).trim();
    return isKey(key) ? (pair(key, segment, from + colon + 1, to, 0.85) ?? []) : [];
  });
}

/** A label alone on its segment: with a colon, or known to the vocabulary; its value right of it, or below. */
function pairAcross(segment: Segment, row: Row, view: DocumentView, labels: LabelMap): Pair | null {
  const colon = /:\s*$/.test(segment.text);
  const known = (labels.bySegment.get(segment) ?? []).some(
    (hit) => hit.from === 0 && hit.to === segment.tokens.length && hit.strength === 1,
  );
  const key = segment.text.replace(/\s*:\s*$/, "").trim();
  if ((!colon && !known) || !isKey(key)) return null;
  const isLabel = (other: Segment): boolean =>
    /:\s*$/.test(other.text) ||
    (labels.bySegment.get(other) ?? []).some(
      (hit) => hit.from === 0 && hit.to === other.tokens.length && hit.strength === 1,
    );
  const right = row.segments[row.segments.indexOf(segment) + 1];
  if (right !== undefined && !isLabel(right) && !/:\s/.test(right.text))
    return pair(key, right, 0, right.text.length, colon ? 0.8 : 0.65);
  if (right !== undefined && !isLabel(right)) return null;
  const next = view.rows[row.index + 1];
  const below =
    next?.page === row.page
      ? next.segments.find(
          (other) => alignment(segment.box, other.box) >= 0.97 && !isLabel(other) && !/:\s/.test(other.text),
        )
      : undefined;
  return below === undefined || below.box.top - segment.box.bottom > 0.25
    ? null
    : pair(key, below, 0, below.text.length, colon ? 0.7 : 0.6);
}

function keyValues(view: DocumentView, labels: LabelMap): Node {
  const members = new Map<string, Node>();
  for (const row of view.rows) {
    for (const segment of row.segments) {
      if (members.size >= KEY_VALUES) break;
      const inside = pairsInSegment(segment, labels);
      const across = inside.length > 0 ? null : pairAcross(segment, row, view, labels);
      for (const { key, finding } of across === null ? inside : [across]) {
        let unique = key;
        for (let count = 2; members.has(unique); count += 1) unique = `${key} (${count})`;
        if (members.size < KEY_VALUES) members.set(unique, foundOr(finding));
      }
    }
  }
  return { kind: "object", members: [...members] };
}

/** Does every cell of a row stand under one of the row above? */
function continues(above: Row, below: Row): boolean {
  if (above.page !== below.page || above.segments.length !== below.segments.length) return false;
  if (below.box.top - above.box.bottom > 0.35) return false;
  return below.segments.every((segment, index) => {
    const over = above.segments[index];
    return over !== undefined && alignment(over.box, segment.box) >= 0.97;
  });
}

/** Cells of tables are short, and at least one column of them holds numbers or single words; columns of prose do not. */
function isTable(rows: readonly Row[]): boolean {
  const cells = rows.flatMap((row) => row.segments);
  const words = cells.reduce((sum, cell) => sum + cell.tokens.length, 0);
  if (words / cells.length > 4) return false;
  const width = rows[0]?.segments.length ?? 0;
  const brief = (column: number): number =>
    rows.filter((row) => (row.segments[column]?.tokens.length ?? 9) <= 2).length;
  return Array.from({ length: width }, (_, column) => brief(column)).some((count) => count >= rows.length * 0.8);
}

/** Three rows or more of three cells or more, in line with one another. */
function tables(view: DocumentView): Node {
  const found: Node[] = [];
  let run: Row[] = [];
  const close = (): void => {
    const [first] = run;
    if (run.length >= 3 && first !== undefined && found.length < TABLES && isTable(run)) {
      const rows = run.slice(0, TABLE_ROWS).map(
        (row): Node => ({
          kind: "list",
          items: row.segments.map((segment) => foundOr(segmentFinding(segment, 0, segment.text.length, 0.75))),
        }),
      );
      found.push({
        kind: "object",
        members: [
          ["page", { kind: "plain", value: first.page, reason: "derived" }],
          ["rows", { kind: "list", items: rows }],
        ],
      });
    }
    run = [];
  };
  for (const row of view.rows) {
    const last = run.at(-1);
    if (last !== undefined && !continues(last, row)) close();
    if (row.segments.length >= 3) run.push(row);
  }
  close();
  return { kind: "list", items: found };
}

/** @param language ISO 639-1 of the text, told from all of it and therefore without a place */
export function generalResult(view: DocumentView, labels: LabelMap, language: string | null): Node {
  return {
    kind: "object",
    members: [
      ["document_type", foundOr(documentType(view))],
      ["language", language === null ? nothing() : { kind: "plain", value: language, reason: "derived" }],
      ["key_values", keyValues(view, labels)],
      ["tables", tables(view)],
    ],
  };
}
