/** Seller, buyer and recipient: by headings, else by letterhead and by the address of a letter. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { Segment } from "../../../structure/view/tokens.ts";
import { hasLegalForm, isLegalForm, isMereForm, isNameLike, isSalutation } from "../../../values/party-names.ts";
import { MIN_CONFIDENCE } from "../choose-candidate.ts";
import type { Role } from "../field-meaning.ts";
import type { LabelMap } from "../find-labels.ts";
import type { Finding } from "../findings.ts";
import { hasAccount, hasTaxNumber, isSlip, namesOfIssuer } from "./issuer.ts";
import {
  addressLines,
  isAddressLine,
  isLetterheadName,
  nameIn,
  type Stack,
  type TextRange,
  tokensOf,
} from "./line-stacks.ts";
import { isLabelled, type NameCandidate, type PartyPages, sameName, viewPartyPages } from "./name-candidates.ts";
import { addressedNames, labelledNames, namesByHeading } from "./party-headings.ts";

export interface Party {
  name: Finding;
  /** Lines of its address, without the name's line. */
  address: Segment[];
  /** All lines of its block. */
  block: Segment[];
}

const MAX_SENDER_GAP_INCHES = 0.5;
const MAX_SENDER_OFFSET_INCHES = 0.3;
const DEFAULT_PAGE_HEIGHT_INCHES = 11;
const MAX_NAME_CONFIDENCE = 0.98;
/** Relative score from which a rival makes a name doubtful. */
const RIVAL_SHARE = 0.97;
const CONTESTED_FACTOR = 0.85;
const MIN_SELLER_HEADING_SCORE = 0.6;
/** Share of a name's doubt in a text layer: of 8 sellers and buyers with scores below 0.6 in three sets of invoices, 7 were right. */
const TEXT_LAYER_DOUBT = 0.8;

export type Parties = Partial<Record<Role, Party>>;

/** A sender's line stands shortly above, as in window envelopes. */
function followsSender(stack: Stack, pages: PartyPages): boolean {
  return pages.stacks.some(
    (other) =>
      other !== stack &&
      other.page === 1 &&
      other.top <= stack.top &&
      stack.top - other.bottom < MAX_SENDER_GAP_INCHES &&
      Math.abs(other.left - stack.left) < MAX_SENDER_OFFSET_INCHES &&
      other.lines.some((line) => isAddressLine(line.text)),
  );
}

/** Names in address blocks of the first page: a letter shows its recipient's. */
function namesByAddress(pages: PartyPages): NameCandidate[] {
  const height = pages.view.pages[0]?.height ?? DEFAULT_PAGE_HEIGHT_INCHES;
  return pages.stacks.flatMap((stack): NameCandidate[] => {
    if (stack.page !== 1) return [];
    const index = stack.lines.findIndex(
      (line) => !isAddressLine(line.text) && !isLabelled(line, pages.labels) && nameIn(line, 0, true) !== null,
    );
    const line = stack.lines[index];
    const name = line === undefined ? null : nameIn(line, 0, true);
    if (name === null || addressLines(stack, index, pages.labels).length < 2) return [];
    let score = 0.5;
    if (hasAccount(stack.lines, pages) || isLetterheadName(stack, index, pages.labels)) score -= 0.3;
    else if (hasTaxNumber(stack.lines, pages)) score -= 0.1;
    if (stack.top > height * 0.1 && stack.top < height * 0.4) score += 0.12;
    if (followsSender(stack, pages)) score += 0.25;
    // `Herrn`, `Madame` on a line of their own: an address begins so, a letterhead never.
    if (isSalutation(stack.lines[0]?.text ?? "")) score += 0.25;
    return [{ at: name, score }];
  });
}

const byScore = (a: NameCandidate, b: NameCandidate): number =>
  b.score - a.score || a.at.segment.row - b.at.segment.row;

/** The chosen candidate with its confidence: an equally good one of another name makes it doubtful. */
function withConfidence(
  chosen: NameCandidate,
  rivals: readonly NameCandidate[],
  taken: NameCandidate | null = null,
): NameCandidate {
  const other = (rival: NameCandidate): boolean =>
    !sameName(rival.at.text, chosen.at.text) && (taken === null || !sameName(rival.at.text, taken.at.text));
  const contested = rivals.some((rival) => other(rival) && rival.score > chosen.score * RIVAL_SHARE);
  return { ...chosen, score: Math.min(MAX_NAME_CONFIDENCE, chosen.score) * (contested ? CONTESTED_FACTOR : 1) };
}

