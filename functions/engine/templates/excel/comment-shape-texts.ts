/** Tags in texts beside the cells of a sheet: in comments, and in the shapes of its drawing. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { parseRange } from "../../readers/office/xlsx/sheet.ts";
import { badValue } from "../field-values.ts";
import type { Delimiters } from "../office/find-tags.ts";
import { relationshipsOf } from "../office/part-relationships.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { tagFault } from "../office/tag-fault.ts";
import { type CellPiece, readPieces, readRuns, type TextRun } from "./cell-text.ts";
import { escapeUnderscores, MAX_CELL_CHARACTERS } from "./cell-values.ts";
import { editPart } from "./move-related-parts.ts";
import type { RowBlock } from "./row-blocks.ts";
import type { LoopScopes } from "./row-layout.ts";
import { runsOf } from "./tag-values.ts";
import { type TemplateSheet, type TemplateWorkbook, typeOf } from "./workbook-source.ts";
import {
  attributesOf,
  childNode,
  decodeText,
  encodeText,
  nodesBelow,
  parseSource,
  type XmlNode,
} from "./xml-source.ts";
import { readXmlText } from "./xml-text.ts";

/** A stretch of a part's source that is runs of text. */
export interface BesideSource {
  part: string;
  /** Place of the runs in the source. */
  start: number;
  end: number;
  runs: TextRun[];
  /** Such as `sheet Offer, comment at B5`. */
  place: string;
  /** Row of a comment's cell; undefined for a shape. */
  row: number | undefined;
  write: (runs: readonly TextRun[]) => string;
}

export interface BesideText {
  source: BesideSource;
  pieces: CellPiece[];
}

const prefixOf = ({ tag, name }: XmlNode): string => tag.slice(0, tag.length - name.length);
const attributesIn = (xml: string, { start, contentStart }: XmlNode): Map<string, string> =>
  attributesOf(xml.slice(start, contentStart));

/** A comment's text is a rich string, as a cell's (ECMA-376 part 1, 18.7.7). */
function writeComment(prefix: string, runs: readonly TextRun[]): string {
  const textOf = (text: string): string =>
    `<${prefix}t xml:space="preserve">${encodeText(escapeUnderscores(text))}</${prefix}t>`;
  if (runs.every(({ look }) => look === "")) return textOf(runs.map(({ text }) => text).join(""));
  return runs.map(({ text, look }) => `<${prefix}r>${look}${textOf(text)}</${prefix}r>`).join("");
}

/** Runs of a shape's paragraph (21.1.2.3.8); a line break is an element beside them. */
function writeShape(prefix: string, runs: readonly TextRun[]): string {
  return runs
    .map(({ text, look }) =>
      text
        .split("\n")
        .map((line) =>
          line === "" ? "" : `<${prefix}r>${look}<${prefix}t>${encodeText(line)}</${prefix}t></${prefix}r>`,
        )
        .join(`<${prefix}br>${look}</${prefix}br>`),
    )
    .join("");
}

type BesideReader = (xml: string, root: XmlNode) => Omit<BesideSource, "part">[];

const commentReader =
  (element: string): BesideReader =>
  (xml, root) =>
    [...nodesBelow(root)].flatMap((node) => {
      const text = node.name === element ? childNode(node, "text") : undefined;
      if (text === undefined || text.contentStart === text.end) return [];
      const { contentStart: start, contentEnd: end } = text;
      const reference = attributesIn(xml, node).get("ref") ?? "";
      const source = xml.slice(start, end);
      const base = { start, end, place: `comment at ${reference}`, row: parseRange(reference)?.top };
      // The newer comments, which answer each other, are plain text.
      return element === "comment"
        ? [{ ...base, runs: readRuns(source), write: (runs) => writeComment(prefixOf(text), runs) }]
        : [
            {
              ...base,
              runs: [{ text: decodeText(source), look: "" }],
              write: (runs) => encodeText(runs.map((run) => run.text).join("")),
            },
          ];
    });

/** Names of shapes by their text, which has many paragraphs. */
class ShapeNames {
  readonly #names = new Map<XmlNode, string>();
  readonly #xml: string;

  constructor(xml: string) {
    this.#xml = xml;
  }

  of({ parent: body }: XmlNode): string {
    const shape = body?.parent;
    if (shape === undefined) return "";
    const known = this.#names.get(shape) ?? this.#read(shape);
    this.#names.set(shape, known);
    return known;
  }

