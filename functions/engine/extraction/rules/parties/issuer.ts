/** The issuer of a document without a heading for it: letterheads, sender's lines, footers, web addresses. */

import { middleX } from "../../../layout/geometry.ts";
import { type Segment, unionOf } from "../../../structure/view/tokens.ts";
import { scanEmails, scanIbans, scanPhones, scanUrls, scanVatIds } from "../../../values/codes.ts";
import { hasLegalForm, isParticular, isStreet, isTitle, placeIn } from "../../../values/party-names.ts";
import { foldText } from "../../../values/text-folding.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import { kindOfDocument } from "../../document-type/kind-of-document.ts";
import type { LabelHit } from "../find-labels.ts";
import { addressLines, isAddressLine, isLetterheadName, nameIn, type Stack, type TextRange } from "./line-stacks.ts";
import { isLabelled, MAX_PARTY_PAGES, type NameCandidate, type PartyPages, sameName } from "./name-candidates.ts";
import { namesByHeading } from "./party-headings.ts";

interface IssuerClues {
  /** Mailboxes and domains on the first pages, letters and digits only. */
  boxes: string[];
  domains: string[];
  /** The texts of the first pages, folded. */
  texts: string[];
  /** Largest type on the first page, inches. */
  largest: number;
  /** Height of the first page, inches. */
  height: number;
  /** Names that money is to be paid to. */
  payees: string[];
}

/** Mail providers, and common mailbox and domain names: they identify nobody. */
const COMMON_HANDLES = new Set([
  ..."gmail googlemail gmx web yahoo hotmail outlook aol tonline icloud orange wanadoo free live msn".split(" "),
  ...wordsOf(({ parties }) => parties.mailboxes),
]);

const lettersAndDigits = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");
const distinctiveHandles = (handles: readonly string[]): string[] =>
  [...new Set(handles.map(lettersAndDigits))].filter((handle) => handle.length >= 4 && !COMMON_HANDLES.has(handle));

