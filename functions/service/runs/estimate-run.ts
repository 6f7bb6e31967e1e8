/** What a run may cost: measured on its document where that is quick, else by the size of the document. */
import { measureTask } from "../../engine/tasks/measure.ts";
import { AppError } from "../../ports/errors.ts";
import type { LlmTier } from "../../ports/llm.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { PDF } from "../../ports/media-types.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import { OCR_KEYS } from "../../ports/own-providers.ts";
import { type Prices, type Quote, quoteOf, type WorkSizes } from "../billing/quote.ts";
import { providerPageRate, tierRate } from "../billing/rate.ts";
import type { Organization } from "../organizations/organization.ts";
import type { RunEstimates } from "../organizations/run-estimates.ts";
import type { JobRecord } from "./job-records.ts";
import type { RunCommand } from "./run-command.ts";

/** A document that a run would read. */
export interface QuotedDocument {
  mimeType: string;
  /** Bytes. */
  size: number;
  pageCount?: number | null | undefined;
  /** Documents that these are the sums of; default 1. */
  documents?: number;
  /** Loads its content; absent: only its size is known. */
  load?: () => Promise<Uint8Array | undefined>;
}

/** Largest document that is measured, in bytes, and the time for it: a request waits for it. */
const MAX_MEASURED_BYTES = 4_000_000;
const MEASURE_MS = 8_000;
/** Bytes of a page where pages were not counted: of a text half a page of it, of an Office document with its markup. */
const TEXT_BYTES_A_PAGE = 2_500;
const OFFICE_BYTES_A_PAGE = 15_000;
/** Tokens of a page of unknown text, in the prompt and in the answer: of a full one, and at the median. */
const PAGE_TOKENS = { expected: 700, most: 4_000 };
/** Tokens of a request besides pages and schema: the instructions. */
const INSTRUCTION_TOKENS = 450;
/** Tokens of an answer of unknown length. */
const ANSWER_TOKENS = 600;
/** Facts of a model that this process does not know: no estimate depends much on them. */
const USUAL_FACTS = { contextTokens: 128_000, answerTokens: 16_000 };
/** A second look at every page, with more care. */
const MOST_LOOKS = 2;

const NO_REQUESTS = { content: 0, prompts: 0, answer: 0, requests: 0, looks: 0 };

/** Requests that a run makes of each part of its document, and the parts that share the instructions. */
interface Plan {
  /** How often the whole document is read. */
  readings: number;
  /** Requests of one reading. */
  parts: number;
}

/** Nodes of a pipeline that ask a model about the document. */
const ASKING_NODES = new Set(["extract", "operation", "ocr_correct", "ocr-correct"]);

interface PricedNode {
  type?: unknown;
  llm?: { tier?: unknown };
  llm_tier?: unknown;
}

const nowIso = ({ engines }: Organization): string => new Date(engines.clock.now()).toISOString();

/** True where the organization's own providers read all pages of a run: AUTO may ask both keys. */
function readsByOwn({ ocr, providers }: Pick<RunCommand, "providers"> & { ocr?: OcrMode }): boolean {
  const keys = ocr === "AUTO" ? OCR_KEYS : ([ocr === "PREMIUM" ? "PREMIUM" : "DEFAULT"] as const);
  return keys.every((key) => providers?.ocr?.[key] !== undefined);
}

/** Nodes of a pipeline that ask the service's own model about the document. */
function askingNodes({ pipeline, providers }: Pick<RunCommand, "pipeline" | "providers">): number {
  const { nodes = [] } = (pipeline ?? {}) as { nodes?: PricedNode[] };
  const isOwn = ({ llm_tier: beside, llm }: PricedNode): boolean => {
    const tier = String(llm?.tier ?? beside ?? "default").toUpperCase() as LlmTier;
    return providers?.llm?.[tier] !== undefined;
  };
  return nodes.filter((node) => ASKING_NODES.has(String(node.type).toLowerCase()) && !isOwn(node)).length;
}

/** True for a run that asks the service's own model, where there is one. */
function asksService(command: PricedCommand): boolean {
  const { mode, operation, llm = "DEFAULT", providers } = command;
  if (mode === "OCR" || operation?.withoutModel === true) return false;
  return mode === "PIPELINE" ? askingNodes(command) > 0 : providers?.llm?.[llm] === undefined;
}

type PricedCommand = Pick<RunCommand, "llm" | "mode" | "operation" | "pipeline" | "providers"> & { ocr?: OcrMode };

export function pricesOf(org: Organization, command: PricedCommand): Prices {
  const { rates, elsewhere } = org.config.billing;
  const tierName = command.llm ?? "DEFAULT";
  // An operation works on what was read before; one that reads anew is a READ_OPERATION.
  const isUnread = command.mode === "OPERATION" || readsByOwn(command);
  const ocr = isUnread ? "" : (elsewhere?.ocr ?? org.engines.ocr?.name ?? "");
  const hasModel = elsewhere !== undefined || org.engines.model !== null;
  const asks = hasModel && asksService(command);
  const at = nowIso(org);
  return {
    tier: asks ? tierRate(rates, tierName, at) : 0,
    page: ocr === "" ? 0 : providerPageRate(rates, ocr, at),
    tierName,
    ocr,
  };
}

const pagesOf = ({ mimeType, size, pageCount }: QuotedDocument, { pageRange }: RunCommand): number => {
  const byBytes = mimeType.startsWith("text/") ? TEXT_BYTES_A_PAGE : OFFICE_BYTES_A_PAGE;
  const counted = pageCount ?? (mimeType.startsWith("image/") ? 1 : Math.ceil(size / byBytes));
  return Math.max(1, Math.min(counted, pageRange?.length ?? counted));
};

