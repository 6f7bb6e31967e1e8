/** Lines to write on, and the words that stand on them, on pages that were read from pictures. */
import { spanOverlap } from "../../layout/geometry.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";
import type { FormPageContent, FormWord } from "../detect/form-page.ts";

/** Distance of a line from the foot of the words that stand on it, in ems: above and below the foot. */
const RULE_ABOVE_EM = 0.35;
const RULE_BELOW_EM = 0.6;
/**
 * Share of a word's width over pieces of a leader from which it stands on the leader: letters that touch dots hide them, and
 * print ends where a leader begins.
 */
const MIN_LEADER_SHARE = 0.22;
/** Gap between pieces of one leader, in ems. */
const MAX_PIECE_GAP_EM = 0.5;
/** Distance of pieces of one rule across it, and between their ends; and the latter as a share of the shorter piece. */
const SAME_LINE_POINTS = 1.2;
const MAX_BREAK_POINTS = 12;
const MAX_BREAK_SHARE = 0.5;
/**
 * Shares of a word's width at a line: of one that stands on it, as thin lines are seen in part, and of print beside it
 * at most.
 */
const MIN_ON_SHARE = 0.5;
const MAX_BESIDE_SHARE = 0.3;

/** True for a line at the foot of a box. */
export const isAtFoot = ({ at }: Rule, { bottom }: { bottom: number }, em: number): boolean =>
  at >= bottom - RULE_ABOVE_EM * em && at <= bottom + RULE_BELOW_EM * em;

const sharedWidth = ({ from, to }: Rule, { box }: FormWord): number =>
  Math.max(0, spanOverlap(from, to, box.left, box.right));

/** The share of a word's width at some lines. */
function shareAt(word: FormWord, lines: readonly Rule[]): number {
  const width = word.box.right - word.box.left;
  return width <= 0 ? 0 : lines.reduce((sum, line) => sum + sharedWidth(line, word), 0) / width;
}

/** Joins pieces, from left to right, to the first line that goes on in each. */
function joinPieces(pieces: readonly Rule[], goesOn: (line: Rule, piece: Rule) => boolean): Rule[] {
  const lines: Rule[] = [];
  for (const piece of [...pieces].sort((a, b) => a.from - b.from)) {
    const line = lines.find((one) => goesOn(one, piece));
    if (line === undefined) lines.push({ ...piece });
    else line.to = Math.max(line.to, piece.to);
  }
  return lines;
}

/**
 * Completes leaders that were found in pixels: words written on a leader touch its dots and part it. Print beside it
 * parts it too, but stands over none of its pieces.
 * @param pieces of leaders, in points like the words
 */
export function completeLeaders(pieces: readonly Rule[], words: readonly FormWord[], em: number): Rule[] {
  const hidden = words.flatMap((word): Rule[] => {
    const own = pieces.filter((piece) => isAtFoot(piece, word.box, em) && sharedWidth(piece, word) > 0);
    const [first] = own;
    if (first === undefined || shareAt(word, own) < MIN_LEADER_SHARE) return [];
    return [{ at: first.at, from: word.box.left, to: word.box.right }];
  });
  return joinPieces(
    [...pieces, ...hidden],
    (line, { at, from }) => Math.abs(line.at - at) <= RULE_ABOVE_EM * em && from - line.to <= MAX_PIECE_GAP_EM * em,
  );
}

/**
 * Joins pieces of level lines: a thin line that is a little oblique is seen in pieces, of a length that its slope makes.
 * @param pieces in points, level
 */
export const joinBrokenRules = (pieces: readonly Rule[]): Rule[] =>
  joinPieces(pieces, (line, piece) => {
    const shorter = Math.min(piece.to - piece.from, line.to - line.from);
    const most = Math.min(MAX_BREAK_POINTS, MAX_BREAK_SHARE * shorter);
    return Math.abs(line.at - piece.at) <= SAME_LINE_POINTS && piece.from - line.to <= most;
  });

/** Lines that words may stand on. */
const linesOf = ({ horizontal, underscores, leaders }: FormPageContent): readonly Rule[] => [
  ...horizontal,
  ...underscores,
  ...leaders,
];

/** Tells where a line to write on begins or ends between two words of a row: the label is beside it, the value on it. */
export function lineParts(content: FormPageContent, em: number): (before: FormWord, word: FormWord) => boolean {
  const lines = linesOf(content);
  const shares = new Map<FormWord, number>();
  const share = (word: FormWord): number => {
    const known =
      shares.get(word) ??
      shareAt(
        word,
        lines.filter((line) => isAtFoot(line, word.box, em)),
      );
    shares.set(word, known);
    return known;
  };
  return (before, word) => {
    const [one, other] = [share(before), share(word)];
    return Math.max(one, other) >= MIN_ON_SHARE && Math.min(one, other) <= MAX_BESIDE_SHARE;
  };
}