/** The best candidate over a threshold. */
function best(candidates: readonly NameCandidate[], threshold: number): NameCandidate | null {
  const [first] = [...candidates].sort(byScore);
  return first === undefined || first.score < threshold ? null : withConfidence(first, candidates);
}

/** Names under a heading, surer where the same one looks like the issuer's. */
const withAgreement = (named: readonly NameCandidate[], issuers: readonly NameCandidate[]): NameCandidate[] =>
  named.map(({ at, score }) => {
    const [issuer] = issuers.filter((one) => sameName(one.at.text, at.text)).sort(byScore);
    const second = Math.min(MAX_NAME_CONFIDENCE, issuer?.score ?? 0);
    return { at, score: Math.max(score, 1 - (1 - Math.min(1, score)) * (1 - second)) };
  });

/** A seller's name in full: `Alfa` at the head is `Alfa Ltd.` where its account or the foot of the page says so. */
function registeredName(seller: NameCandidate, pages: PartyPages, issuers: readonly NameCandidate[]): NameCandidate {
  const { text } = seller.at;
  if (hasLegalForm(text)) return seller;
  const holders = ["account-holder", "payee"].flatMap((concept) => namesByHeading(concept, pages));
  const full = [...issuers, ...holders].find(
    ({ at }) =>
      at.text.toLowerCase().startsWith(text.toLowerCase()) &&
      isLegalForm(at.text.slice(text.length)) &&
      hasLegalForm(at.text),
  );
  return full === undefined ? seller : { at: full.at, score: seller.score };
}

interface PartyPair {
  seller: NameCandidate | null;
  buyer: NameCandidate | null;
}

/** Candidates tried for each side of a pair. */
const MAX_PAIR_CANDIDATES = 12;

/** The best pair: without headings, one name may look like both parties. */
function bestPair(sellers: readonly NameCandidate[], buyers: readonly NameCandidate[]): PartyPair {
  const choices = (list: readonly NameCandidate[]): NameCandidate[] =>
    list
      .filter(({ score }) => score >= MIN_CONFIDENCE)
      .sort(byScore)
      .slice(0, MAX_PAIR_CANDIDATES);
  const sum = (pair: PartyPair): number =>
    Math.min(MAX_NAME_CONFIDENCE, pair.seller?.score ?? 0) + Math.min(MAX_NAME_CONFIDENCE, pair.buyer?.score ?? 0);
  let top: PartyPair = { seller: null, buyer: null };
  for (const seller of [...choices(sellers), null]) {
    for (const buyer of [...choices(buyers), null]) {
      if (seller !== null && buyer !== null && sameName(seller.at.text, buyer.at.text)) continue;
      if (sum({ seller, buyer }) > sum(top) + 1e-9) top = { seller, buyer };
    }
  }
  const { seller, buyer } = top;
  return {
    seller: seller === null ? null : withConfidence(seller, sellers, buyer),
    buyer: buyer === null ? null : withConfidence(buyer, buyers, seller),
  };
}

/** Factor on the only address of a page without any sign of its sender: it may be the sender's. */
const LONE_ADDRESS_FACTOR = 0.7;

const loneAddressee = (buyer: NameCandidate | null): NameCandidate | null =>
  buyer === null || buyer.score * LONE_ADDRESS_FACTOR < MIN_CONFIDENCE
    ? null
    : { ...buyer, score: buyer.score * LONE_ADDRESS_FACTOR };

/** The mention of a name above an address: this one, or another. */
function addressedMention(at: TextRange, pages: PartyPages): { stack: Stack; index: number } | null {
  const mentions = pages.stacks.flatMap((stack) =>
    stack.lines.flatMap((line, index) => {
      const name = line === at.segment ? at : nameIn(line, 0, true);
      return name !== null && sameName(name.text, at.text) ? [{ stack, index, own: line === at.segment }] : [];
    }),
  );
  const addressed = mentions.filter(({ stack, index }) => addressLines(stack, index, pages.labels).length > 1);
  return addressed.find(({ own }) => own) ?? addressed[0] ?? mentions.find(({ own }) => own) ?? null;
}

/** The line above a name that is little more than a legal form: the rest of the name. */
function lineAbove({ segment, start, text }: TextRange, { view }: PartyPages): Segment | null {
  const row = view.rows[segment.row - 1];
  const above = row?.segments.find(({ box }) => box.left < segment.box.right && segment.box.left < box.right);
  return start === 0 && isMereForm(text) && above?.page === segment.page && isNameLike(above.text) ? above : null;
}

