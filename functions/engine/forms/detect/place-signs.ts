/** Signs that speak for and against a candidate: each is there or not, or a number near 1. */
import { middleY } from "../../layout/geometry.ts";
import { type Candidate, isChoice, isLine } from "./candidate.ts";
import { cellSigns } from "./cell-signs.ts";
import type { Label } from "./labels.ts";
import { lineSigns } from "./line-signs.ts";
import { type PageSpace, tintOf } from "./page-space.ts";
import { flag, isLed, mates, type SignSource, type Signs, sharesRow } from "./sign-source.ts";
import { hasEvenSides } from "./tick-layout.ts";

export type { Signs } from "./sign-source.ts";

/** Share of a page's height at its top and bottom where running lines stand. */
const MARGIN_SHARE = 0.06;
/** Shade from which a fill is dark. */
const DARK_SHADE = 0.7;
/** Heights and widths in ems: less than a line of the page's type, a number of two digits. */
const LOW_EM = 1.1;
const NARROW_EM = 3;

/** Signs of any place to write. */
function roomSigns(source: SignSource): Signs {
  const { own, space } = source;
  const { box, around } = own;
  const { em, content } = space;
  const { frame } = content;
  const margin = MARGIN_SHARE * (frame.bottom - frame.top);
  return {
    "after a leader": flag(isLed(source)),
    "print after": flag(
      space.runs.some(
        (run) =>
          run.box.left >= box.right - 0.3 * em &&
          // The print of the next cell says nothing of this one.
          run.box.left <= (isLine(own) ? box.right + em : Math.min(box.right + em, around.right)) &&
          sharesRow(run, box, 0.4),
      ),
    ),
    low: flag(box.bottom - box.top < LOW_EM * em),
    narrow: flag(box.right - box.left < NARROW_EM * em),
    dark: flag(tintOf(box, space) < DARK_SHADE),
    margin: flag(
      !(own.shape === "cell" && mates(source).column) &&
        (middleY(box) < frame.top + margin || middleY(box) > frame.bottom - margin),
    ),
  };
}
function choiceSigns({ own: { shape, box }, label, misaligned, space: { em, content } }: SignSource): Signs {
  const side = (box.right - box.left + box.bottom - box.top) / 2;
  // Marks and answers stand where the lines of text put them.
  const isDrawn = shape === "square" || shape === "round";
  return {
    [shape]: 1,
    "far label": flag(label.place === "header" || label.place === "none"),
    "label left": flag(label.place === "left"),
    small: flag(side < SMALL_CHOICE_EM * em),
    large: flag(side > LARGE_CHOICE_EM * em),
    // The sides of boxes in pixels are known too roughly.
    "whole points": flag(isDrawn && !content.isPicture && hasEvenSides(box, 1)),
    misaligned: isDrawn ? (misaligned.get(shape) ?? 0) : 0,
  };
}
/** Sides of a checkbox in ems: smaller ones are bullets, larger ones boxes for a letter or two. */
const SMALL_CHOICE_EM = 0.65;
const LARGE_CHOICE_EM = 1.7;

/** The signs of a candidate. @param all the candidates of its page: to write in, and to tick */
export function signsOf(
  own: Candidate,
  label: Label,
  all: Pick<SignSource, "texts" | "choices" | "misaligned">,
  space: PageSpace,
): Signs {
  const source: SignSource = { own, label, ...all, space, print: isLine(own) ? [] : space.runsIn(own.around) };
  if (isChoice(own)) return choiceSigns(source);
  return { ...(isLine(own) ? lineSigns(source) : cellSigns(source)), ...roomSigns(source) };
}
