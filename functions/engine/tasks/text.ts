import type { DocumentEngine } from "../../ports/engine.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { transcribe } from "../exports/transcription/transcribe.ts";
import { analyzeDocument } from "../extraction/describe/analyze-document.ts";
import { generateSchema } from "../extraction/describe/generate-schema.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import { fillGiven } from "../extraction/rules/given-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { withReason } from "../layout/source-locations.ts";
import { completeDocument, type RecognisedPages } from "../ocr/complete-document.ts";
import { withBarcodes } from "../readers/barcodes/barcode-words.ts";
import { fillCalculated, readCalculatedFields } from "../schema/formulas/calculated-fields.ts";
import { type Answer, toBytes, toJson, writeReading } from "./task.ts";

export interface CompleteTask {
  /** As `read` wrote them. */
  reading: { layout: Uint8Array; quality: Uint8Array };
  recognised: RecognisedPages;
}

export interface TranscribeTask {
  /** A layout as `read` wrote it. */
  layout: Uint8Array;
  format: "plain" | "markdown" | "jsonl";
}

export interface ExtractTask {
  layout: Uint8Array;
  request: Parameters<DocumentEngine["extract"]>[1];
}

export interface DescribeTask {
  layout: Uint8Array;
  request: { what: "analysis" | "schema"; instructions?: string };
}

export const textTasks = {
  async complete({ reading, recognised }: CompleteTask): Answer<"complete"> {
    const quality = JSON.parse(Buffer.from(reading.quality).toString("utf8"));
    return writeReading(completeDocument({ layout: parseLayout(reading.layout), quality }, recognised));
  },

  async transcribe({ layout, format }: TranscribeTask): Answer<"transcribe"> {
    return toBytes(transcribe(parseLayout(layout), format));
  },

  async describe({ layout, request: { what, instructions } }: DescribeTask): Answer<"describe"> {
    const read = parseLayout(layout);
    return toJson(what === "analysis" ? analyzeDocument(read) : generateSchema(read, instructions));
  },

  async extract({ layout, request }: ExtractTask): Answer<"extract"> {
    const read = parseLayout(layout);
    const barcodes = request.barcodes && JSON.parse(Buffer.from(request.barcodes).toString("utf8"));
    const known = barcodes === undefined ? read : withBarcodes(read, barcodes);
    const { result, sources: found, facts } = extractOffline(known, request);
    const asked = request.schema === undefined ? {} : { schema: request.schema };
    const { sources: judged, confidence } = judgeResult({ layout: known, result, sources: found, ...asked });
    const { schema, given } = request;
    const filled = schema === undefined || given === undefined ? [] : fillGiven(result, schema, given);
    const sources = withReason(judged, new Set(filled.map(([pointer]) => pointer)), "derived");
    const calculated = request.schema === undefined ? undefined : readCalculatedFields(request.schema);
    // What it fills is among the unresolved already: the extractor knows which properties it leaves to formulas.
    if (calculated !== undefined && !("faults" in calculated)) fillCalculated(result, calculated);
    const told = filled.length === 0 ? {} : { filled };
    return { result: toJson(result), sources: toJson(sources), facts: { ...facts, confidence }, ...told };
  },
};
