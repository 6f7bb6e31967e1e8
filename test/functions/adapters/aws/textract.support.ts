/** Block trees like Textract's, drawn from lines of text on a page that may have been scanned askew. */
import {
  type Block,
  type BlockType,
  type EntityType,
  type RelationshipType,
  TextractClient,
} from "@aws-sdk/client-textract";
import { openTextract } from "../../../../functions/adapters/aws/textract.ts";
import { blockLines, pageWords } from "../../../../functions/engine/layout/page-words.ts";
import type { OcrImage, OcrLevel, OcrPage } from "../../../../functions/ports/ocr.ts";
import { type Answer, answer, hurriedClock, type Request, talkingTo } from "./json-exchange.ts";

/** Inches on the upright page. */
export interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Relations = Partial<Record<RelationshipType, string[]>>;

/** Width of a letter in a line of this height. */
const ADVANCE = 0.5;

export interface DrawnPage {
  blocks: Block[];
  /** A line of words; `height` in inches. @returns the ids of the line and its words */
  line(text: string, left: number, top: number, height?: number): { id: string; words: string[]; place: Place };
  /** Any other block. @returns its id */
  block(type: BlockType, place: Place, relations?: Relations, more?: Partial<Block>): string;
  layout(type: BlockType, ids: string[]): string;
}

export interface Scan {
  /** Size of the upright page in inches. */
  width?: number;
  height?: number;
  /** Degrees clockwise of the page's rotation: full turns keep the page's size, others the sheet's. */
  turned?: number;
  /** Set by the asynchronous operations. */
  page?: number;
  /** Prefix of the ids. */
  name?: string;
}

/** Maps points of the upright page to ratios of the page as shown. */
function placer({ width = 8.5, height = 11, turned = 0 }: Scan) {
  const quarter = turned % 180 !== 0 && turned % 90 === 0;
  const shown = quarter ? { width: height, height: width } : { width, height };
  const angle = (turned * Math.PI) / 180;
  return (x: number, y: number) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    const turnedX = dx * Math.cos(angle) - dy * Math.sin(angle) + shown.width / 2;
    const turnedY = dx * Math.sin(angle) + dy * Math.cos(angle) + shown.height / 2;
    return { X: turnedX / shown.width, Y: turnedY / shown.height };
  };
}

function geometryOf({ left, top, right, bottom }: Place, place: ReturnType<typeof placer>) {
  const Polygon = [place(left, top), place(right, top), place(right, bottom), place(left, bottom)];
  const [x, y] = [Polygon.map((point) => point.X), Polygon.map((point) => point.Y)];
  const [Left, Top] = [Math.min(...x), Math.min(...y)];
  return { BoundingBox: { Left, Top, Width: Math.max(...x) - Left, Height: Math.max(...y) - Top }, Polygon };
}

export function drawPage(scan: Scan = {}): DrawnPage {
  const place = placer(scan);
  const blocks: Block[] = [];
  const children: string[] = [];
  const pageId = `${scan.name ?? "page"}-${scan.page ?? 1}`;
  const add = (type: BlockType, at: Place, relations: Relations = {}, more: Partial<Block> = {}): string => {
    const id = `${pageId}-${blocks.length}`;
    const Relationships = Object.entries(relations).map(([Type, Ids]) => ({ Type: Type as RelationshipType, Ids }));
    blocks.push({
      BlockType: type,
      Id: id,
      Geometry: geometryOf(at, place),
      ...(Relationships.length === 0 ? {} : { Relationships }),
      ...(scan.page === undefined ? {} : { Page: scan.page }),
      ...more,
    });
    return id;
  };
  const whole = { left: 0, top: 0, right: scan.width ?? 8.5, bottom: scan.height ?? 11 };
  add("PAGE", whole, { CHILD: children }, { Id: pageId });

  return {
    blocks,
    line(text, left, top, height = 0.12) {
      let right = left;
      const words = text.split(" ").map((word, index) => {
        const from = right + (index === 0 ? 0 : 0.4 * height);
        right = from + word.length * ADVANCE * height;
        const at = { left: from, top, right, bottom: top + height };
        return add("WORD", at, {}, { Text: word, TextType: "PRINTED", Confidence: 99.123456 - index });
      });
      const at = { left, top, right, bottom: top + height };
      const id = add("LINE", at, { CHILD: words }, { Text: text, Confidence: 98.5 });
      children.push(id);
      return { id, words, place: at };
    },
    block(type, at, relations, more) {
      const id = add(type, at, relations, { Confidence: 90.5, ...more });
      if (type === "TABLE" || type === "KEY_VALUE_SET") children.push(id);
      return id;
    },
    layout(type, ids) {
      const id = add(type, whole, ids.length === 0 ? {} : { CHILD: ids }, { Confidence: 70 });
      children.push(id);
      return id;
    },
  };
}

/** A cell of one row and column with the words of a line. */
export const cell = (
  page: DrawnPage,
  [row, column]: readonly [number, number],
  text?: { words: string[]; place: Place },
  EntityTypes: EntityType[] = [],
): string =>
  page.block(
    "CELL",
    text?.place ?? { left: column, top: row, right: column + 1, bottom: row + 0.2 },
    text === undefined ? {} : { CHILD: text.words },
    {
      RowIndex: row,
      ColumnIndex: column,
      RowSpan: 1,
      ColumnSpan: 1,
      ...(EntityTypes.length > 0 ? { EntityTypes } : {}),
    },
  );

/** The text of each block's lines, in order. */
export const linesOf = ({ page }: OcrPage): string[][] =>
  page.blocks.map((block) => blockLines(block).map((line) => line.words.map((word) => word.text).join(" ")));

export const wordsOf = ({ page }: OcrPage) => pageWords(page);

export const PICTURE = new TextEncoder().encode("a picture");
export const LETTER = { width: 8.5, height: 11 };

export function engineOf(reply: (request: Request) => Answer) {
  const clock = hurriedClock();
  const client = new TextractClient(talkingTo(reply));
  const engine = openTextract({ client, clock, bucket: "documents", jobTimeoutSeconds: 300, random: () => 0.5 });
  const recognize = (image: Partial<OcrImage> = {}, level: OcrLevel = "DEFAULT", time = 60_000) =>
    engine.recognize({ bytes: PICTURE, pageNumber: 1, frame: LETTER, ...image }, level, {
      deadline: clock.now() + time,
    });
  return { engine, clock, recognize };
}

export async function readDrawn(drawn: DrawnPage, level: OcrLevel = "DEFAULT", frame = LETTER): Promise<OcrPage> {
  const { recognize } = engineOf(() => answer({ DocumentMetadata: { Pages: 1 }, Blocks: drawn.blocks }));
  return (await recognize({ frame, pageNumber: 3 }, level)).page;
}
