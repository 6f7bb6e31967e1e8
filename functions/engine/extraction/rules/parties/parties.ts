/** Who sells and who buys: by headings, else by letterhead and by the address that a letter shows. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { Segment } from "../../../structure/view/tokens.ts";
import type { Role } from "../field-meaning.ts";
import type { LabelMap } from "../find-labels.ts";
import type { Finding } from "../findings.ts";
import { THRESHOLD } from "../scoring.ts";
import { bearsIssuerMarks, namesOfIssuer, payeesAsIssuer } from "./issuer.ts";
import { addressLines, headsLetter, isAddressLine, nameIn, type Stack, type Stretch, tokensOf } from "./line-stacks.ts";
import { isLabelled, type NameCandidate, type Scene, sameName, setScene } from "./name-candidates.ts";
import { namesByHeading } from "./party-headings.ts";

export interface Party {
  name: Finding;
  /** Lines of its address, the name's line not among them. */
  address: Segment[];
  /** Everything that stands in its block. */
  block: Segment[];
}

export type Parties = Partial<Record<Role, Party>>;

/** A sender's line shortly above, as windows of envelopes show it. */
function followsSender(stack: Stack, scene: Scene): boolean {
  return scene.stacks.some(
    (other) =>
      other !== stack &&
      other.page === 1 &&
      other.top <= stack.top &&
      stack.top - other.bottom < 0.5 &&
      Math.abs(other.left - stack.left) < 0.3 &&
      other.lines.some((line) => isAddressLine(line.text)),
  );
}

/** Address blocks of the first page: a letter shows its reader's. */
function namesByAddress(scene: Scene): NameCandidate[] {
  const height = scene.view.pages[0]?.height ?? 11;
  return scene.stacks.flatMap((stack): NameCandidate[] => {
    if (stack.page !== 1) return [];
    const index = stack.lines.findIndex(
      (line) => !isAddressLine(line.text) && !isLabelled(line, scene.labels) && nameIn(line, 0, true) !== null,
    );
    const line = stack.lines[index];
    const name = line === undefined ? null : nameIn(line, 0, true);
    if (name === null || addressLines(stack, index, scene.labels).length < 2) return [];
    let score = 0.5;
    if (bearsIssuerMarks(stack.lines, scene) || headsLetter(stack, index, scene.labels)) score -= 0.3;
    if (stack.top > height * 0.1 && stack.top < height * 0.4) score += 0.12;
    if (followsSender(stack, scene)) score += 0.25;
    return [{ at: name, score }];
  });
}

const byScore = (a: NameCandidate, b: NameCandidate): number =>
  b.score - a.score || a.at.segment.row - b.at.segment.row;

/** The chosen one with its confidence: another as good, of another name, makes it doubtful. */
function settle(
  chosen: NameCandidate,
  rivals: readonly NameCandidate[],
  taken: NameCandidate | null = null,
): NameCandidate {
  const other = (rival: NameCandidate): boolean =>
    !sameName(rival.at.text, chosen.at.text) && (taken === null || !sameName(rival.at.text, taken.at.text));
  const contested = rivals.some((rival) => other(rival) && rival.score > chosen.score * 0.97);
  return { ...chosen, score: Math.min(0.98, chosen.score) * (contested ? 0.85 : 1) };
}

/** The best candidate over a threshold. */
function best(candidates: readonly NameCandidate[], threshold: number): NameCandidate | null {
  const [first] = [...candidates].sort(byScore);
  return first === undefined || first.score < threshold ? null : settle(first, candidates);
}

interface Pair {
  seller: NameCandidate | null;
  buyer: NameCandidate | null;
}

/** Candidates tried for each side of a pair. */
const PAIRED = 12;

/** Without headings, one name may look like both: the pair that explains most is taken. */
function bestPair(sellers: readonly NameCandidate[], buyers: readonly NameCandidate[]): Pair {
  const choices = (list: readonly NameCandidate[]): NameCandidate[] =>
    list
      .filter(({ score }) => score >= THRESHOLD)
      .sort(byScore)
      .slice(0, PAIRED);
  const sum = (pair: Pair): number => Math.min(0.98, pair.seller?.score ?? 0) + Math.min(0.98, pair.buyer?.score ?? 0);
  let top: Pair = { seller: null, buyer: null };
  for (const seller of [...choices(sellers), null]) {
    for (const buyer of [...choices(buyers), null]) {
      if (seller !== null && buyer !== null && sameName(seller.at.text, buyer.at.text)) continue;
      if (sum({ seller, buyer }) > sum(top) + 1e-9) top = { seller, buyer };
    }
  }
  const { seller, buyer } = top;
  return {
    seller: seller === null ? null : settle(seller, sellers, buyer),
    buyer: buyer === null ? null : settle(buyer, buyers, seller),
  };
}

