/** A template of each Office format with the same fields: text, a number, a loop, a condition, a picture. */
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { readOfficeDocument } from "../../functions/engine/readers/office/read-office.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { DOCX, PPTX, XLSX } from "../../functions/ports/media-types.ts";
import { pictureShape, table, textBox } from "./deck-template.ts";
import { workbookOf } from "./excel-workbook.ts";
import { claimingPng } from "./images.ts";
import { wordTable } from "./office.ts";
import { p, presentation, r, wordPackage } from "./office-parts.ts";

export interface OfficeTemplate {
  extension: string;
  mediaType: string;
  bytes: Uint8Array;
}

const deckTemplate = (): Uint8Array =>
  presentation(
    [
      {
        shapes:
          textBox("Offer {number} for {customer.name}", "{#paid}Paid{/paid}") +
          table([
            ["Title", "Price"],
            ["{#items}{title}", "{price | number('en', 2)}{/items}"],
          ]) +
          pictureShape("{logo}", "pic"),
        relationships: { pic: ["image", "../media/old.png"] },
      },
    ],
    "",
    "",
    "",
    { "ppt/media/old.png": claimingPng(10, 10) },
  );

const workbookTemplate = (): Uint8Array =>
  workbookOf({
    sheets: [
      {
        name: "Offer",
        cells: {
          A1: "Offer {{number}} for {{customer.name}}",
          A2: "{{#paid}}Paid{{/paid}}",
          A3: "{{%logo}}",
          A5: "{{#items}}{{title}}",
          B5: "{{price | number('en', 2)}}{{/items}}",
          A6: "Total",
          B6: { formula: "SUM(B5:B5)", value: 0 },
        },
      },
    ],
  });

const wordTemplate = (): Uint8Array =>
  wordPackage({
    body:
      p(r("Offer {number} for {customer.") + r("name}")) +
      p(r("{#paid}Paid{/paid}")) +
      p(r("{%logo}")) +
      wordTable([
        ["Title", "Price"],
        ["{#items}{title}", "{price | number('en', 2)}{/items}"],
      ]),
  });

export const OFFICE_TEMPLATES: readonly OfficeTemplate[] = [
  { extension: "docx", mediaType: DOCX, bytes: wordTemplate() },
  { extension: "xlsx", mediaType: XLSX, bytes: workbookTemplate() },
  { extension: "pptx", mediaType: PPTX, bytes: deckTemplate() },
];

const PROVIDERS: Record<string, "docx" | "xlsx" | "pptx"> = { [DOCX]: "docx", [PPTX]: "pptx", [XLSX]: "xlsx" };

/** The words of an Office document as the service reads them, in order. */
export const officeText = (bytes: Uint8Array): string =>
  readOfficeDocument(bytes, PROVIDERS[sniffDocument(bytes).mimeType] ?? "docx")
    .pages.flatMap((page) => pageWords(page).map(({ text }) => text))
    .join(" ");
