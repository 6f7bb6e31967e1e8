/** Captions that divide a line: each names the part of it that begins with it. */
import type { Box } from "../../../ports/layout.ts";
import { intersects, spanOverlap } from "../../layout/geometry.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";
import type { PageSpace, TextRun } from "./page-space.ts";

/** Distance of captions under a rule, and between two captions, in ems. */
const MAX_CAPTION_DISTANCE_EM = 0.9;
const MIN_CAPTION_GAP_EM = 1.8;
/** Characters of a caption at most; longer print under a rule is a text. */
const MAX_CAPTION_CHARACTERS = 40;
/** Distance of captions over the room of a rule from it, to their tops, in ems. */
const MIN_HEAD_DISTANCE_EM = 1.9;
const MAX_HEAD_DISTANCE_EM = 3.2;
/** Captions at the head of a row between two equal rules: their number, their distance and the gap between two, in ems. */
const MIN_ROW_OF_HEADS = 3;
const MAX_ROW_DISTANCE_EM = 3.8;
const MIN_ROW_GAP_EM = 1.4;
/** Distance of a place to tick before print that is its answer, and no caption, in ems. */
const MAX_ANSWER_DISTANCE_EM = 1.2;
/** Band over a rule in which print stands on it, in ems. */
const STANDING_TOP_EM = 0.75;
const STANDING_BOTTOM_EM = 0.1;

/** Print that is no answer to tick, so that it can be a caption. */
function captionRuns(choices: readonly Box[], { runs, em }: PageSpace): TextRun[] {
  const isAnswer = ({ box }: TextRun): boolean =>
    choices.some(
      (one) =>
        one.right <= box.left + 0.5 * em &&
        box.left - one.right < MAX_ANSWER_DISTANCE_EM * em &&
        spanOverlap(one.top, one.bottom, box.top, box.bottom) > 0,
    );
  return runs.filter((run) => !isAnswer(run));
}

/** Size of a caption's type at most, relative to the page's usual one. */
const MAX_CAPTION_SIZE = 1.05;

/** True for print under a line that may name it: bold and larger print there heads the next part of the form. */
export const isCaptionType = ({ bold, size }: TextRun, em: number): boolean => !bold && size <= MAX_CAPTION_SIZE * em;

const LINE_LETTER = /^\(?\p{Ll}[.)]?$/u;

interface CaptionBand {
  /** Range of the captions' tops. */
  from: number;
  to: number;
  /** Gap between two captions at least, points. */
  gap: number;
}

/** Beginnings of the captions after the first on one row along a rule. */
function captionsIn(rule: Rule, runs: readonly TextRun[], em: number, { from, to, gap }: CaptionBand): number[] {
  const captions = runs
    .filter(
      ({ box, text }) =>
        box.top >= from &&
        box.top <= to &&
        box.left >= rule.from - em &&
        box.right <= rule.to + em &&
        // The number of a line, as 9 or d, is no caption of a part of it.
        /\p{L}/u.test(text) &&
        !LINE_LETTER.test(text) &&
        text.length <= MAX_CAPTION_CHARACTERS,
    )
    .sort((a, b) => a.box.left - b.box.left);
  const rest = captions.slice(1);
  return rest.some(({ box }, index) => box.left - (captions[index]?.box.right ?? 0) < gap)
    ? []
    : rest.map(({ box }) => box.left);
}

/** The tops of captions right under a rule. */
const bandBelow = ({ at }: Rule, em: number): CaptionBand => ({
  from: at - 0.4 * em,
  to: at + MAX_CAPTION_DISTANCE_EM * em,
  gap: MIN_CAPTION_GAP_EM * em,
});

const captionsBelow = (rule: Rule, runs: readonly TextRun[], em: number): number[] =>
  captionsIn(
    rule,
    runs.filter((run) => isCaptionType(run, em)),
    em,
    bandBelow(rule, em),
  );

/** True for a rule over a caption that begins with it: the rule before it has its captions under it, too. */
function isNamedBelow(rule: Rule, runs: readonly TextRun[], em: number): boolean {
  const { from, to } = bandBelow(rule, em);
  return runs.some(
    (run) =>
      isCaptionType(run, em) &&
      run.box.top >= from &&
      run.box.top <= to &&
      Math.abs(run.box.left - rule.from) <= em &&
      /\p{L}/u.test(run.text),
  );
}

const captionsAbove = (rule: Rule, runs: readonly TextRun[], em: number): number[] =>
  captionsIn(rule, runs, em, {
    from: rule.at - MAX_HEAD_DISTANCE_EM * em,
    to: rule.at - MIN_HEAD_DISTANCE_EM * em,
    gap: MIN_CAPTION_GAP_EM * em,
  });

/** Width of the number of a line in ems, behind which the rule over the last row of a part begins. */
const MAX_NUMBER_EM = 6;

/** True for two rules that end alike, of which the upper one may begin behind the number of its line. */
const isAlong = (upper: Rule, lower: Rule, em: number): boolean =>
  Math.abs(upper.to - lower.to) < em && upper.from > lower.from - em && upper.from < lower.from + MAX_NUMBER_EM * em;

/** Heads of the row between a rule and one along it over it, where its room is free. */
function headsOfRow(rule: Rule, runs: readonly TextRun[], { rules, em }: PageSpace): number[] {
  const upper = rules.horizontal.findLast((one) => one.at < rule.at - em && isAlong(one, rule, em));
  if (upper === undefined || upper.at < rule.at - (MAX_ROW_DISTANCE_EM + 1) * em) return [];
  const band = {
    left: rule.from,
    right: rule.to,
    top: rule.at - STANDING_TOP_EM * em,
    bottom: rule.at - STANDING_BOTTOM_EM * em,
  };
  if (runs.some(({ box }) => intersects(box, band)) || isNamedBelow(rule, runs, em)) return [];
  if (captionsBelow(rule, runs, em).length > 0) return [];
  const heads = captionsIn(rule, runs, em, {
    from: Math.max(rule.at - MAX_ROW_DISTANCE_EM * em, upper.at - 0.4 * em),
    to: rule.at - MIN_HEAD_DISTANCE_EM * em,
    gap: MIN_ROW_GAP_EM * em,
  });
  return heads.length + 1 >= MIN_ROW_OF_HEADS ? heads : [];
}

/**
 * Beginnings of the second and further captions under or over a rule: each names a part of the line.
 * @param choices places to tick: the print after one is its answer
 */
export function captionStarts(rule: Rule, choices: readonly Box[], space: PageSpace): number[] {
  const { em } = space;
  const runs = captionRuns(choices, space);
  const heads = headsOfRow(rule, runs, space);
  if (heads.length > 0) return heads;
  const below = captionsBelow(rule, runs, em);
  if (below.length === 0) return captionsAbove(rule, runs, em);
  return headsNextRow(rule, choices, space) ? captionsAbove(rule, runs, em) : below;
}

/** True for print under a rule that heads the row under it: it names nothing on the rule. */
export function headsNextRow(rule: Rule, choices: readonly Box[], space: PageSpace): boolean {
  const { em, rules } = space;
  const next = rules.horizontal.find((one) => one.at > rule.at + em && isAlong(rule, one, em));
  return next !== undefined && headsOfRow(next, captionRuns(choices, space), space).length > 0;
}
