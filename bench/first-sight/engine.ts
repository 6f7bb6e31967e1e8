/** The engine that is measured: that of this checkout, or that of another one, with its own way to read and extract. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { type BenchReader, openBenchReader } from "../offline/reading.ts";
import { extractSure, type SureExtraction } from "../offline/sure.ts";

type Extract = (layout: Layout, schema: Json) => SureExtraction;

export interface MeasuredEngine {
  /** Words for the report. */
  name: string;
  reader: BenchReader;
  extract: Extract;
}

/** A checkout's helpers of the bench; they import the `functions` beside them. */
async function helpersOf(checkout: string): Promise<{ openBenchReader: typeof openBenchReader; extractSure: Extract }> {
  const load = async (file: string): Promise<object> =>
    (await import(pathToFileURL(path.resolve(checkout, "bench/offline", file)).href)) as object;
  return { ...(await load("reading.ts")), ...(await load("sure.ts")) } as {
    openBenchReader: typeof openBenchReader;
    extractSure: Extract;
  };
}

/**
 * Opens an engine; its reader is to be closed.
 * @param checkout folder of another commit with its packages installed; undefined for this one
 * @param recognise false leaves pictures empty
 */
export async function openEngine(recognise: boolean, checkout?: string): Promise<MeasuredEngine> {
  if (checkout === undefined) return { name: "this engine", reader: openBenchReader(recognise), extract: extractSure };
  const helpers = await helpersOf(checkout);
  return { name: `engine of ${checkout}`, reader: helpers.openBenchReader(recognise), extract: helpers.extractSure };
}
