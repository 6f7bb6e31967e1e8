/** Definitions of fields in tests. */
import type { FieldDefinition } from "../../functions/engine/forms/field-definition.ts";

/** A definition, accepted, of a text on the first page; `at` is its box in points of a page of `size`. */
export function definition(
  fieldName: string,
  at: readonly [left: number, top: number, right: number, bottom: number],
  stated: Partial<FieldDefinition> = {},
  size: readonly [width: number, height: number] = [612, 792],
): FieldDefinition {
  const [left, top, right, bottom] = at;
  const [width, height] = size;
  return {
    id: `d-${fieldName}`,
    pageNumber: 1,
    fieldName,
    fieldType: "text",
    label: "",
    entryBbox: { left: left / width, top: top / height, right: right / width, bottom: bottom / height },
    confidence: 0.9,
    required: false,
    options: [],
    reviewStatus: "accepted",
    source: "box",
    ...stated,
  };
}
