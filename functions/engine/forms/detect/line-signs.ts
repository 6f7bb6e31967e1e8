/** Signs that speak for and against a place over a line. */
import { containsMiddle, spanOverlap } from "../../layout/geometry.ts";
import { isLine } from "./candidate.ts";
import { isCaptionType } from "./captions.ts";
import { isYesOrNo } from "./form-wording.ts";
import {
  flag,
  isLed,
  MAX_LABEL_CHARACTERS,
  mates,
  nameBeside,
  namesChoice,
  type SignSource,
  type Signs,
  sharesRow,
} from "./sign-source.ts";

/** Share of the page's width that a line between two parts of a form has at least. */
const WIDE_SHARE = 0.6;
/** Distance of two lines of one text to write, in ems. */
const MIN_STACK_EM = 0.8;
const MAX_STACK_EM = 3.2;
/** Length of the rest of a line that another head names at least, in ems. */
const MIN_OTHER_PART_EM = 2;
/** True for a line over or under another of the same length, with nothing in between. */
const isStacked = ({ own: { box }, texts, space: { em, runs } }: SignSource): boolean =>
  texts.some((other) => {
    const distance = Math.abs(other.box.bottom - box.bottom);
    if (!isLine(other) || distance < MIN_STACK_EM * em || distance > MAX_STACK_EM * em) return false;
    if (Math.abs(other.box.left - box.left) > em || Math.abs(other.box.right - box.right) > em) return false;
    const [top, bottom] = [Math.min(other.box.bottom, box.bottom), Math.max(other.box.bottom, box.bottom)];
    return !runs.some((run) => containsMiddle({ ...box, top, bottom }, run.box));
  });
/** Signs of the print that names a line. */
function nameSigns(source: SignSource): Signs {
  const { run, place, text } = source.label;
  return {
    // The number of a line is bold on many forms, and no heading.
    "line after a bold name": flag(place === "left" && run?.bold === true && /\p{L}{3}/u.test(run.text)),
    "line after yes or no": flag(place === "left" && isYesOrNo(text) && namesChoice(source)),
  };
}

/** True for a part of a line under the head that divides it off. */
const isHeadedPart = ({ own: { box, around }, label: { place, run }, space: { em } }: SignSource): boolean =>
  place === "above" &&
  run !== undefined &&
  box.right - box.left < around.right - around.left - MIN_OTHER_PART_EM * em &&
  run.box.left >= box.left - em &&
  run.box.right <= box.right + em;

/**
 * Thickness of a line relative to the page's usual one from which it is heavy, and least difference in points: on a
 * picture, more than one pixel of a scan of 200 dpi, as its thickness is known to whole pixels.
 */
const HEAVY_SHARE = 1.5;
const HEAVY_POINTS = 0.3;
const HEAVY_POINTS_IN_PICTURES = 0.4;
/** Distance of a rule from the line of a place that it is, in ems. */
const SAME_LINE_EM = 0.3;

/** True for a line that is thicker than the page's usual lines: forms print such lines around their parts. */
function isHeavy({ own: { around }, space: { em, rules, thickness, content } }: SignSource): boolean {
  const least = content.isPicture ? HEAVY_POINTS_IN_PICTURES : HEAVY_POINTS;
  return rules.horizontal.some(
    (rule) =>
      Math.abs(rule.at - around.bottom) < SAME_LINE_EM * em &&
      rule.from < around.right &&
      rule.to > around.left &&
      (rule.thickness ?? 0) > Math.max(HEAVY_SHARE * thickness, thickness + least),
  );
}

const ENDS_IN_MONEY = /\p{Sc}\s*$/u;

export function lineSigns(source: SignSource): Signs {
  const { own, label, space } = source;
  const { box, around, shape } = own;
  if (shape === "lines") return { lines: 1 };
  const isCaption = label.place === "below" && label.run !== undefined && isCaptionType(label.run, space.em);
  const isNamed = label.place === "left" || isCaption || isHeadedPart(source);
  const isUnderLabel = !isNamed && label.place === "above" && label.text.length <= MAX_LABEL_CHARACTERS;
  const { name, announces } = nameBeside(source);
  // The print before a leader, or before a sign of money, names the place behind it.
  const isUnderPrint =
    !isLed(source) &&
    !(announces && ENDS_IN_MONEY.test(name?.text ?? "")) &&
    space.runsAt(around).some(
      (run) =>
        // Cents and numbers of lines are printed where an amount is to be written.
        /\p{L}/u.test(run.text) &&
        spanOverlap(run.box.left, run.box.right, around.left, around.right) > space.em &&
        sharesRow(run, box, 0.5),
    );
  const isWide = box.right - box.left > WIDE_SHARE * (space.content.frame.right - space.content.frame.left);
  return {
    "named line": flag(shape === "rule" && isNamed),
    "named line under print": flag(isNamed && isUnderPrint),
    "line under print": flag(!isNamed && isUnderPrint),
    "line under a label": flag(shape === "rule" && !isNamed && isUnderLabel),
    "line without name": flag(shape === "rule" && !isNamed && !isUnderLabel),
    "wide line without name": flag(shape === "rule" && !isNamed && isWide),
    "wide line over its name": flag(shape === "rule" && label.place === "below" && isWide),
    "stacked line": flag(isStacked(source)),
    // The last row of a part ends with its line, and is written on all the same.
    "heavy line": flag(isHeavy(source) && !isHeadedPart(source)),
    "line beside another": flag(mates(source).row),
    "after a colon": flag(announces),
    underscore: flag(shape === "underscore"),
    dots: flag(shape === "leader"),
    ...nameSigns(source),
  };
}
