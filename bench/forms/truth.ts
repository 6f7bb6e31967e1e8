/** The truth of a form: its widgets that a person can fill. */

import type { AcroFormField } from "../../functions/engine/forms/acroform/acroform.ts";
import { acroFormMetadata } from "../../functions/engine/forms/acroform/acroform-metadata.ts";
import { namesSignature } from "../../functions/engine/forms/detect/form-wording.ts";
import { area, overlapArea } from "../../functions/engine/layout/geometry.ts";
import type { Box } from "../../functions/ports/layout.ts";

/**
 * Classes of places to write. Text, date and lists are one: nothing on a flat page tells a list from a line. A radio
 * button and a checkbox are one: many forms draw one and define the other.
 */
export const FIELD_CLASSES = ["text", "choice", "signature"] as const;
export type FieldClass = (typeof FIELD_CLASSES)[number];

export interface TrueField {
  pageNumber: number;
  /** Points from the top left corner of the page as shown. */
  box: Box;
  fieldClass: FieldClass;
  tooltip: string | undefined;
  /** A text field for a single character. */
  isCharacter: boolean;
}

export interface FormTruth {
  fields: TrueField[];
  /** Read-only widgets: a person cannot fill them, yet places may be printed there. They count neither way. */
  readOnly: TrueField[];
  pages: { width: number; height: number }[];
  /** Widgets that nobody fills: buttons, hidden ones, ones without extent, seconds at the same place. */
  leftOut: number;
}

/** Words of a field's own name: `Debtor1.signature`, `SignatureField1`, `signed_at`. */
const nameWords = (name: string): string => name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[^\p{L}]+/gu, " ");

/**
 * A place to sign is a signature field, or a text field whose tooltip or name says that it is signed: most authors put a
 * text field on the printed line. Its date is none.
 */
const isSigned = ({ type, tooltip, name }: AcroFormField): boolean =>
  type === "signature" || (type === "text" && [tooltip ?? "", nameWords(name)].some((one) => namesSignature(one)));

/** Two widgets that share this much are one place. */
const SAME_PLACE_IOU = 0.9;

export function iou(a: Box, b: Box): number {
  const common = overlapArea(a, b);
  return common === 0 ? 0 : common / (area(a) + area(b) - common);
}

export function classOf(type: AcroFormField["type"] | "date"): FieldClass | undefined {
  if (type === "button") return undefined;
  if (type === "signature") return "signature";
  return type === "checkbox" || type === "radio" ? "choice" : "text";
}

export async function readTruth(bytes: Uint8Array): Promise<FormTruth> {
  const { fields, pages } = await acroFormMetadata(bytes);
  const found: TrueField[] = [];
  const readOnly: TrueField[] = [];
  let leftOut = 0;
  for (const field of fields) {
    const { type, flags, tooltip, widgets, maxLength } = field;
    const isCharacter = type === "text" && maxLength === 1;
    const fieldClass = isSigned(field) ? "signature" : classOf(type);
    for (const anchor of widgets.flatMap((widget) => widget.pageAnchors)) {
      const { pageNumber, bbox: box } = anchor;
      const isDouble = found.some((one) => one.pageNumber === pageNumber && iou(one.box, box) >= SAME_PLACE_IOU);
      const isNone = fieldClass === undefined || flags.includes("hidden") || area(box) < 1;
      if (isNone || isDouble) leftOut += 1;
      else {
        const list = flags.includes("readOnly") ? readOnly : found;
        list.push({ pageNumber, box, fieldClass, tooltip: tooltip ?? undefined, isCharacter });
      }
    }
  }
  return { fields: found, readOnly, pages, leftOut };
}
