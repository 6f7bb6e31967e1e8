/** A place to write on a page of a form: what detection finds, a person reviews, and writing turns into a form field. */

/** Types of fields that a flat page can become. */
export const FIELD_TYPES = ["text", "multiline", "checkbox", "radio", "dropdown", "signature", "date"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** How far the review of a definition has come. */
export const REVIEW_STATUSES = ["suggested", "accepted", "rejected", "edited"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** The sign on the page that tells the place; `widget` is a field that the document already has. */
export const FIELD_SOURCES = ["rule", "box", "glyph", "leader", "cell", "image", "widget"] as const;
export type FieldSource = (typeof FIELD_SOURCES)[number];

/**
 * Notations of generated names. `source_snake_case`: the label's own letters, in lower case. `snake_case`, `camelCase`:
 * Latin letters without accents only, for programs that take no others.
 */
export const FIELD_NAME_STYLES = ["source_snake_case", "snake_case", "camelCase"] as const;
export type FieldNameStyle = (typeof FIELD_NAME_STYLES)[number];

/** A box in shares (0 to 1) of the page as shown: from its top left corner, after rotation, of the crop box. */
export interface EntryBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface FieldDefinition {
  id: string;
  /** From 1. */
  pageNumber: number;
  fieldName: string;
  fieldType: FieldType;
  /** The words on the page that name the field; empty where there are none. */
  label: string;
  entryBbox: EntryBox;
  /** 0 to 1. */
  confidence: number;
  required: boolean;
  /** Dropdowns: the choices. Radio buttons: the value of this button, alone. Else empty. */
  options: string[];
  reviewStatus: ReviewStatus;
  source: FieldSource;
  /** Radio buttons, and checkboxes of which one question has several: the same for all of the question. */
  group?: string;
  /** Text with one cell for each character: the number of cells. */
  comb?: number;
}
