/** MapReduceCommand: processing of a document in chunks. */
import * as z from "zod";
import type { HeaderSettings, MapReduceSettings } from "../../engine/extraction/chunks/map-reduce-settings.ts";
import type { MemberFault } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { enumeration, integer } from "./common.ts";

const MAX_COUNT = 10_000;

const flag = z.boolean({ error: "must be true or false" }).optional();

const count = (minimum: number) => {
  const error = `must be an integer from ${minimum} to ${MAX_COUNT.toLocaleString("en-US")}`;
  return integer(error, minimum, MAX_COUNT).optional();
};

const text = (max: number) =>
  z
    .string({ error: "must be a string" })
    .max(max, { error: `must be at most ${max.toLocaleString("en-US")} characters` })
    .optional();

const pageIndex = integer("must be a page index: from 0, or negative from the document's end", -1);

const Header = z
  .looseObject({
    enabled: flag,
    pageLimit: count(1).meta({ description: "The first pages are the header's, 1 when absent" }),
    pageIndices: z
      .array(pageIndex, { error: "must be a list of page indices" })
      .max(MAX_COUNT, { error: "must name at most 10,000 pages" })
      .optional()
      .meta({
        description: "The header's pages from 0, negative from the document's end; wins over `pageLimit`",
      }),
    includeInRows: flag.meta({ description: "The header's pages yield records too" }),
    schema: z
      .union([z.string(), z.record(z.string(), z.unknown())], {
        error: "must be a JSON Schema, as an object or as a string",
      })
      .optional()
      .meta({ description: "Of the header alone, as an object or as a string" }),
    schemaFileName: text(1_000).meta({
      description: "The client's own file, whose content is `schema`; not read here",
    }),
    prompt: text(100_000),
    promptFileName: text(1_000).meta({
      description: "The client's own file, whose content is `prompt`; not read here",
    }),
    rowPromptAugmentation: text(100_000).meta({ description: "Put into the prompt of every chunk" }),
  })
  .optional();

export const MapReduceCommand = z
  .looseObject({
    enabled: flag,
    parallelProcessing: flag.meta({
      description: "Several chunks at the same time; one after the other when absent, and with `stopWhenEmpty`",
    }),
    splitType: enumeration(["PAGE", "MARKDOWN_HEADER"]).optional(),
    splitHeaderLevel: integer("must be 1 or 2", 1, 2)
      .optional()
      .meta({ description: "With MARKDOWN_HEADER: headings of this level or above begin a chunk; 2 when absent" }),
    pagesPerChunk: count(1),
    overlapPages: count(0).meta({ description: "Pages that a chunk shares with the one before; needs `dedupKey`" }),
    dedupKey: text(1_000).meta({
      description:
        "What tells records apart: `sku`, `$.sku`, `lineItems.sku`. A record that two chunks give from a page they share is there once, with what either says; a record that says nothing there is the same when all of it is",
    }),
    stopWhenEmpty: flag.meta({
      description: "Ends the run after `emptyChunkGrace` empty chunks in a row and one more",
    }),
    emptyChunkGrace: count(0),
    header: Header,
  })
  .meta({
    description:
      "Extracts a long document chunk by chunk; the result is `{header, records}`, records in the order of the document. The command's `schema` describes one record; a list's schema means its items; so does an object's that holds nothing but one list, or whose list `dedupKey` begins with, and what stands beside that list then goes to `header`. The header has a schema and a prompt of its own; with neither, it is what stands beside the list, or a general result. From each chunk, a list is its records, so is the only list of an object under whatever name, and any other object is one record; a record without a value is none. A chunk that fails makes the run PARTIAL, and `validationErrors` names its pages",
  });
type MapReduceCommand = z.output<typeof MapReduceCommand>;

const filled = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value;

/** Contradictory members; each fault names the member to change. */
export function mapReduceFaults(command: MapReduceCommand): MemberFault[] {
  const faults: MemberFault[] = [];
  const say = (member: string, message: string): void => void faults.push({ path: `/mapReduce/${member}`, message });
  const { splitType = "PAGE", splitHeaderLevel, pagesPerChunk = 1, overlapPages = 0, stopWhenEmpty } = command;
  const dedupKey = filled(command.dedupKey);
  if (splitType === "MARKDOWN_HEADER") {
    if (overlapPages > 0) say("overlapPages", "must be 0 with splitType MARKDOWN_HEADER: only pages overlap");
    if (dedupKey !== undefined) say("dedupKey", "must be left out with splitType MARKDOWN_HEADER");
  } else {
    if (splitHeaderLevel !== undefined) say("splitHeaderLevel", "must be left out with splitType PAGE");
    if (overlapPages >= pagesPerChunk && overlapPages > 0) {
      say("overlapPages", `must be less than pagesPerChunk, which is ${pagesPerChunk}`);
    }
    if (overlapPages > 0 && dedupKey === undefined) say("dedupKey", "must be given where chunks overlap");
  }
  if ((command.emptyChunkGrace ?? 0) > 0 && stopWhenEmpty !== true) {
    say("emptyChunkGrace", "must be left out, or stopWhenEmpty be true");
  }
  return faults;
}

/** The header's schema as sent; undefined when no header is asked for. */
export const headerSchemaOf = (command: MapReduceCommand | undefined): string | Record<string, unknown> | undefined =>
  command?.enabled === true && command.header?.enabled === true ? command.header.schema : undefined;

function headerSettings(header: MapReduceCommand["header"], schema: Json | undefined): HeaderSettings | undefined {
  if (header?.enabled !== true) return undefined;
  const { pageLimit = 1, pageIndices = [], includeInRows = false } = header;
  const prompt = filled(header.prompt);
  const rowPrompt = filled(header.rowPromptAugmentation);
  return {
    pageLimit,
    includeInRows,
    ...(pageIndices.length === 0 ? {} : { pageIndices }),
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(rowPrompt === undefined ? {} : { rowPrompt }),
  };
}

/** @param headerSchema the header's, accepted @returns undefined when map-reduce is not enabled */
export function mapReduceSettings(
  command: MapReduceCommand | undefined,
  headerSchema: Json | undefined,
): MapReduceSettings | undefined {
  if (command?.enabled !== true) return undefined;
  const { splitType = "PAGE", splitHeaderLevel = 2, pagesPerChunk = 1, overlapPages = 0 } = command;
  const { stopWhenEmpty = false, emptyChunkGrace = 0, parallelProcessing = false } = command;
  const dedupKey = filled(command.dedupKey);
  const header = headerSettings(command.header, headerSchema);
  return {
    splitType,
    headerLevel: splitHeaderLevel,
    pagesPerChunk,
    overlapPages,
    stopWhenEmpty,
    grace: emptyChunkGrace,
    parallel: parallelProcessing,
    ...(dedupKey === undefined ? {} : { dedupKey }),
    ...(header === undefined ? {} : { header }),
  };
}
