/** A template of each Office format with the same fields: text, a number, a loop, a condition, a picture. */
import { openPackage } from "../../functions/engine/readers/office/office-package.ts";
import { PPTX } from "../../functions/ports/media-types.ts";
import { pictureShape, table, textBox } from "./deck-template.ts";
import { claimingPng } from "./images.ts";
import { presentation } from "./office-parts.ts";

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

export const OFFICE_TEMPLATES: readonly OfficeTemplate[] = [
  { extension: "pptx", mediaType: PPTX, bytes: deckTemplate() },
];

/** The texts of all parts, in order, with a space between them. */
export function officeText(bytes: Uint8Array): string {
  const office = openPackage(bytes);
  const texts = office.names
    .filter((name) => /\.xml$/.test(name) && !name.startsWith("["))
    .map((name) => new TextDecoder().decode(office.read(name)))
    .flatMap((xml) => [...xml.matchAll(/<(?:\w+:)?[tv](?: [^>]*)?>([^<]*)</g)].map(([, text]) => text));
  return texts.join(" ");
}
