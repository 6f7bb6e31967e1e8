/** The calls for forms made of flat PDFs. */
import { jsonBody, pathSegment } from "./answers.ts";
import { postWork, read, readBytes } from "./calls.ts";
import type { Connection } from "./http.ts";
import type { Json } from "./json.ts";
import type { OperationSubmitted } from "./operation-calls.ts";
import type { CallOptions, WorkOptions } from "./options.ts";

/** A place to write on a page, and what becomes of it. */
export interface FieldDefinition {
  id?: string;
  /** From 1. */
  pageNumber: number;
  fieldName: string;
  fieldType: "text" | "multiline" | "checkbox" | "radio" | "dropdown" | "signature" | "date";
  label?: string;
  /** In shares of the page as shown, from its top left corner. */
  entryBbox: { left: number; top: number; right: number; bottom: number };
  /** 0 to 1. */
  confidence?: number;
  required?: boolean;
  /** The choices of a dropdown; of a radio button its own. */
  options?: string[];
  reviewStatus?: "suggested" | "accepted" | "rejected" | "edited";
  /** The sign on the page that tells the place; `widget`: a field that the document has already. */
  source?: "rule" | "box" | "glyph" | "leader" | "cell" | "image" | "widget";
  /** The same for the buttons of one question. */
  group?: string;
  /** Cells for single characters. */
  comb?: number;
}

export interface FieldDefinitions {
  version: number;
  fieldDefinitions: FieldDefinition[];
  /** Sizes in points. */
  pages: { pageNumber: number; width: number; height: number; unit: "point" }[];
}

/** How a form is made of a PDF; each member has a default. */
export interface FormParameters {
  ocr?: string | undefined;
  fieldNameStyle?: "source_snake_case" | "snake_case" | "camelCase" | undefined;
  /** 0 to 1; default 0.35. */
  minConfidence?: number | undefined;
  /** Default 300. */
  maxFieldsPerPage?: number | undefined;
  /** Such as `1-3,7`. */
  pageRange?: string | undefined;
  /** Reads the document anew, in the mode `ocr`. */
  forceOcr?: boolean | undefined;
  /** Values to fill in, by the names or the labels of fields. */
  values?: { [nameOrLabel: string]: Json } | undefined;
}

export interface ReviewedForm {
  fieldDefinitions: FieldDefinition[];
  /** The operation that found the definitions. */
  sourceOperationGuid?: string | undefined;
  /** 0 to 1, for definitions that nobody has reviewed; default 0. */
  minConfidence?: number | undefined;
  /** Default 300. */
  maxFieldsPerPage?: number | undefined;
}

/** Methods throw as SheafClient's do. A form is made by an operation: `wait` and `result` take its `jobGuid`. */
export class FormCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Starts looking for fields on the pages of a job's PDF, and writing them as a form. */
  async make(parent: string, parameters: FormParameters = {}, options?: WorkOptions): Promise<OperationSubmitted> {
    const body = { jobGuid: parent, type: "pdf-acroform", parameters: { customParameters: parameters } };
    return postWork(this.#connection, "/operation", jsonBody(body), options);
  }

  /** Starts writing reviewed definitions as a form; nothing is looked for again. */
  async apply(parent: string, reviewed: ReviewedForm, options?: WorkOptions): Promise<OperationSubmitted> {
    const path = `/job/${pathSegment(parent)}/pdf-acroform/apply`;
    return postWork(this.#connection, path, jsonBody(reviewed), options);
  }

  /** The form that an operation made. */
  async pdf(operation: string, options?: CallOptions): Promise<Uint8Array> {
    return readBytes(this.#connection, pathOf(operation, "pdf-acroform"), options);
  }

  /** The definitions of a form's fields, for a review. */
  async definitions(operation: string, options?: CallOptions): Promise<FieldDefinitions> {
    return read(this.#connection, pathOf(operation, "pdf-acroform-field-definitions"), options);
  }
}

const pathOf = (operation: string, name: string): string => `/job/result/${pathSegment(operation)}/${name}`;
