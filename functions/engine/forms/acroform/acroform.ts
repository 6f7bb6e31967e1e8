/** The parts of a PDF form, as GET …/acroform-metadata shows them. */
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

export interface WidgetAnchor {
  /** From 1. */
  pageNumber: number;
  unit: "point";
  /** Points from the top left corner of the page as shown, after cropping and rotation. */
  bbox: Box;
}

export interface AcroFormWidget {
  id: string;
  /** From 1; null for a widget that stands on no page. */
  pageNumber: number | null;
  rect: Rectangle | null;
  pageAnchors: WidgetAnchor[];
  /** Checkboxes and radio buttons: the field's value when this widget is chosen. */
  state?: string;
}

export interface AcroFormOption {
  /** The field's value when this option is chosen. */
  value: string;
  /** The text shown. */
  label: string;
}

export interface AcroFormField {
  /** `f1`, `f2` … in the form's order; the same for the same file. */
  id: string;
  /** Full name: the names of its ancestors and its own, joined by full stops. */
  name: string;
  type: AcroFormType;
  tooltip: string | null;
  /** A list where several options may be chosen; `Off` for a checkbox that is not checked. */
  value: string | string[] | null;
  defaultValue: string | string[] | null;
  /** The choices of a list; for checkboxes and radio buttons their states besides `Off`. */
  options: AcroFormOption[];
  /**
   * Flag names of PDF 32000-1, tables 221, 226, 228, 230: `readOnly`, `required`, `multiline`, `comb` …; `hidden` when
   * no widget is visible.
   */
  flags: string[];
  maxLength: number | null;
  /** The page of its first widget. */
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