/** Where the name stands above an address: here, or at another mention of it. */
function addressedMention(at: Stretch, scene: Scene): { stack: Stack; index: number } | null {
  const mentions = scene.stacks.flatMap((stack) =>
    stack.lines.flatMap((line, index) => {
      const name = line === at.segment ? at : nameIn(line, 0, true);
      return name !== null && sameName(name.text, at.text) ? [{ stack, index, own: line === at.segment }] : [];
    }),
  );
  const addressed = mentions.filter(({ stack, index }) => addressLines(stack, index, scene.labels).length > 1);
  return addressed.find(({ own }) => own) ?? addressed[0] ?? mentions.find(({ own }) => own) ?? null;
}

function toParty({ at, score }: NameCandidate, scene: Scene): Party {
  const name: Finding = { value: at.text, tokens: tokensOf(at), confidence: score };
  const mention = addressedMention(at, scene);
  if (mention === null) return { name, address: [], block: [at.segment] };
  const { stack, index } = mention;
  const lines = addressLines(stack, index, scene.labels).filter((line) => line !== stack.lines[index]);
  return { name, address: lines, block: stack.lines.slice(index) };
}

/** A name under a heading that is no party's: an account holder, a payee. */
export function findNamed(view: DocumentView, labels: LabelMap, concept: string): Finding | null {
  const found = best(namesByHeading(concept, setScene(view, labels)), THRESHOLD);
  return found === null ? null : { value: found.at.text, tokens: tokensOf(found.at), confidence: found.score };
}

/** How much a name without a heading counts where nothing says that anything is sold. */
const NOT_SOLD = 0.65;

/** So sure a name is whatever the document: its heading leaves no doubt. */
const SURE = 0.9;

const lessSure = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.map(({ at, score }) => ({ at, score: Math.min(score, 1) * NOT_SOLD }));

/**
 * The parties that a document shows. A role without enough evidence is left out.
 * @param bill whether the document is a bill of some kind: on others, a letterhead is nobody who sells
 */
export function findParties(view: DocumentView, labels: LabelMap, bill: boolean): Parties {
  const scene = setScene(view, labels);
  const shipTo = best(namesByHeading("ship-to", scene), THRESHOLD);
  const headed = (role: Role): NameCandidate[] =>
    namesByHeading(role, scene).flatMap((name) => (bill || name.score >= SURE ? [name] : lessSure([name])));
  const buyerNamed = best(headed("buyer"), THRESHOLD);
  const sellerNamed = best(headed("seller"), 0.6);
  const others = (list: NameCandidate[], known: NameCandidate | null): NameCandidate[] =>
    known === null ? list : list.filter(({ at }) => !sameName(at.text, known.at.text));
  // A letter shows who writes to whom, whatever it is about.
  const letter = scene.stacks.some(
    (stack) => stack.lines.length > 2 && (followsSender(stack, scene) || isAddressLine(stack.lines[0]?.text ?? "")),
  );
  const guessed = (list: NameCandidate[]): NameCandidate[] => (bill || letter ? list : lessSure(list));
  const sellers = sellerNamed === null ? others(guessed(namesOfIssuer(scene, buyerNamed)), buyerNamed) : [sellerNamed];
  const buyers = buyerNamed === null ? others(guessed(namesByAddress(scene)), sellerNamed) : [buyerNamed];
  const pair = bestPair(sellers, buyers);
  const seller = pair.seller ?? best(payeesAsIssuer(scene), THRESHOLD);
  const { buyer } = pair;
  const parties: Parties = {};
  if (seller !== null) parties.seller = toParty(seller, scene);
  if (buyer !== null) parties.buyer = toParty(buyer, scene);
  if (shipTo !== null) parties["ship-to"] = toParty(shipTo, scene);
  return parties;
}
