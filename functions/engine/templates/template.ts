/** The fields of a template of any format, and what filling it takes and gives. */
import { isObject, type Json } from "../../ports/json.ts";

/** Types of a template's fields, as GET /template/metadata names them. */
export const TEMPLATE_FIELD_TYPES = [
  "text",
  "multiline",
  "checkbox",
  "radio",
  "dropdown",
  "listbox",
  "signature",
  "button",
  "image",
  "loop",
  "condition",
] as const;
export type TemplateFieldType = (typeof TEMPLATE_FIELD_TYPES)[number];

/** Types of values that a field's format asks for; any other field takes text. */
export type TemplateValueType = "number" | "date";

export interface TemplateField {
  /**
   * Full name; for a PDF the names of its ancestors and its own, joined by full stops. A field of a loop is named
   * relative to the loop's item, and `.` is the item itself.
   */
  name: string;
  type: TemplateFieldType;
  /** The fields of each item of a loop; none for other types. */
  fields: TemplateField[];
  /** Inferred from the format that the template gives the value; null for a text. */
  valueType: TemplateValueType | null;
  tooltip: string | null;
  flags: string[];
  value: string | string[] | null;
  defaultValue: string | string[] | null;
  /** The values that the field takes; of a list of choices what is stored, not what is shown. */
  options: string[];
  /** The text shown for each of `options`, where it differs from them. */
  optionLabels: string[];
  /** JavaScript of the field's actions; it is shown, never run. */
  script: string | null;
  /** Most characters of a text. */
  maxLength: number | null;
  /** Date pattern of the field's own format, such as `mm/dd/yyyy`. */
  dateFormat: string | null;
}

/** A field with a name and a type, and all else that a template may state as given. */
export const templateField = (
  name: string,
  type: TemplateFieldType,
  stated: Partial<Omit<TemplateField, "name" | "type">> = {},
): TemplateField => ({
  name,
  type,
  fields: [],
  valueType: null,
  tooltip: null,
  flags: [],
  value: null,
  defaultValue: null,
  options: [],
  optionLabels: [],
  script: null,
  maxLength: null,
  dateFormat: null,
  ...stated,
});

/** A template's fields, and what filling it does to the file. */
export interface TemplateDescription {
  fields: TemplateField[];
  /** Filling appends to the file, so that its signatures stay whole. */
  signed: boolean;
  /** A filled copy has no encryption any more, and none of the owner's restrictions. */
  dropsRestrictions: boolean;
}

/** True for a reference to an uploaded picture, `{"_ref": …}`. */
export const isImageReference = (value: Json): value is { _ref: string; [member: string]: Json } =>
  isObject(value) && typeof value._ref === "string";

export interface FillRequest {
  /** Values by full name; nested objects are names with full stops. */
  fields: { readonly [name: string]: Json };
  /** Pictures by their `_ref`. */
  images: ReadonlyMap<string, Uint8Array>;
  /** Makes the values part of the pages, and leaves no field. */
  flatten: boolean;
  /** Refuses a request that leaves fields out, and names them. */
  missingIsError: boolean;
  /** Passes over fields that the template does not have. */
  ignoreUnknown: boolean;
}

export interface FilledTemplate {
  bytes: Uint8Array;
  /** Of the filled file, where it differs from the template's: a template of Word (.dotx) gives a document (.docx). */
  contentType?: string;
  /** Names of the request that the template does not have. */
  unknownFields: string[];
  /** True when restrictions of an owner password are gone from the file. */
  restrictionsDropped: boolean;
}
