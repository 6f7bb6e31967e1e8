/**
 * Amazon Textract on this machine: the service's JSON protocol in front of an engine that reads the same pictures, and
 * textract-analysis.ts for an analysis. Documents come from the bucket, are IN_PROGRESS at the first poll, and are
 * returned in parts that break inside pages, like the service's.
 */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Block, RelationshipType } from "@aws-sdk/client-textract";
import sharp from "sharp";
import { overlapShare } from "../../functions/engine/layout/geometry.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { SAME_PLACE_OVERLAP_SHARE } from "../../functions/engine/layout/word-places.ts";
import { pagePicture } from "../../functions/engine/readers/page-pictures.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import type { Box, Word } from "../../functions/ports/layout.ts";
import type { OcrEngine, OcrFrame } from "../../functions/ports/ocr.ts";
import { analyse, findSquares, type MakeBlock } from "./textract-analysis.ts";

export interface TextractStub {
  url: string;
  /** Names of the requested operations, in order. */
  asked: string[];
  close(): Promise<void>;
}

export interface TextractStubOptions {
  engine: OcrEngine;
  getObject(bucket: string, key: string): Promise<Uint8Array>;
}

interface Request {
  FeatureTypes?: string[];
  Document?: { Bytes: string };
  DocumentLocation?: { S3Object: { Bucket: string; Name: string } };
  JobId?: string;
  NextToken?: string;
}

interface Job {
  pages: Promise<Block[][]>;
  looked: boolean;
}

const PDF = "application/pdf";
/** The service returns 1,000 blocks; fewer make more parts. */
const BLOCKS_PER_PART = 25;
/** The usual resolution of pictures. */
const PICTURE_DPI = 200;

/**
 * A box around rotated text and the text's own corners, clockwise from its top left, like the service's.
 * @param angle degrees clockwise; near 45 and 135 the box does not determine the corners, and is used instead
 */
function geometryOf({ left, top, right, bottom }: Box, angle: number, frame: OcrFrame) {
  const [width, height] = [right - left, bottom - top];
  const turn = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  // width = w·|cos| + h·|sin| and height = w·|sin| + h·|cos|, solved for the text's own w and h.
  const determinant = cosine ** 2 - sine ** 2;
  const own = (first: number, second: number) => (first * Math.abs(cosine) - second * Math.abs(sine)) / determinant;
  const isTold = Math.abs(determinant) > 0.2;
  const [w, h] = isTold ? [own(width, height), own(height, width)] : [width, height];
  const corner = (x: number, y: number) => ({
    X: ((left + right) / 2 + (isTold ? x * cosine - y * sine : x)) / frame.width,
    Y: ((top + bottom) / 2 + (isTold ? x * sine + y * cosine : y)) / frame.height,
  });
  return {
    BoundingBox: {
      Left: left / frame.width,
      Top: top / frame.height,
      Width: width / frame.width,
      Height: height / frame.height,
    },
    Polygon: [corner(-w / 2, -h / 2), corner(w / 2, -h / 2), corner(w / 2, h / 2), corner(-w / 2, h / 2)],
  };
}

async function frameOf(bytes: Uint8Array): Promise<OcrFrame> {
  const { width, height } = await sharp(bytes).metadata();
  return { width: width / PICTURE_DPI, height: height / PICTURE_DPI };
}

