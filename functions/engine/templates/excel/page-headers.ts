/** Tags in the headers and footers of printed pages (ECMA-376 part 1, 18.3.1.46). */
import { badValue } from "../field-values.ts";
import type { Delimiters } from "../office/find-tags.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { tagFault } from "../office/tag-fault.ts";
import { type CellPiece, readPieces } from "./cell-text.ts";
import type { LoopScopes } from "./row-layout.ts";
import type { SheetSource } from "./sheet-source.ts";
import { runsOf } from "./tag-values.ts";
import { childNode, decodeText, type SourceEdits, type XmlNode } from "./xml-source.ts";

export interface PageHeader {
  node: XmlNode;
  pieces: CellPiece[];
}

/** Most characters of a header, with its codes (Excel specifications and limits). */
const MAX_HEADER_CHARACTERS = 255;

export const headerTexts = ({ root, xml }: SheetSource): { node: XmlNode; text: string }[] =>
  (childNode(root, "headerFooter")?.children ?? []).map((node) => ({
    node,
    text: decodeText(xml.slice(node.contentStart, node.contentEnd)),
  }));

/** The headers and footers that have tags. @throws UnprocessableEntity naming a tag that cannot be read */
export function readHeaders(source: SheetSource, delimiters: Delimiters, sheet: string): PageHeader[] {
  return headerTexts(source).flatMap(({ node, text }) => {
    const place = `sheet ${sheet}, ${/footer/i.test(node.name) ? "footer" : "header"}`;
    const pieces = readPieces([{ text, look: "" }], delimiters, place);
    const marker = pieces?.find((piece) => "source" in piece && piece.kind !== "value" && piece.kind !== "picture");
    if (marker !== undefined && "source" in marker) throw tagFault(marker.source, place, "has no other end there");
    return pieces === undefined ? [] : [{ node, pieces }];
  });
}

/** Fills headers and footers. @throws BadRequest for a text that is too long */
export function fillHeaders(
  edits: SourceEdits,
  headers: readonly PageHeader[],
  scopes: LoopScopes,
  budget: RenderedItems,
): void {
  for (const { node, pieces } of headers) {
    // An ampersand begins a code in the template's text, and is a sign in a value.
    const doubled = pieces.map((piece) =>
      piece.kind === "text" ? { ...piece, text: piece.text.replaceAll("&", MARK) } : piece,
    );
    const text = runsOf(doubled, scopes, budget)
      .map((run) => run.text)
      .join("")
      .replaceAll("&", "&&")
      .replaceAll(MARK, "&");
    if (text.length > MAX_HEADER_CHARACTERS) {
      throw badValue(
        "",
        `A header of Excel holds ${MAX_HEADER_CHARACTERS} characters, and the values would fill one with ${text.length}; send shorter texts`,
      );
    }
    edits.setText(node, text);
  }
}

/** Stands for the ampersands of codes; values never have it, as XML cannot write it. */
const MARK = "\u0001";
