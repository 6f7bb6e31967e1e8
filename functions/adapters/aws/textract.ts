/**
 * Text recognition by Amazon Textract: pictures of pages synchronously, whole PDFs and TIFFs from the bucket
 * asynchronously.
 */
import { createHash } from "node:crypto";
import {
  AnalyzeDocumentCommand,
  DetectDocumentTextCommand,
  type FeatureType,
  GetDocumentAnalysisCommand,
  GetDocumentTextDetectionCommand,
  StartDocumentAnalysisCommand,
  StartDocumentTextDetectionCommand,
  type TextractClient,
} from "@aws-sdk/client-textract";
import type { Clock } from "../../ports/clock.ts";
import { AppError, JOB_SENTENCES, JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import type {
  OcrDocument,
  OcrDocuments,
  OcrEngine,
  OcrFrame,
  OcrImage,
  OcrLevel,
  OcrPage,
  OcrProgress,
  OcrUse,
} from "../../ports/ocr.ts";
import { callPatiently } from "./service-calls.ts";
import {
  DOCUMENT_LIMITS,
  isTransient,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE_PIXELS,
  recognitionFailure,
  tooLarge,
  unknownRecognition,
} from "./textract-errors.ts";
import { readPage } from "./textract-page.ts";
import { type Piece, pollDocument } from "./textract-poll.ts";

export interface TextractOptions {
  client: TextractClient;
  clock: Pick<Clock, "now" | "sleep">;
  /** The bucket of the platform's Blobs, and the prefix of their keys in it. */
  bucket: string;
  keyPrefix?: string;
  /** The limit named in a job's timeout sentence. */
  jobTimeoutSeconds: number;
  /** From 0 to below 1; default Math.random. */
  random?: () => number;
}

const PROVIDER = "textract";
const FEATURES: FeatureType[] = ["LAYOUT", "TABLES", "FORMS"];
/** Prefix of an id: the operation that the service's own id belongs to. */
const RECOGNITION_ID = /^(text|analysis):([a-zA-Z0-9_-]{1,64})$/;

/** Milliseconds, below the timer limit of 2^31. */
const MAX_TIMER_MS = 2_000_000_000;

const useOf = (level: OcrLevel, text: string, analysis: string): Omit<OcrUse, "pages"> =>
  level === "PREMIUM"
    ? { provider: PROVIDER, operation: analysis, features: [...FEATURES] }
    : { provider: PROVIDER, operation: text, features: [] };

class Textract implements OcrEngine {
  readonly name = PROVIDER;
  readonly maxImageBytes = MAX_PICTURE_BYTES;
  readonly maxSide = MAX_PICTURE_SIDE_PIXELS;
  readonly parallel = 4;
  readonly documents: OcrDocuments = {
    ...DOCUMENT_LIMITS,
    start: (document, limits) => this.#start(document, limits),
    poll: (id, frames, limits, cursor) => this.#poll(id, frames, limits, cursor),
  };
  readonly #options: TextractOptions;

  constructor(options: TextractOptions) {
    this.#options = options;
  }

  async recognize(
    { bytes, pageNumber, frame }: OcrImage,
    level: OcrLevel,
    limits: WorkLimits,
  ): Promise<{ page: OcrPage; use: OcrUse }> {
    if (bytes.length === 0) throw new JobFailure(JOB_SENTENCES.corrupted);
    if (bytes.length > MAX_PICTURE_BYTES) throw tooLarge();
    const { client } = this.#options;
    const Document = { Bytes: bytes };
    const { Blocks = [], DocumentMetadata } = await this.#call(limits, (options) =>
      level === "PREMIUM"
        ? client.send(new AnalyzeDocumentCommand({ Document, FeatureTypes: FEATURES }), options)
        : client.send(new DetectDocumentTextCommand({ Document }), options),
    );
    const use = useOf(level, "DetectDocumentText", "AnalyzeDocument");
    return { page: readPage(Blocks, frame, pageNumber), use: { ...use, pages: DocumentMetadata?.Pages ?? 1 } };
  }

  async #start({ blobKey, level, token }: OcrDocument, limits: WorkLimits): Promise<string> {
    const { client, bucket, keyPrefix = "" } = this.#options;
    const request = {
      DocumentLocation: { S3Object: { Bucket: bucket, Name: `${keyPrefix}${blobKey}` } },
      // The service takes 64 letters, digits, hyphens and underscores.
      ClientRequestToken: createHash("sha256").update(token).digest("hex"),
    };
    const { JobId } = await this.#call(limits, (options) =>
      level === "PREMIUM"
        ? client.send(new StartDocumentAnalysisCommand({ ...request, FeatureTypes: FEATURES }), options)
        : client.send(new StartDocumentTextDetectionCommand(request), options),
    );
    if (JobId === undefined) throw new AppError("InternalServerError", "Text recognition gave no id");
    return `${level === "PREMIUM" ? "analysis" : "text"}:${JobId}`;
  }

  async #poll(id: string, frames: readonly OcrFrame[], limits: WorkLimits, cursor?: string): Promise<OcrProgress> {
    const [, kind, JobId] = RECOGNITION_ID.exec(id) ?? [];
    if (JobId === undefined) throw unknownRecognition();
    const { client } = this.#options;
    const level = kind === "analysis" ? "PREMIUM" : "DEFAULT";
    const get = (token?: string): Promise<Piece> => {
      const request = { JobId, ...(token === undefined ? {} : { NextToken: token }) };
      return this.#call(limits, (options) =>
        level === "PREMIUM"
          ? client.send(new GetDocumentAnalysisCommand(request), options)
          : client.send(new GetDocumentTextDetectionCommand(request), options),
      );
    };
    return pollDocument(id, get, frames, useOf(level, "StartDocumentTextDetection", "StartDocumentAnalysis"), cursor);
  }

  /** One call with all its attempts, all before the deadline. */
  async #call<T>({ deadline }: WorkLimits, send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const { clock, random, jobTimeoutSeconds } = this.#options;
    const late = (cause?: unknown) => new JobFailure(timeoutSentence(jobTimeoutSeconds), { cause });
    if (clock.now() > deadline) throw late();
    const patience = { clock, deadline, ...(random === undefined ? {} : { random }) };
    // Timers take whole milliseconds.
    const left = () => Math.min(Math.max(Math.ceil(deadline - clock.now()), 1), MAX_TIMER_MS);
    try {
      return await callPatiently(() => send({ abortSignal: AbortSignal.timeout(left()) }), patience, isTransient);
    } catch (error) {
      // Only our deadline aborts a request.
      throw error instanceof Error && error.name === "AbortError" ? late(error) : recognitionFailure(error);
    }
  }
}

/** The engine keeps no state between calls: its ids and cursors hold everything it needs to continue. */
export const openTextract = (options: TextractOptions): OcrEngine & { documents: OcrDocuments } =>
  new Textract(options);