function planOf(command: RunCommand, pages: number): Plan {
  const { mode, mapReduce } = command;
  if (mode === "PIPELINE") return { readings: askingNodes(command), parts: 1 };
  if (mode !== "MAP_REDUCE") return { readings: 1, parts: 1 };
  const { pagesPerChunk = 1, overlapPages = 0 } = mapReduce ?? {};
  const step = Math.max(1, pagesPerChunk - overlapPages);
  return { readings: pagesPerChunk / step, parts: Math.ceil(pages / step) + (mapReduce?.header ? 1 : 0) };
}

/** Tokens of what each request says besides the pages; a schema stands in it once. */
const askedTokens = ({ schema, prompt, pipeline }: RunCommand): number =>
  INSTRUCTION_TOKENS +
  estimateTokens(prompt ?? "") +
  (schema === undefined ? 0 : estimateTokens(JSON.stringify(schema))) +
  (pipeline === undefined ? 0 : estimateTokens(JSON.stringify(pipeline)));

/** Sizes by the document's size alone. */
function coarseSizes(document: QuotedDocument, command: RunCommand): WorkSizes {
  const { documents = 1 } = document;
  const pages = pagesOf(document, command);
  const { readings, parts } = planOf(command, pages);
  const isPicture = document.mimeType.startsWith("image/");
  const mayNeed = command.ocr === "NONE" ? 0 : isPicture || document.mimeType === PDF ? pages : 0;
  const text = readings * pages;
  return {
    recognised: { expected: isPicture ? mayNeed : 0, most: mayNeed * MOST_LOOKS },
    requests: readings === 0 ? 0 : Math.max(documents, parts) * Math.max(1, readings),
    prompts: readings === 0 ? 0 : askedTokens(command) * Math.max(documents, parts) * Math.max(1, readings),
    looks: 0,
    answers: readings === 0 ? 0 : ANSWER_TOKENS * documents,
    content: ANSWER_TOKENS * documents,
    unread: { expected: text * PAGE_TOKENS.expected, most: text * PAGE_TOKENS.most },
  };
}

async function measure(org: Organization, bytes: Uint8Array, command: RunCommand, asks: boolean) {
  const { mimeType, ocr, pageRange, schema, prompt, extraction: mode } = command;
  const facts =
    org.config.billing.elsewhere === undefined ? org.engines.model?.facts(command.llm ?? "DEFAULT") : undefined;
  const request = {
    facts: facts ?? USUAL_FACTS,
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(mode === undefined ? {} : { mode }),
  };
  const options = { mimeType, ocr, ...(pageRange === undefined ? {} : { pageRange }) };
  try {
    const payload = { bytes, options, ...(asks ? { request } : {}) };
    return await org.engines.documents.run(measureTask, payload, { deadline: org.engines.clock.now() + MEASURE_MS });
  } catch (error) {
    // The run will say what is wrong with the document.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Sizes measured on the document; undefined where it cannot be measured, or not in time. */
async function measuredSizes(
  org: Organization,
  document: QuotedDocument,
  command: RunCommand,
  asks: boolean,
): Promise<WorkSizes | undefined> {
  if (document.load === undefined || document.size > MAX_MEASURED_BYTES || command.hasPassword === true)
    return undefined;
  const bytes = await document.load();
  const found = bytes && (await measure(org, bytes, command, asks));
  if (found === undefined || (asks && found.requests === undefined)) return undefined;
  const { pages, pending, requests = NO_REQUESTS } = found;
  const { readings, parts } = planOf(command, pages);
  const overhead = Math.max(0, requests.prompts - requests.content);
  const unread = readings * pending;
  return {
    recognised: { expected: pending, most: pending * MOST_LOOKS },
    requests: Math.max(requests.requests, parts) * Math.max(1, Math.ceil(readings)),
    prompts: Math.ceil(readings * requests.content) + overhead * parts * Math.max(1, Math.ceil(readings)),
    looks: Math.ceil(readings * requests.looks),
    answers: Math.ceil(requests.answer * Math.max(1, readings)),
    content: Math.ceil(readings * requests.content),
    unread: { expected: unread * PAGE_TOKENS.expected, most: unread * PAGE_TOKENS.most },
  };
}

/** Quotes a run of a document. Work that costs nothing is not measured. */
export async function quoteRun(org: Organization, document: QuotedDocument, command: RunCommand): Promise<Quote> {
  const prices = pricesOf(org, command);
  if (prices.tier === 0 && prices.page === 0) return quoteOf(coarseSizes(document, command), prices);
  const measured = await measuredSizes(org, document, command, prices.tier > 0);
  return quoteOf(measured ?? coarseSizes(document, command), prices);
}

/** The document of a job, or all documents of a batch, for a quote. */
export function quotedDocumentOf(org: Organization, { source, documents }: JobRecord): QuotedDocument {
  if (documents !== undefined) {
    const { total, pages = 0, bytes = 0, mimeType = PDF } = documents;
    return { mimeType, size: bytes, pageCount: Math.max(total, pages), documents: total };
  }
  const { mimeType, size, pageCount, key } = source;
  return { mimeType, size, pageCount, load: () => org.blobs.get(key) };
}

/** The upper bound of a run's tokens. */
async function upperBoundOf(org: Organization, job: JobRecord, command: RunCommand): Promise<number> {
  const { load, ...document } = quotedDocumentOf(org, job);
  // What an operation reads was made by a run before.
  const known = load === undefined || command.mode === "OPERATION" ? document : { ...document, load };
  return (await quoteRun(org, known, command)).upperBound;
}

export const runEstimates: RunEstimates = {
  upperBound: (org, job, command) => upperBoundOf(org as Organization, job as JobRecord, command as RunCommand),
};