  #read(shape: XmlNode): string {
    const properties = childNode(childNode(shape, "nvSpPr"), "cNvPr");
    return (properties === undefined ? undefined : attributesIn(this.#xml, properties).get("name")) ?? "";
  }
}

/** Runs of a paragraph that follow each other, as a field or a line break may stand between. */
function runGroups(paragraph: XmlNode): XmlNode[][] {
  const groups: XmlNode[][] = [[]];
  for (const child of paragraph.children) {
    if (child.name === "r") groups.at(-1)?.push(child);
    else groups.push([]);
  }
  return groups.filter(({ length }) => length > 0);
}

function shapeRun(xml: string, run: XmlNode): TextRun {
  const [text, look] = [childNode(run, "t"), childNode(run, "rPr")];
  return {
    text: text === undefined ? "" : decodeText(xml.slice(text.contentStart, text.contentEnd)),
    look: look === undefined ? "" : xml.slice(look.start, look.end),
  };
}

const readShapes: BesideReader = (xml, root) => {
  const names = new ShapeNames(xml);
  return [...nodesBelow(root)].flatMap((paragraph) => {
    if (paragraph.name !== "p" || paragraph.parent?.name !== "txBody") return [];
    const place = `shape "${names.of(paragraph)}"`;
    return runGroups(paragraph).map((group) => ({
      start: group[0]?.start ?? 0,
      end: group.at(-1)?.end ?? 0,
      runs: group.map((run) => shapeRun(xml, run)),
      place,
      row: undefined,
      write: (runs) => writeShape(prefixOf(paragraph), runs),
    }));
  });
};

const READERS: ReadonlyMap<string, BesideReader> = new Map([
  ["comments", commentReader("comment")],
  ["threadedComment", commentReader("threadedComment")],
  ["drawing", readShapes],
]);

/** The texts of a sheet's comments and shapes that have a brace, which alone can hold tags. */
export function besideSources({ office, budget }: TemplateWorkbook, sheet: TemplateSheet): BesideSource[] {
  return relationshipsOf(office, sheet.part).flatMap((relationship) => {
    const reader = relationship.external ? undefined : READERS.get(typeOf(relationship));
    const xml = reader === undefined ? undefined : readXmlText(office, relationship.target, budget);
    if (reader === undefined || xml === undefined || !/[{}]/.test(xml)) return [];
    return reader(xml, parseSource(xml))
      .filter(({ runs }) => /[{}]/.test(besideText({ runs })))
      .map((source) => ({ ...source, part: relationship.target, place: `sheet ${sheet.name}, ${source.place}` }));
  });
}

export const besideText = ({ runs }: Pick<BesideSource, "runs">): string => runs.map(({ text }) => text).join("");

/** @throws UnprocessableEntity for a tag that a text without rows does not take */
function checkPieces(pieces: readonly CellPiece[], place: string): void {
  for (const piece of pieces) {
    if (piece.kind === "text") continue;
    if (piece.kind === "section") checkPieces(piece.pieces, place);
    else if (piece.kind === "picture") throw tagFault(piece.source, place, "asks for a picture; give it a cell");
    else if (piece.kind !== "value") throw tagFault(piece.source, place, "has no other end in its paragraph");
    else if (piece.list !== undefined) throw tagFault(piece.source, place, "repeats a row; put it into a cell");
  }
}

const firstTag = (pieces: readonly CellPiece[]): string => {
  const [piece] = pieces.filter(({ kind }) => kind !== "text");
  if (piece === undefined) return "";
  return "source" in piece ? piece.source : `#${"path" in piece ? piece.path.join(".") : ""}`;
};

/**
 * The tags of one text; undefined for none.
 * @param blocks of its sheet
 * @throws UnprocessableEntity naming a tag with a fault, and its place
 */
export function readBeside(
  source: BesideSource,
  delimiters: Delimiters,
  blocks: readonly RowBlock[],
): BesideText | undefined {
  const { runs, place, row } = source;
  const pieces = readPieces(runs, delimiters, place);
  if (pieces === undefined) return undefined;
  checkPieces(pieces, place);
  const isRepeated = blocks.some(
    ({ first, last, loops }) => loops.length > 0 && row !== undefined && first <= row && row <= last,
  );
  // The first copy of a row alone keeps the comment.
  if (isRepeated) {
    throw new UnprocessableEntity(
      `The tag ${firstTag(pieces)} in ${place} belongs to rows that are repeated, and their comments are not; put it into a cell, or the comment at another row`,
    );
  }
  return { source, pieces };
}

/**
 * Fills the texts beside the cells. Nothing may have changed their parts before.
 * @throws BadRequest for values that are no text, and for too long texts
 */
export function fillBeside(
  workbook: TemplateWorkbook,
  texts: readonly BesideText[],
  scopes: LoopScopes,
  budget: RenderedItems,
): void {
  for (const [part, own] of Map.groupBy(texts, ({ source }) => source.part)) {
    editPart(workbook, part, (edits) => {
      for (const { source, pieces } of own) {
        const runs = runsOf(pieces, scopes, budget).filter(({ text }) => text !== "");
        const { length } = besideText({ runs });
        budget.addText(length);
        if (length > MAX_CELL_CHARACTERS) {
          throw badValue(
            "",
            `A comment or a shape of Excel holds ${MAX_CELL_CHARACTERS.toLocaleString("en-US")} characters, and the values would fill one with ${length.toLocaleString("en-US")}; send shorter texts`,
          );
        }
        edits.replace(source.start, source.end, source.write(runs));
      }
    });
  }
}
