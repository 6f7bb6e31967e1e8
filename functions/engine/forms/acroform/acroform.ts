/** What a PDF form consists of, as GET …/acroform-metadata shows it. */
import type { Box } from "../../../ports/layout.ts";

export type AcroFormType =
  | "text"
  | "multiline"
  | "checkbox"
  | "radio"
  | "dropdown"
  | "listbox"
  | "signature"
  | "button";

/** `[left, bottom, right, top]` in PDF user space: points, y upwards. */
export type Rectangle = [number, number, number, number];

export interface PageAnchor {
  /** From 1. */
  pageNumber: number;
  unit: "point";
  /** Points from the top left corner of the page as shown, after cropping and rotation. */
  bbox: Box;
}

export interface AcroFormWidget {
  id: string;
  /** From 1; null for one that stands on no page. */
  pageNumber: number | null;
  rect: Rectangle | null;
  pageAnchors: PageAnchor[];
}

export interface AcroFormOption {
  /** What the field's value is when it is chosen. */
  value: string;
  /** What is shown. */
  label: string;
}

export interface AcroFormField {
  /** `f1`, `f2` … in the form's order; the same for the same file. */
  id: string;
  /** With the names of the fields above it, joined by full stops. */
  name: string;
  type: AcroFormType;
  tooltip: string | null;
  /** A list where several may be chosen; of a box that is not ticked `Off`. */
  value: string | string[] | null;
  defaultValue: string | string[] | null;
  /** Of lists; of check boxes and radio buttons the states that they can have besides `Off`. */
  options: AcroFormOption[];
  /** Names of PDF 32000-1, tables 221, 226, 228, 230: `readOnly`, `required`, `multiline`, `comb` …; `hidden` for none to see. */
  flags: string[];
  maxLength: number | null;
  /** Of its first widget. */
  pageNumber: number | null;
  rect: Rectangle | null;
  widgets: AcroFormWidget[];
}

interface AcroFormPage {
  /** From 1. */
  pageNumber: number;
  /** Points, as shown. */
  width: number;
  height: number;
}

export interface AcroFormMetadata {
  pages: AcroFormPage[];
  fields: AcroFormField[];
}