function toParty({ at, score }: NameCandidate, pages: PartyPages): Party {
  const above = lineAbove(at, pages);
  const tokens = [...(above?.tokens ?? []), ...tokensOf(at)];
  // Names of a text layer are right more often than their scores say.
  const doubt = tokens.some(({ recognised }) => recognised) ? 1 : TEXT_LAYER_DOUBT;
  const value = above === null ? at.text : `${above.text} ${at.text}`;
  const name: Finding = { value, tokens, confidence: 1 - (1 - score) * doubt };
  const mention = addressedMention(at, pages);
  if (mention === null) return { name, address: [], block: [at.segment] };
  const { stack, index } = mention;
  const lines = addressLines(stack, index, pages.labels).filter((line) => line !== stack.lines[index]);
  return { name, address: lines, block: stack.lines.slice(index) };
}

/** The name under a heading for somebody besides the parties: an account holder, a payee. */
export function findNameUnderHeading(view: DocumentView, labels: LabelMap, concept: string): Finding | null {
  const found = best(namesByHeading(concept, viewPartyPages(view, labels)), MIN_CONFIDENCE);
  return found === null ? null : { value: found.at.text, tokens: tokensOf(found.at), confidence: found.score };
}

/** Factor on names without a heading when the document is no bill. */
const NO_BILL_FACTOR = 0.65;

/** Score from which a heading's name counts on any document. */
const SURE_HEADING_SCORE = 0.9;

const discounted = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.map(({ at, score }) => ({ at, score: Math.min(score, 1) * NO_BILL_FACTOR }));

/**
 * The parties of a document. A role without enough evidence is left out.
 * @param bill the document is a bill: on others, a letterhead names no seller
 */
export function findParties(view: DocumentView, labels: LabelMap, bill: boolean): Parties {
  const pages = viewPartyPages(view, labels);
  const shipTo = best(namesByHeading("ship-to", pages), MIN_CONFIDENCE);
  const headed = (role: Role): NameCandidate[] =>
    namesByHeading(role, pages).flatMap((name) =>
      bill || name.score >= SURE_HEADING_SCORE ? [name] : discounted([name]),
    );
  const buyerNamed = best([...headed("buyer"), ...addressedNames(pages)], MIN_CONFIDENCE);
  const others = (list: NameCandidate[], known: NameCandidate | null): NameCandidate[] =>
    known === null ? list : list.filter(({ at }) => !sameName(at.text, known.at.text));
  // A letter shows sender and recipient, whatever its subject.
  const letter = pages.stacks.some(
    (stack) => stack.lines.length > 2 && (followsSender(stack, pages) || isAddressLine(stack.lines[0]?.text ?? "")),
  );
  const guessed = (list: NameCandidate[]): NameCandidate[] =>
    bill || letter || isSlip(pages) ? list : discounted(list);
  const labelled = bill ? labelledNames(pages) : [];
  const issuers = others(guessed(namesOfIssuer(pages, buyerNamed)), buyerNamed);
  const sellerNamed = best(withAgreement(headed("seller"), issuers), MIN_SELLER_HEADING_SCORE);
  // The sender fills the first place for a name, unless it is known; the rest are the recipient's.
  const free = others(others(labelled, buyerNamed), sellerNamed);
  const isSender = (name: NameCandidate): boolean =>
    sellerNamed === null &&
    (free.length > 1 ||
      buyerNamed !== null ||
      issuers.some(({ at, score }) => score >= MIN_CONFIDENCE && sameName(at.text, name.at.text)));
  const senders = free.slice(0, 1).filter(isSender);
  const isSure = sellerNamed !== null && sellerNamed.score >= SURE_HEADING_SCORE;
  const sellers = [...(isSure ? [] : [...issuers, ...senders]), ...(sellerNamed === null ? [] : [sellerNamed])];
  // A till receipt has the shop's address only.
  const addressed = isSlip(pages) ? [] : others(guessed(namesByAddress(pages)), sellerNamed);
  const recipients = free.filter((name) => !senders.includes(name));
  const buyers = [...(buyerNamed === null ? addressed : [buyerNamed]), ...recipients];
  const pair = bestPair(sellers, buyers);
  const { seller } = pair;
  const buyer =
    seller !== null || buyerNamed !== null || recipients.length > 0 ? pair.buyer : loneAddressee(pair.buyer);
  const parties: Parties = {};
  if (seller !== null) parties.seller = toParty(registeredName(seller, pages, issuers), pages);
  if (buyer !== null) parties.buyer = toParty(buyer, pages);
  if (shipTo !== null) parties["ship-to"] = toParty(shipTo, pages);
  return parties;
}
