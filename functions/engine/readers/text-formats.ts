/** Readers of the formats that consist of text only: their pages are laid out by us, and have no picture of their own. */
import type { Layout } from "../../ports/layout.ts";
import { CSV, DOCX, MARKDOWN, PLAIN_TEXT, PPTX, XLSX } from "../../ports/media-types.ts";
import { readText } from "./text/read-text.ts";

/** @param pageRange 1-based pages to keep; absent: all */
type TextReader = (bytes: Uint8Array, mimeType: string, pageRange?: readonly number[]) => Layout | Promise<Layout>;

const officeReader =
  (type: "docx" | "xlsx" | "pptx"): TextReader =>
  async (bytes, _, pageRange) =>
    (await import("./office/read-office.ts")).readOfficeDocument(bytes, type, pageRange);

/** The reader of each format, by media type. */
export const TEXT_READERS: Readonly<Record<string, TextReader>> = {
  [DOCX]: officeReader("docx"),
  [XLSX]: officeReader("xlsx"),
  [PPTX]: officeReader("pptx"),
  [PLAIN_TEXT]: readText,
  [MARKDOWN]: readText,
  [CSV]: readText,
};
