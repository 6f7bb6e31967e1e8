/** Recognition of whole documents, started and asked again, against answers drawn after Textract's response objects. */
import { createHash } from "node:crypto";
import { type Block, TextractClient } from "@aws-sdk/client-textract";
import { describe, expect, it } from "vitest";
import { openTextract } from "../../../../functions/adapters/aws/textract.ts";
import type { OcrFrame, OcrPage, OcrProgress } from "../../../../functions/ports/ocr.ts";
import { type Answer, answer, hurriedClock, type Request, refusal, script, talkingTo, turn } from "./json-exchange.ts";
import { drawPage, linesOf } from "./textract.support.ts";

const JOB = "270c1cc5e1d0ea2fbc59d97cb69a72a5495da75851976b14a1784ca90fc180e3";
const LETTER = { width: 8.5, height: 11 };
const FEATURES = ["LAYOUT", "TABLES", "FORMS"];

function engineOf(reply: (request: Request) => Answer, keyPrefix?: string) {
  const clock = hurriedClock();
  const client = new TextractClient(talkingTo(reply));
  const engine = openTextract({
    client,
    clock,
    bucket: "documents",
    jobTimeoutSeconds: 300,
    random: () => 0.5,
    ...(keyPrefix === undefined ? {} : { keyPrefix }),
  });
  const limits = { deadline: clock.now() + 60_000 };
  return {
    clock,
    start: (level: "DEFAULT" | "PREMIUM") =>
      engine.documents.start({ blobKey: "org/1/jobs/g/source", level, token: "org/1/job/g/run/1" }, limits),
    poll: (frames: OcrFrame[] = [LETTER], cursor?: string, id = `text:${JOB}`) =>
      engine.documents.poll(id, frames, limits, cursor),
  };
}

/** Blocks of pages with texts like `page 3 line 0`. */
const pagesOf = (numbers: number[], lines = 3): Block[] =>
  numbers.flatMap((number) => {
    const drawn = drawPage({ page: number });
    for (let line = 0; line < lines; line += 1) drawn.line(`page ${number} line ${line}`, 1, 1 + line * 0.15);
    return drawn.blocks;
  });

/** Answers a recognition's blocks in pieces of `size`, split anywhere; tokens point to the next piece. */
function pieces(blocks: Block[], size: number, pages: number, more: Record<string, unknown> = {}) {
  const asked: (string | undefined)[] = [];
  const reply = ({ body }: Request): Answer => {
    const token = body.NextToken as string | undefined;
    asked.push(token);
    const start = Number(token?.split("-")[1] ?? 0);
    const next = start + size < blocks.length ? { NextToken: `piece-${start + size}` } : {};
    const metadata = { DocumentMetadata: { Pages: pages }, JobStatus: "SUCCEEDED", ...more };
    return answer({ ...metadata, Blocks: blocks.slice(start, start + size), ...next });
  };
  return { reply, asked };
}

const pagesIn = (progress: OcrProgress): OcrPage[] => (progress.status === "running" ? [] : progress.pages);

describe("documents.start", () => {
  const DocumentLocation = { S3Object: { Bucket: "documents", Name: "blobs/org/1/jobs/g/source" } };
  const ClientRequestToken = createHash("sha256").update("org/1/job/g/run/1").digest("hex");

  it("starts the requested features from the bucket, with an idempotency token", async () => {
    const requests: Request[] = [];
    const { start } = engineOf((request) => {
      requests.push(request);
      return answer({ JobId: JOB });
    }, "blobs/");
    expect(await start("DEFAULT")).toBe(`text:${JOB}`);
    expect(await start("PREMIUM")).toBe(`analysis:${JOB}`);
    // The service's pattern for tokens.
    expect(ClientRequestToken).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(requests).toEqual([
      { operation: "StartDocumentTextDetection", body: { DocumentLocation, ClientRequestToken } },
      {
        operation: "StartDocumentAnalysis",
        body: { DocumentLocation, ClientRequestToken, FeatureTypes: FEATURES },
      },
    ]);
  });

  it("waits while too many documents are being processed, then reports it", async () => {
    const full = engineOf(() => refusal("LimitExceededException", "Open jobs exceed maximum concurrent job limit"));
    await expect(full.start("DEFAULT")).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      retryable: true,
      retryAfter: 30,
    });
    expect(full.clock.slept).toHaveLength(5);
  });

  it("refuses documents and requests like a single picture", async () => {
    for (const [error, expected] of [
      ["UnsupportedDocumentException", { message: "Processing failed: Document format not supported" }],
      ["BadDocumentException", { message: "Processing failed: Document appears to be corrupted" }],
      ["DocumentTooLargeException", { message: "Processing failed: Document is too large for text recognition" }],
      ["InvalidS3ObjectException", { kind: "InternalServerError", retryable: false }],
      ["IdempotentParameterMismatchException", { kind: "InternalServerError", retryable: false }],
      ["AccessDeniedException", { kind: "InternalServerError", retryable: false }],
    ] as const) {
      await expect(engineOf(() => refusal(error)).start("DEFAULT")).rejects.toMatchObject(expected);
    }
    for (const nothing of [{}, { JobId: null }]) {
      await expect(engineOf(() => answer(nothing)).start("DEFAULT")).rejects.toMatchObject({
        kind: "InternalServerError",
      });
    }
  });
});