/** `jo.doe@shop.example` → box `jodoe`, domain `shop`; `www.shop.example` → domain `shop`. */
function handlesIn(texts: readonly string[]): Pick<IssuerClues, "boxes" | "domains"> {
  const mails = texts.flatMap((text) => scanEmails(text).map((mail) => mail.text.split("@")));
  const sites = texts.flatMap((text) =>
    scanUrls(text).map((url) => url.text.replace(/^https?:\/\//, "").split("/")[0] ?? ""),
  );
  const hosts = [...mails.map(([, host]) => host ?? ""), ...sites];
  return {
    boxes: distinctiveHandles(mails.map(([box]) => box ?? "")),
    domains: distinctiveHandles(hosts.map((host) => host.replace(/^www\./i, "").split(".")[0] ?? "")),
  };
}

function collectClues(pages: PartyPages): IssuerClues {
  const segments = pages.view.segments.filter((segment) => segment.page <= MAX_PARTY_PAGES);
  const sizes = segments
    .filter((segment) => segment.page === 1)
    .flatMap((segment) => segment.tokens.map((token) => token.em));
  return {
    ...handlesIn(segments.map((segment) => segment.text)),
    texts: segments.map((segment) => foldText(segment.text)),
    largest: sizes.reduce((most, size) => Math.max(most, size), 0),
    height: pages.view.pages[0]?.height ?? 11,
    payees: ["payee", "account-holder"].flatMap((id) => namesByHeading(id, pages).map((payee) => payee.at.text)),
  };
}

/** The place alone makes the first name on a slip more likely the shop's than not. */
const SLIP_HEAD_SCORE = 0.4;

/** Identifiers of the issuer: tax numbers, which a recipient may have too, and bank accounts or a website. */
const TAX_CONCEPTS = new Set(["vat-id", "tax-number", "registration-number"]);
const ACCOUNT_CONCEPTS = new Set(["iban", "bic", "bank-account", "website"]);

const hasLabelOf = (concepts: ReadonlySet<string>, lines: readonly Segment[], { labels }: PartyPages): boolean =>
  lines.some((line) => (labels.bySegment.get(line) ?? []).some((hit) => concepts.has(hit.concept)));

/** These lines hold a bank account or a website. */
export const hasAccount = (lines: readonly Segment[], pages: PartyPages): boolean =>
  hasLabelOf(ACCOUNT_CONCEPTS, lines, pages) ||
  lines.some(({ text }) => scanIbans(text).length > 0 || scanUrls(text).length > 0);

/** These lines hold a tax number. */
export const hasTaxNumber = (lines: readonly Segment[], pages: PartyPages): boolean =>
  hasLabelOf(TAX_CONCEPTS, lines, pages) || lines.some(({ text }) => scanVatIds(text).length > 0);

/** A domain begins like the name or is part of it, or a mailbox has a word of it. */
function sharesHandle(name: string, { boxes, domains }: IssuerClues): boolean {
  const words = foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 4);
  const [first] = words;
  const whole = lettersAndDigits(name);
  const domain = domains.some((item) => (first !== undefined && item.startsWith(first)) || whole.includes(item));
  return domain || boxes.some((box) => words.some((word) => word.length >= 5 && box.includes(word)));
}

/** Segments of the two rows below a line that overlap it: a centred letterhead or footer is no stack. */
function linesUnder(segment: Segment, pages: PartyPages): Segment[] {
  const rows = pages.view.rows.slice(segment.row + 1, segment.row + 3).filter((row) => row.page === segment.page);
  const near = rows.filter((row) => row.box.top - segment.box.bottom < MAX_LINE_GAP_INCHES);
  return near.flatMap((row) =>
    row.segments.filter((line) => line.box.left < segment.box.right && segment.box.left < line.box.right),
  );
}

/** Rows of a centred letterhead below its name. */
const MAX_LETTERHEAD_ROWS = 5;
const SAME_MIDDLE_INCHES = 0.12;
const SAME_EDGE_INCHES = 0.05;
const MAX_LINE_GAP_INCHES = 0.3;

/** Centred lines with a place below a name: letterheads are centred, addresses of recipients never. */
function headsCentredAddress(segment: Segment, pages: PartyPages): boolean {
  const middle = (line: Segment): number => middleX(line.box);
  let [bottom, ragged] = [segment.box.bottom, false];
  for (const row of pages.view.rows.slice(segment.row + 1, segment.row + 1 + MAX_LETTERHEAD_ROWS)) {
    const line = row.segments.find((other) => Math.abs(middle(other) - middle(segment)) < SAME_MIDDLE_INCHES);
    if (line === undefined || row.page !== segment.page || line.box.top - bottom > MAX_LINE_GAP_INCHES) return false;
    ragged ||= Math.abs(line.box.left - segment.box.left) > SAME_EDGE_INCHES;
    if (ragged && placeIn(line.text) !== null) return true;
    bottom = line.box.bottom;
  }
  return false;
}

/** Width of a till receipt against its length: rolls are 57 to 80 mm wide, and A4 is 0.71 times as wide as high. */
const MAX_RECEIPT_RATIO = 0.62;
/** Rows below a shop's name with its address, phone or tax number. */
const MAX_HEAD_ROWS = 6;
const MIN_HEAD_CONFIDENCE = 0.5;

/** Names of payment cards and their networks; tills print them where something was paid. */
const CARD = /\b(?:visa|mastercard|maestro|amex|bankaxept|dankort|bancontact|vpay|contactless)\b/i;

/** Signs of a bill that a receipt lacks. */
const BILL_CONCEPTS = ["buyer", "due-date", "payment-terms", "bank-account", "iban"];

/** A recognised page tells how it was paid, and neither to whom nor when it is due. */
function showsPayment({ view, labels }: Pick<PartyPages, "view" | "labels">): boolean {
  const hitsOf = (concept: string): readonly LabelHit[] => labels.byConcept.get(concept) ?? [];
  const isBilled = BILL_CONCEPTS.some((concept) => hitsOf(concept).some(({ strength }) => strength === 1));
  const paid = view.segments.some(({ text, tokens }) => tokens.some(({ recognised }) => recognised) && CARD.test(text));
  return !isBilled && view.pages.length === 1 && (paid || hitsOf("cash-given").some(({ strength }) => strength === 1));
}

/** The words of a photo's page are as narrow as a receipt, on whatever it lies. */
function hasNarrowWords({ rows, pages }: PartyPages["view"]): boolean {
  const words = rows.flatMap(({ segments }) => segments.flatMap(({ tokens }) => tokens));
  if (pages.length !== 1 || words.length === 0 || !words.some(({ recognised }) => recognised)) return false;
  const { left, right, top, bottom } = unionOf(words);
  return right - left < MAX_RECEIPT_RATIO * (bottom - top);
}

/** The document is a till receipt: by its shape, by its title and wording, or as it tells how it was paid. */
export const isSlip = ({ view, labels }: Pick<PartyPages, "view" | "labels">): boolean => {
  const [page] = view.pages;
  return (
    (page !== undefined && page.width < MAX_RECEIPT_RATIO * page.height) ||
    hasNarrowWords(view) ||
    kindOfDocument(view).kind === "receipt" ||
    showsPayment({ view, labels })
  );
};

/**
 * The first name on a till receipt is the shop's, unless the company's stands above the goods as well. Noise of
 * recognition and lines in lower case are skipped.
 */
function headOfSlip(names: readonly TextRange[], pages: PartyPages): TextRange | null {
  if (!isSlip(pages)) return null;
  const goods = rowOfFirstAmount(pages);
  const isRead = ({ segment }: TextRange): boolean =>
    segment.tokens.every(({ confidence }) => confidence >= MIN_HEAD_CONFIDENCE);
  const read = names.filter((name) => isRead(name) && /\p{L}{4,}/u.test(name.text));
  const first = read.find(({ text, segment }) => hasLegalForm(text) && segment.row < goods) ?? read[0];
  const has =
    first !== undefined && below(first, pages).some((line) => isParticularOrPhone(line) || isAddressPart(line));
  return has ? first : null;
}

const isParticularOrPhone = ({ text }: Segment): boolean => isParticular(text) || scanPhones(text).length > 0;
const isAddressPart = ({ text }: Segment): boolean => placeIn(text) !== null || isStreet(text);

/** The segments below a name, in a few rows. */
const below = ({ segment }: TextRange, { view }: PartyPages): Segment[] =>
  view.rows
    .slice(segment.row + 1, segment.row + MAX_HEAD_ROWS)
    .flatMap(({ segments }) => segments)
    .filter(({ page, box }) => page === segment.page && box.left < segment.box.right && segment.box.left < box.right);

/** Share of a bill's height in which its head begins. */
const BILL_HEAD_SHARE = 0.15;
/**
 * The score for each of two facts: the first name on a bill stands above the recipient's, and above particulars. Both
 * make it the sender's more likely than not; recognition makes names of other print.
 */
const BILL_HEAD_SCORE = 0.2;

/** The first name at the head of a bill, or the one with a legal form right below it (`Brand`, `Muster GmbH`). */
function headOfBill(names: readonly TextRange[], { stackOf }: PartyPages, height: number): TextRange | null {
  const first = names.find(({ text, segment: { page, box, tokens } }) => {
    const isAtHead = page === 1 && box.top < BILL_HEAD_SHARE * height && /^\p{L}/u.test(text);
    return isAtHead && !tokens.some(({ recognised }) => recognised);
  });
  const stack = first === undefined ? undefined : stackOf.get(first.segment);
  const named = stack?.lines[headOf(stack)];
  return names.find(({ segment }) => segment === named && segment !== first?.segment) ?? first ?? null;
}

const scoreOfHead = (head: TextRange, pages: PartyPages, buyer: NameCandidate | null): number =>
  (buyer !== null && head.segment.row < buyer.at.segment.row ? BILL_HEAD_SCORE : 0) +
  (below(head, pages).some(isParticularOrPhone) ? BILL_HEAD_SCORE : 0);

/** The line that names who has an address: the first, or the second where only that has a legal form (`Brand`, `Muster GmbH`). */
const headOf = ({ lines }: Stack): number =>
  Math.max(
    0,
    lines.slice(0, 2).findIndex(({ text }) => hasLegalForm(text)),
  );

/** Score of a name as the issuer's; the weights are judged, not measured. */
function issuerScore(name: TextRange, pages: PartyPages, clues: IssuerClues): number {
  const { segment } = name;
  const stack = pages.stackOf.get(segment);
  const index = stack?.lines.indexOf(segment) ?? 0;
  const first = segment.page === 1;
  const mentions = clues.texts.filter((text) => text.includes(foldText(name.text))).length;
  let score = 0;
  if (hasLegalForm(name.text)) score += 0.25;
  if (sharesHandle(name.text, clues)) score += 0.3;
  if (isAddressLine(segment.text)) score += 0.35;
  if (clues.payees.some((payee) => sameName(payee, name.text))) score += 0.25;
  if (first && segment.box.top < clues.height * 0.12) score += 0.15;
  if (first && segment.box.top < clues.height * 0.3) score += 0.1;
  if (first && segment.tokens.some((token) => token.em >= clues.largest * 0.95)) score += 0.1;
  if (segment.tokens.every((token) => token.bold)) score += 0.03;
  score += Math.min(2, mentions - 1) * 0.12;
  if (first && headsCentredAddress(segment, pages)) score += 0.35;
  else if (stack !== undefined && index === headOf(stack) && addressLines(stack, index, pages.labels).length > 0)
    score += isLetterheadName(stack, index, pages.labels) ? 0.45 : 0.2;
  const block = stack === undefined ? [] : stack.lines.slice(index, index + 8);
  const lines = [...block, ...linesUnder(segment, pages)];
  if (hasAccount(lines, pages) || hasTaxNumber(lines, pages)) score += 0.2;
  return score;
}

/** The buyer's lines, from just above the name on. Higher lines with the same edge may be the letterhead. */
function buyersLines(name: Segment, pages: PartyPages): readonly Segment[] {
  const lines = pages.stackOf.get(name)?.lines ?? [];
  return lines.slice(Math.max(0, lines.indexOf(name) - 1));
}

/** The first row of a receipt with an amount: from there on names are those of goods. */
function rowOfFirstAmount({ view }: PartyPages): number {
  const row = view.rows.findIndex(({ segments }) => /\d[.,]\d{2}(?!\d|[.,/-]\d)/.test(segments.at(-1)?.text ?? ""));
  return row < 0 ? Number.POSITIVE_INFINITY : row;
}

/** A label, sure or weak, and nothing else: `NF-e`, `Bill`. */
const isWholeLabel = (segment: Segment, { labels }: PartyPages): boolean =>
  (labels.bySegment.get(segment) ?? []).some(({ from, to }) => from === 0 && to === segment.tokens.length);

/** Candidates for the issuer on the first page, outside of the buyer's block. */
export function namesOfIssuer(pages: PartyPages, buyer: NameCandidate | null): NameCandidate[] {
  const clues = collectClues(pages);
  const theirs = new Set(buyer === null ? [] : buyersLines(buyer.at.segment, pages));
  const names: TextRange[] = [];
  for (const segment of pages.view.segments) {
    if (segment.page > 1) break;
    if (isTitle(segment.text) || isLabelled(segment, pages.labels) || isWholeLabel(segment, pages)) continue;
    if (theirs.has(segment) && !isAddressLine(segment.text)) continue;
    const name = nameIn(segment);
    if (name === null || (buyer !== null && sameName(name.text, buyer.at.text))) continue;
    // A line that begins in lower case is rather the rest of a sentence.
    if (!/^\p{Ll}/u.test(name.text) || hasLegalForm(name.text) || sharesHandle(name.text, clues)) names.push(name);
  }
  const ofSlip = buyer === null ? headOfSlip(names, pages) : null;
  const head = ofSlip ?? headOfBill(names, pages, clues.height);
  const headScore = ofSlip !== null ? SLIP_HEAD_SCORE : head === null ? 0 : scoreOfHead(head, pages, buyer);
  const firstItem = isSlip(pages) ? rowOfFirstAmount(pages) : Number.POSITIVE_INFINITY;
  const isItem = ({ segment, text }: TextRange): boolean => segment.row >= firstItem && !hasLegalForm(text);
  return names
    .filter((at) => !isItem(at) || sharesHandle(at.text, clues))
    .map((at) => ({ at, score: issuerScore(at, pages, clues) + (at === head ? headScore : 0) }));
}
