/** Who writes a document, where no heading says it: letterheads, sender's lines, footers, web addresses. */

import { middleX } from "../../../layout/geometry.ts";
import type { Segment } from "../../../structure/view/tokens.ts";
import { scanEmails, scanIbans, scanUrls, scanVatIds } from "../../../values/codes.ts";
import { hasLegalForm, isTitle, placeIn } from "../../../values/party-names.ts";
import { foldText } from "../../../values/text-folding.ts";
import { addressLines, headsLetter, isAddressLine, nameIn, type Stretch } from "./line-stacks.ts";
import { isLabelled, type NameCandidate, PAGES, type Scene, sameName } from "./name-candidates.ts";
import { namesByHeading } from "./party-headings.ts";

interface Clues {
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

/** Providers of mailboxes, and what is before the @ or the domain of anybody. */
const ANYBODY = new Set(
  "gmail googlemail gmx web yahoo hotmail outlook aol tonline icloud orange wanadoo free live msn example info office mail contact kontakt billing service sales support hello rechnung buchhaltung".split(
    " ",
  ),
);

const bare = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");
const telling = (handles: readonly string[]): string[] =>
  [...new Set(handles.map(bare))].filter((handle) => handle.length >= 4 && !ANYBODY.has(handle));

/** `jo.doe@shop.example` → box `jodoe`, domain `shop`; `www.shop.example` → domain `shop`. */
function handlesIn(texts: readonly string[]): Pick<Clues, "boxes" | "domains"> {
  const mails = texts.flatMap((text) => scanEmails(text).map((mail) => mail.text.split("@")));
  const sites = texts.flatMap((text) =>
    scanUrls(text).map((url) => url.text.replace(/^https?:\/\//, "").split("/")[0] ?? ""),
  );
  const hosts = [...mails.map(([, host]) => host ?? ""), ...sites];
  return {
    boxes: telling(mails.map(([box]) => box ?? "")),
    domains: telling(hosts.map((host) => host.replace(/^www\./i, "").split(".")[0] ?? "")),
  };
}

function collectClues(scene: Scene): Clues {
  const segments = scene.view.segments.filter((segment) => segment.page <= PAGES);
  const sizes = segments
    .filter((segment) => segment.page === 1)
    .flatMap((segment) => segment.tokens.map((token) => token.em));
  return {
    ...handlesIn(segments.map((segment) => segment.text)),
    texts: segments.map((segment) => foldText(segment.text)),
    largest: sizes.reduce((most, size) => Math.max(most, size), 0),
    height: scene.view.pages[0]?.height ?? 11,
    payees: ["payee", "account-holder"].flatMap((id) => namesByHeading(id, scene).map((payee) => payee.at.text)),
  };
}

/** Marks of whoever writes the document: tax numbers, bank accounts, a website. */
const MARKS = new Set(["vat-id", "tax-number", "registration-number", "iban", "bic", "bank-account", "website"]);

/** Do these lines hold tax numbers, bank accounts or a website? */
export function bearsIssuerMarks(lines: readonly Segment[], scene: Scene): boolean {
  return lines.some(
    (line) =>
      (scene.labels.bySegment.get(line) ?? []).some((hit) => MARKS.has(hit.concept)) ||
      scanIbans(line.text).length > 0 ||
      scanUrls(line.text).length > 0 ||
      scanVatIds(line.text).length > 0,
  );
}

/** A domain that begins like the name or holds all of it, or a mailbox with a word of it. */
function sharesHandle(name: string, { boxes, domains }: Clues): boolean {
  const words = foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 4);
  const [first] = words;
  const whole = bare(name);
  const domain = domains.some((item) => (first !== undefined && item.startsWith(first)) || whole.includes(item));
  return domain || boxes.some((box) => words.some((word) => word.length >= 5 && box.includes(word)));
}

/** The two rows under a line, as far as they reach under it: a centred letterhead or footer is no stack. */
function linesUnder(segment: Segment, scene: Scene): Segment[] {
  const rows = scene.view.rows.slice(segment.row + 1, segment.row + 3).filter((row) => row.page === segment.page);
  const near = rows.filter((row) => row.box.top - segment.box.bottom < 0.3);
  return near.flatMap((row) =>
    row.segments.filter((line) => line.box.left < segment.box.right && segment.box.left < line.box.right),
  );
}

/** Rows of a centred letterhead below its name, and inches by which its lines' middles differ. */
const LETTERHEAD = 5;
const SAME_MIDDLE = 0.12;

/** Lines under a name with one middle and different left edges, a place among them: letterheads are centred, readers never. */
function headsCentredAddress(segment: Segment, scene: Scene): boolean {
  const middle = (line: Segment): number => middleX(line.box);
  let [bottom, ragged] = [segment.box.bottom, false];
  for (const row of scene.view.rows.slice(segment.row + 1, segment.row + 1 + LETTERHEAD)) {
    const line = row.segments.find((other) => Math.abs(middle(other) - middle(segment)) < SAME_MIDDLE);
    if (line === undefined || row.page !== segment.page || line.box.top - bottom > 0.3) return false;
    ragged ||= Math.abs(line.box.left - segment.box.left) > 0.05;
    if (ragged && placeIn(line.text) !== null) return true;
    bottom = line.box.bottom;
  }
  return false;
}

/** What speaks for a name as the issuer's; the weights are judgement, not measurement. */
function issuerScore(name: Stretch, scene: Scene, clues: Clues): number {
  const { segment } = name;
  const stack = scene.stackOf.get(segment);
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
  if (first && headsCentredAddress(segment, scene)) score += 0.35;
  else if (stack !== undefined && index === 0 && addressLines(stack, 0, scene.labels).length > 0)
    score += headsLetter(stack, 0, scene.labels) ? 0.45 : 0.2;
  const block = stack === undefined ? [] : stack.lines.slice(index, index + 8);
  if (bearsIssuerMarks([...block, ...linesUnder(segment, scene)], scene)) score += 0.2;
  return score;
}

/** The buyer's lines: those from just above the name on. What stands higher with the same edge may be the letterhead. */
function buyersLines(name: Segment, scene: Scene): readonly Segment[] {
  const lines = scene.stackOf.get(name)?.lines ?? [];
  return lines.slice(Math.max(0, lines.indexOf(name) - 1));
}

/** Candidates for the issuer on the first page; what stands in the buyer's block is none. */
export function namesOfIssuer(scene: Scene, buyer: NameCandidate | null): NameCandidate[] {
  const clues = collectClues(scene);
  const theirs = new Set(buyer === null ? [] : buyersLines(buyer.at.segment, scene));
  const found: NameCandidate[] = [];
  for (const segment of scene.view.segments) {
    if (segment.page > 1) break;
    if (isTitle(segment.text) || isLabelled(segment, scene.labels)) continue;
    if (theirs.has(segment) && !isAddressLine(segment.text)) continue;
    const name = nameIn(segment);
    // A line that begins small is the rest of a sentence more often than a name.
    if (name === null || /^\p{Ll}/u.test(name.text) || (buyer !== null && sameName(name.text, buyer.at.text))) continue;
    found.push({ at: name, score: issuerScore(name, scene, clues) });
  }
  return found;
}

/** Who is to be paid is mostly who sells, if nobody else presents himself. */
export const payeesAsIssuer = (scene: Scene): NameCandidate[] =>
  namesByHeading("payee", scene).map(({ at, score }) => ({ at, score: score * 0.6 }));
