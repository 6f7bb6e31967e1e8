/**
 * Reads the blocks of a long document, several pages at a time. Textract answers in pieces of up to 1,000 blocks that
 * break anywhere, also inside a page; the blocks of one page are together, page after page. A cursor holds the first
 * undelivered page and the piece in which it begins.
 */
import type { Block, JobStatus, Warning } from "@aws-sdk/client-textract";
import { AppError, JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { OcrFrame, OcrPage, OcrProgress, OcrUse } from "../../ports/ocr.ts";
import { openCursor, sealCursor } from "../cursor.ts";
import { failedRecognition } from "./textract-errors.ts";
import { readPage } from "./textract-page.ts";

/** The common answer of GetDocumentTextDetection and GetDocumentAnalysis. */
export interface Piece {
  JobStatus?: JobStatus | undefined;
  StatusMessage?: string | undefined;
  DocumentMetadata?: { Pages?: number | undefined } | undefined;
  Blocks?: Block[] | undefined;
  NextToken?: string | undefined;
  Warnings?: Warning[] | undefined;
}

/** Pieces of one poll, unless a single page is larger: about a second, and tens of pages. */
const PIECES_PER_POLL = 10;

interface Position {
  /** First undelivered page, from 1. */
  page: number;
  /** Token of the piece in which it begins; absent: the first piece. */
  token?: string;
  /** Earlier pages that were missing. */
  unread: number[];
}

interface Gathered {
  /** Blocks by page, in order. */
  pages: Map<number, Block[]>;
  /** Token of the piece in which each page begins. */
  tokens: Map<number, string | undefined>;
  last: Piece;
  unread: Set<number>;
}

const outOfOrder = (): AppError =>
  new AppError("InternalServerError", "Text recognition answered with pages out of their order");

function openPosition(id: string, cursor: string | undefined): Position {
  if (cursor === undefined) return { page: 1, unread: [] };
  return JSON.parse(openCursor(["textract", id], cursor)) as Position;
}

/** Assigns a piece's blocks to their pages. @param latest page of the last block before this piece */
function addPiece(piece: Piece, token: string | undefined, from: Position, gathered: Gathered, latest: number): number {
  let current = latest;
  for (const block of piece.Blocks ?? []) {
    const page = block.Page ?? 1;
    // The first piece starts with the end of pages that were delivered before.
    if (page < from.page && current < from.page) continue;
    if (page < current) throw outOfOrder();
    current = page;
    const blocks = gathered.pages.get(page);
    if (blocks !== undefined) blocks.push(block);
    else {
      gathered.pages.set(page, [block]);
      gathered.tokens.set(page, token);
    }
  }
  for (const warning of piece.Warnings ?? []) for (const page of warning.Pages ?? []) gathered.unread.add(page);
  return current;
}

/** Reads pieces until the last one, or until there are enough and a page is complete. */
async function gatherPieces(get: (token?: string) => Promise<Piece>, first: Piece, from: Position): Promise<Gathered> {
  const gathered: Gathered = { pages: new Map(), tokens: new Map(), last: first, unread: new Set(from.unread) };
  let latest = addPiece(first, from.token, from, gathered, 0);
  for (let pieces = 1; ; pieces += 1) {
    const token = gathered.last.NextToken;
    // A page is complete when a block of a later page is present.
    if (token === undefined || (pieces >= PIECES_PER_POLL && gathered.pages.size > 1)) return gathered;
    gathered.last = await get(token);
    latest = addPiece(gathered.last, token, from, gathered, latest);
  }
}

function readPages(numbers: readonly number[], { pages }: Gathered, frames: readonly OcrFrame[]): OcrPage[] {
  return numbers.map((number) => {
    const frame = frames[number - 1];
    // Two readers count the document's pages differently: it is damaged.
    if (frame === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
    return readPage(pages.get(number) ?? [], frame, number);
  });
}

/** Pages from `from` to before `end` without a block. */
const absentPages = ({ pages }: Gathered, from: number, end: number): number[] =>
  Array.from({ length: Math.max(end - from, 0) }, (_, index) => from + index).filter((page) => !pages.has(page));

const ascending = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

/**
 * Polls a document's recognition once.
 * @param get fetches a piece; without a token, the first one
 * @param use cost of the whole document, its pages not yet counted
 * @throws JobFailure when the recognition failed; BadRequest for another document's cursor
 */
export async function pollDocument(
  id: string,
  get: (token?: string) => Promise<Piece>,
  frames: readonly OcrFrame[],
  use: Omit<OcrUse, "pages">,
  cursor: string | undefined,
): Promise<OcrProgress> {
  const from = openPosition(id, cursor);
  const first = await get(from.token);
  if (first.JobStatus === "IN_PROGRESS") return { status: "running" };
  if (first.JobStatus === "FAILED") throw failedRecognition(first.StatusMessage);

  const gathered = await gatherPieces(get, first, from);
  const numbers = ascending(gathered.pages.keys());
  if (gathered.last.NextToken === undefined) {
    const total = gathered.last.DocumentMetadata?.Pages ?? numbers.at(-1) ?? from.page - 1;
    const unread = ascending(new Set([...gathered.unread, ...absentPages(gathered, from.page, total + 1)]));
    return {
      status: "done",
      pages: readPages(numbers, gathered, frames),
      unread,
      use: { ...use, pages: Math.max(total - unread.length, 0) },
    };
  }
  const next = numbers.at(-1) ?? from.page;
  const token = gathered.tokens.get(next);
  const position: Position = {
    page: next,
    unread: ascending(new Set([...gathered.unread, ...absentPages(gathered, from.page, next)])),
    ...(token === undefined ? {} : { token }),
  };
  return {
    status: "reading",
    pages: readPages(numbers.slice(0, -1), gathered, frames),
    use,
    cursor: sealCursor(["textract", id], JSON.stringify(position)),
  };
}