async function bodyOf(request: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

export async function startTextractStub({ engine, getObject }: TextractStubOptions): Promise<TextractStub> {
  const jobs = new Map<string, Job>();
  const asked: string[] = [];
  let made = 0;

  async function readPicture(bytes: Uint8Array, Page: number, isAnalysis: boolean): Promise<Block[]> {
    const limits = { deadline: Date.now() + 120_000 };
    const frame = await frameOf(bytes);
    const { page: recognised } = await engine.recognize({ bytes, pageNumber: Page, frame }, "DEFAULT", limits);
    const { page } = recognised;
    const id = (kind: string, index: number): string => `${kind}-${Page}-${index}`;
    const geometry = (box: Box) => geometryOf(box, recognised.angle, frame);
    const squares = isAnalysis ? await findSquares(bytes, PICTURE_DPI) : [];
    // The service tells a box from letters.
    const words = pageWords(page).filter(
      (word) => !squares.some(({ box }) => overlapShare(box, word.box) >= SAME_PLACE_OVERLAP_SHARE),
    );
    const lines = page.blocks
      .flatMap((block) => (block.kind === "table" ? [] : block.lines))
      .filter((line) => line.words.some((word) => words.includes(word)));
    const idOf = (word: Word): string => id("word", words.indexOf(word));
    const wordBlocks = words.map(
      (word, index): Block => ({
        BlockType: "WORD",
        Id: id("word", index),
        Text: word.text,
        Confidence: 100 * (word.confidence ?? 1),
        Page,
        Geometry: geometry(word.box),
      }),
    );
    const lineBlocks = lines.map(
      (line, index): Block => ({
        BlockType: "LINE",
        Id: id("line", index),
        Text: line.words.map(({ text }) => text).join(" "),
        Confidence: 99,
        Page,
        Geometry: geometry(line.box),
        Relationships: [{ Type: "CHILD", Ids: line.words.filter((word) => words.includes(word)).map(idOf) }],
      }),
    );
    const make: MakeBlock = (BlockType, box, relations = {}, more = {}) => {
      made += 1;
      const Relationships = Object.entries(relations).map(([Type, Ids]) => ({ Type: Type as RelationshipType, Ids }));
      return { BlockType, Id: id("made", made), Page, Confidence: 95, Geometry: geometry(box), Relationships, ...more };
    };
    const analysed = isAnalysis
      ? analyse({
          page,
          squares,
          idOf,
          lineIdOf: (line) => id("line", lines.indexOf(line)),
          make,
        })
      : [];
    const whole = geometryOf({ left: 0, top: 0, right: frame.width, bottom: frame.height }, 0, frame);
    const children = lineBlocks.map(({ Id = "" }) => Id);
    const pageBlock: Block = {
      BlockType: "PAGE",
      Id: id("page", 0),
      Page,
      Geometry: whole,
      ...(children.length > 0 ? { Relationships: [{ Type: "CHILD", Ids: children }] } : {}),
    };
    return [pageBlock, ...lineBlocks, ...wordBlocks, ...analysed];
  }

  async function readDocument(bucket: string, key: string, isAnalysis: boolean): Promise<Block[][]> {
    const bytes = await getObject(bucket, key);
    const count = await withPdf(bytes, ({ pageCount }) => pageCount);
    const pages: Block[][] = [];
    for (let index = 0; index < count; index += 1) {
      const picture = await pagePicture(bytes, PDF, index, { dpi: PICTURE_DPI, format: "png", gray: true });
      pages.push(await readPicture(picture.bytes, index + 1, isAnalysis));
    }
    return pages;
  }

  const operations: Record<string, (request: Request) => Promise<unknown>> = {
    async DetectDocumentText({ Document, FeatureTypes = [] }) {
      const Blocks = await readPicture(Buffer.from(Document?.Bytes ?? "", "base64"), 1, FeatureTypes.length > 0);
      return { DocumentMetadata: { Pages: 1 }, Blocks };
    },
    async StartDocumentTextDetection({ DocumentLocation, FeatureTypes = [] }) {
      const JobId = `job${jobs.size + 1}`;
      const { Bucket = "", Name = "" } = DocumentLocation?.S3Object ?? {};
      const pages = readDocument(Bucket, Name, FeatureTypes.length > 0);
      pages.catch(() => undefined);
      jobs.set(JobId, { pages, looked: false });
      return { JobId };
    },
    async GetDocumentTextDetection({ JobId = "", NextToken }) {
      const job = jobs.get(JobId);
      if (job === undefined) throw new Error(`There is no ${JobId}`);
      if (!job.looked) {
        job.looked = true;
        return { JobStatus: "IN_PROGRESS" };
      }
      const pages = await job.pages;
      const blocks = pages.flat();
      const from = Number(NextToken ?? 0);
      return {
        JobStatus: "SUCCEEDED",
        DocumentMetadata: { Pages: pages.length },
        Blocks: blocks.slice(from, from + BLOCKS_PER_PART),
        ...(from + BLOCKS_PER_PART < blocks.length ? { NextToken: String(from + BLOCKS_PER_PART) } : {}),
      };
    },
  };
  operations.AnalyzeDocument = operations.DetectDocumentText as (request: Request) => Promise<unknown>;
  operations.StartDocumentAnalysis = operations.StartDocumentTextDetection as (request: Request) => Promise<unknown>;
  operations.GetDocumentAnalysis = operations.GetDocumentTextDetection as (request: Request) => Promise<unknown>;

  const server = createServer(async (request, response) => {
    const name = String(request.headers["x-amz-target"] ?? "").split(".")[1] ?? "";
    asked.push(name);
    try {
      const answer = await operations[name]?.(await bodyOf(request));
      response.writeHead(answer === undefined ? 400 : 200, { "Content-Type": "application/x-amz-json-1.1" });
      response.end(JSON.stringify(answer ?? { __type: "UnknownOperationException", message: name }));
    } catch (error) {
      response.writeHead(400, { "Content-Type": "application/x-amz-json-1.1" });
      response.end(JSON.stringify({ __type: "BadDocumentException", message: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
