/** From the content of pages to definitions of fields. */
import type { Box } from "../../../ports/layout.ts";
import { overlapShare } from "../../layout/geometry.ts";
import { rotateBox } from "../../readers/pdf/text-directions.ts";
import type { EntryBox, FieldDefinition, FieldNameStyle, FieldSource } from "../field-definition.ts";
import { type Candidate, isChoice, type Shape } from "./candidate.ts";
import { groupChoices } from "./choice-groups.ts";
import { choosePlaces, inReadingOrder } from "./choose-places.ts";
import { fieldName, UniqueNames } from "./field-names.ts";
import { fieldTypeOf } from "./field-types.ts";
import type { FormPageContent } from "./form-page.ts";
import { judgePage } from "./judge-page.ts";
import { widgetBox } from "./widget-box.ts";

export interface DetectionOptions {
  fieldNameStyle: FieldNameStyle;
  /** Places that are less sure are left out, 0 to 1. */
  minConfidence: number;
  /** The surest of a page, at most. */
  maxFieldsPerPage: number;
}

export const DETECTION_DEFAULTS: DetectionOptions = {
  fieldNameStyle: "source_snake_case",
  minConfidence: 0.35,
  maxFieldsPerPage: 300,
};

/** Share of a place that a field of the document covers for it to be that field. */
const MIN_WIDGET_SHARE = 0.3;
const CONFIDENCE_DECIMALS = 1_000;
const SHARE_DECIMALS = 1_000_000;

const SOURCES: Record<Shape, FieldSource> = {
  cell: "cell",
  box: "box",
  comb: "box",
  rule: "rule",
  lines: "rule",
  underscore: "rule",
  leader: "leader",
  square: "box",
  round: "box",
  mark: "glyph",
  brackets: "glyph",
  wording: "glyph",
};

/** Shares of the page as shown. @param box in the frame of the page's text */
function toEntryBox(box: Box, { angle, width, height }: FormPageContent): EntryBox {
  const shown = rotateBox(box, angle);
  const share = (value: number, whole: number): number =>
    Math.round(Math.min(Math.max(value / whole, 0), 1) * SHARE_DECIMALS) / SHARE_DECIMALS;
  return {
    left: share(shown.left, width),
    top: share(shown.top, height),
    right: share(shown.right, width),
    bottom: share(shown.bottom, height),
  };
}

const isRequired = (label: string): boolean => /\*\s*:?\s*$/u.test(label);

function definePage(content: FormPageContent, options: DetectionOptions, names: UniqueNames): FieldDefinition[] {
  const { candidates, space } = judgePage(content);
  const isTaken = ({ box }: Candidate): boolean =>
    content.widgets.some((widget) => overlapShare(widget, box) >= MIN_WIDGET_SHARE);
  const chosen = choosePlaces(candidates, options.minConfidence).filter(({ candidate }) => !isTaken(candidate));
  const surest = chosen.toSorted((a, b) => b.confidence - a.confidence).slice(0, options.maxFieldsPerPage);
  const places = inReadingOrder(surest);
  const groups = groupChoices(places, space);
  const groupOf = new Map(groups.flatMap((group) => group.members.map((member) => [member, group])));
  const groupNames = new Map(
    groups.map((group) => [group, names.add(fieldName(group.question, options.fieldNameStyle, "choice"))]),
  );
  return places.map((place, index): FieldDefinition => {
    const { candidate, label, confidence } = place;
    const group = groupOf.get(place);
    const fieldType = fieldTypeOf(place, group, space.em);
    const groupName = group === undefined ? undefined : groupNames.get(group);
    const text = isChoice(candidate) && group !== undefined ? `${group.question} ${label.text}` : label.text;
    return {
      id: `p${content.pageNumber}f${index + 1}`,
      pageNumber: content.pageNumber,
      fieldName: names.add(fieldName(text, options.fieldNameStyle, isChoice(candidate) ? "choice" : "field")),
      fieldType,
      label: label.text,
      entryBbox: toEntryBox(widgetBox(candidate, space.em), content),
      confidence: Math.round(confidence * CONFIDENCE_DECIMALS) / CONFIDENCE_DECIMALS,
      required: isRequired(label.text),
      options: fieldType === "radio" ? [label.text === "" ? `${index + 1}` : label.text] : [],
      reviewStatus: "suggested",
      source: content.isPicture ? "image" : SOURCES[candidate.shape],
      ...(groupName === undefined ? {} : { group: groupName }),
      ...(candidate.comb === undefined ? {} : { comb: candidate.comb }),
    };
  });
}

/**
 * Finds the places to write on pages, in reading order, with names that are unique in the document.
 * @param takenNames names of the fields that the document already has
 */
export function detectFields(
  pages: readonly FormPageContent[],
  options: DetectionOptions = DETECTION_DEFAULTS,
  takenNames: Iterable<string> = [],
): FieldDefinition[] {
  const names = new UniqueNames(options.fieldNameStyle, takenNames);
  return pages.flatMap((content) => definePage(content, options, names));
}