describe("documents.poll", () => {
  it("reports a running recognition, then returns all pages at once when they are few", async () => {
    const blocks = pagesOf([1, 2]);
    const { reply, done } = script([
      turn("GetDocumentTextDetection", { JobId: JOB }, answer({ JobStatus: "IN_PROGRESS" })),
      turn(
        "GetDocumentTextDetection",
        { JobId: JOB },
        answer({
          JobStatus: "SUCCEEDED",
          DocumentMetadata: { Pages: 2 },
          Blocks: blocks,
          NextToken: null,
          Warnings: null,
        }),
      ),
    ]);
    const { poll } = engineOf(reply);
    const frames = [LETTER, { width: 11, height: 8.5, rotation: 90 as const }];
    expect(await poll(frames)).toEqual({ status: "running" });
    const progress = await poll(frames);
    done();
    expect(progress).toMatchObject({
      status: "done",
      unread: [],
      use: { provider: "textract", operation: "StartDocumentTextDetection", features: [], pages: 2 },
    });
    const pages = pagesIn(progress);
    expect(pages.map(({ page }) => [page.number, page.width, page.height, page.rotation])).toEqual([
      [1, 8.5, 11, 0],
      [2, 11, 8.5, 90],
    ]);
    expect(pages.map((page) => linesOf(page).flat()[2])).toEqual(["page 1 line 2", "page 2 line 2"]);
  });

  it("fetches an analysis when one was started", async () => {
    const done = answer({ JobStatus: "SUCCEEDED", DocumentMetadata: { Pages: 1 }, Blocks: pagesOf([1]) });
    const { reply, done: asked } = script([turn("GetDocumentAnalysis", { JobId: JOB }, done)]);
    const progress = await engineOf(reply).poll([LETTER], undefined, `analysis:${JOB}`);
    expect(progress).toMatchObject({ use: { operation: "StartDocumentAnalysis", features: FEATURES, pages: 1 } });
    asked();
  });

  it("joins pages that are split over pieces, whatever their size", async () => {
    const blocks = pagesOf([1, 2, 3], 2);
    for (const size of [4, 7, 11, 23, 1000]) {
      const { reply } = pieces(blocks, size, 3);
      const progress = await engineOf(reply).poll([LETTER, LETTER, LETTER]);
      const lines = pagesIn(progress).map((page) => linesOf(page).flat());
      expect(lines).toEqual([1, 2, 3].map((page) => [0, 1].map((line) => `page ${page} line ${line}`)));
    }
  });

  it("returns a long document several pages at a time, each once, and the same pages when asked again", async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    const frames = numbers.map(() => LETTER);
    // 16 blocks a page: pieces break inside pages, and ten of them hold some six pages.
    const { reply, asked } = pieces(pagesOf(numbers), 10, 40);
    const { poll } = engineOf(reply);
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let looks = 1; ; looks += 1) {
      asked.length = 0;
      const progress = await poll(frames, cursor);
      expect(await poll(frames, cursor)).toEqual(progress);
      expect(asked.length).toBeLessThanOrEqual(22);
      expect(pagesIn(progress).every((page) => linesOf(page).flat().length === 3)).toBe(true);
      seen.push(...pagesIn(progress).map(({ page }) => page.number));
      if (progress.status === "done") {
        expect(looks).toBeGreaterThan(4);
        expect(progress.use.pages).toBe(40);
        break;
      }
      cursor = progress.status === "reading" ? progress.cursor : undefined;
    }
    expect(seen).toEqual(numbers);
  });

  it("reads on until a page is complete, however large it is", async () => {
    const { reply, asked } = pieces(pagesOf([1, 2], 60), 10, 2);
    const first = await engineOf(reply).poll([LETTER, LETTER]);
    expect(first.status).toBe("reading");
    expect(pagesIn(first).map((page) => linesOf(page).flat().length)).toEqual([60]);
    expect(asked.length).toBeGreaterThan(20);
  });

  it("names unreadable pages, and does not count them", async () => {
    const numbers = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const more = { JobStatus: "PARTIAL_SUCCESS", Warnings: [{ ErrorCode: "BAD_PAGE", Pages: [13] }] };
    const { reply } = pieces(pagesOf(numbers), 10, 13, more);
    const frames = Array.from({ length: 13 }, () => LETTER);
    const { poll } = engineOf(reply);
    let progress = await poll(frames);
    while (progress.status === "reading") progress = await poll(frames, progress.cursor);
    expect(progress).toMatchObject({ status: "done", unread: [3, 13], use: { pages: 11 } });
  });

  it("notices missing pages without a warning", async () => {
    const { reply } = pieces(pagesOf([1, 3]), 1000, 4);
    const progress = await engineOf(reply).poll([LETTER, LETTER, LETTER, LETTER]);
    expect(progress).toMatchObject({ unread: [2, 4], use: { pages: 2 } });
  });

  it("fails with the sentence of the document's fault", async () => {
    for (const [StatusMessage, sentence] of [
      ["UNSUPPORTED_DOCUMENT_TYPE", "Document format not supported"],
      ["INVALID_IMAGE_TYPE", "Document format not supported"],
      ["PDF_PASSWORD_PROTECTED", "Document is password protected"],
      ["BAD_DOCUMENT", "Document appears to be corrupted"],
      ["DOCUMENT_TOO_LARGE", "Document is too large for text recognition"],
      ["INTERNAL_ERROR", "Text extraction failed"],
      [undefined, "Text extraction failed"],
      [null, "Text extraction failed"],
    ]) {
      const { poll } = engineOf(() => answer({ JobStatus: "FAILED", StatusMessage }));
      await expect(poll()).rejects.toMatchObject({ name: "JobFailure", message: `Processing failed: ${sentence}` });
    }
  });

  it("fails when the page counts differ, or pages come out of order", async () => {
    const { reply } = pieces(pagesOf([1, 2]), 1000, 2);
    const corrupted = "Processing failed: Document appears to be corrupted";
    await expect(engineOf(reply).poll([LETTER])).rejects.toMatchObject({ message: corrupted });
    const mixed = pieces(pagesOf([2, 1]), 5, 2);
    await expect(engineOf(mixed.reply).poll([LETTER, LETTER])).rejects.toMatchObject({ kind: "InternalServerError" });
  });

  it("refuses foreign ids and cursors", async () => {
    const { poll } = engineOf(pieces(pagesOf([1, 2], 60), 10, 2).reply);
    const progress = await poll([LETTER, LETTER]);
    const cursor = progress.status === "reading" ? progress.cursor : "";
    await expect(poll([LETTER, LETTER], cursor, `text:${"0".repeat(64)}`)).rejects.toMatchObject({
      kind: "BadRequest",
    });
    await expect(poll([LETTER], "nonsense")).rejects.toMatchObject({ kind: "BadRequest" });
    for (const id of ["", JOB, `other:${JOB}`, "text:", `text:${JOB}/..`]) {
      await expect(poll([LETTER], undefined, id)).rejects.toMatchObject({ kind: "NotFound" });
    }
    const expired = engineOf(() => refusal("InvalidJobIdException"));
    await expect(expired.poll()).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("waits while the service is busy", async () => {
    const busy = [refusal("ProvisionedThroughputExceededException"), refusal("ThrottlingException")];
    const { poll, clock } = engineOf(() => busy.shift() ?? answer({ JobStatus: "IN_PROGRESS" }));
    expect(await poll()).toEqual({ status: "running" });
    expect(clock.slept).toEqual([150, 300]);
  });
});
