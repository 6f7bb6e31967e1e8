/** `sheaf process-map-reduce`: data out of a long document, chunk by chunk. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { connect } from "./connection.ts";
import { readText } from "./document.ts";
import { addExtractionOptions, addSourceLocations, commandOf } from "./extraction-options.ts";
import { type Io, type Perform, UsageError } from "./io.ts";
import { addWaitOptions, parseCount, parseJsonObject, parseWholeNumber } from "./options.ts";
import { type ProcessArguments, processDocument } from "./process.ts";

interface MapReduceArguments extends ProcessArguments {
  pagesPerChunk?: number;
  overlap: number;
  dedupKey?: string;
  splitType: "page" | "markdown-header";
  splitHeaderLevel?: 1 | 2;
  headerPageLimit?: number;
  headerIncludeInRows?: boolean;
  headerRowPromptAugmentation?: string;
  headerSchema?: string;
  headerSchemaFile?: string;
  headerPrompt?: string;
  headerPromptFile?: string;
  /** From 0; -1 is the last page. */
  headerPageIndex?: number[];
  stopWhenEmpty?: boolean;
  emptyChunkGrace?: number;
  parallel?: boolean;
}

const WIRE_SPLIT_TYPES = { page: "PAGE", "markdown-header": "MARKDOWN_HEADER" } as const;

/** @throws UsageError for options that contradict each other */
function checkSplit({ splitType, overlap, ...args }: MapReduceArguments): void {
  const { dedupKey, splitHeaderLevel, pagesPerChunk = 1, emptyChunkGrace = 0 } = args;
  const refuse = (message: string): never => {
    throw new UsageError(message);
  };
  if (splitType === "markdown-header") {
    if (overlap > 0) refuse("--overlap goes with --split-type page: only pages overlap");
    if (dedupKey !== undefined) refuse("--dedup-key goes with --split-type page");
  } else {
    if (splitHeaderLevel !== undefined) refuse("--split-header-level needs --split-type markdown-header");
    if (overlap >= pagesPerChunk && overlap > 0) {
      refuse(`--overlap must be less than --pages-per-chunk, which is ${pagesPerChunk}`);
    }
    if (overlap > 0 && dedupKey === undefined) refuse("--overlap needs --dedup-key: what tells rows apart");
  }
  if (emptyChunkGrace > 0 && args.stopWhenEmpty !== true) refuse("--empty-chunk-grace needs --stop-when-empty");
}

/** The header's own settings; undefined when no option names any. @throws UsageError */
async function headerOf(io: Io, args: MapReduceArguments): Promise<object | undefined> {
  const { headerSchemaFile, headerPromptFile } = args;
  const schema = headerSchemaFile === undefined ? args.headerSchema : await readText(io, headerSchemaFile);
  if (schema !== undefined) parseJsonObject(schema, `The schema in ${headerSchemaFile ?? "--header-schema"}`);
  const header = {
    pageLimit: args.headerPageLimit,
    pageIndices: args.headerPageIndex,
    includeInRows: args.headerIncludeInRows,
    rowPromptAugmentation: args.headerRowPromptAugmentation,
    schema,
    prompt: headerPromptFile === undefined ? args.headerPrompt : await readText(io, headerPromptFile),
  };
  return Object.values(header).some((value) => value !== undefined) ? { enabled: true, ...header } : undefined;
}

async function run(io: Io, args: MapReduceArguments): Promise<number> {
  checkSplit(args);
  const client = connect(io, args);
  const mapReduce = {
    enabled: true,
    splitType: WIRE_SPLIT_TYPES[args.splitType],
    splitHeaderLevel: args.splitHeaderLevel,
    pagesPerChunk: args.pagesPerChunk,
    overlapPages: args.overlap,
    dedupKey: args.dedupKey,
    stopWhenEmpty: args.stopWhenEmpty,
    emptyChunkGrace: args.emptyChunkGrace,
    parallelProcessing: args.parallel,
    header: await headerOf(io, args),
  };
  return processDocument(io, client, { ...(await commandOf(io, args)), mapReduce }, args);
}

/** @throws InvalidArgumentError */
function addPageIndex(value: string, before: number[] = []): number[] {
  if (!/^(?:\d{1,4}|-1)$/.test(value)) {
    throw new InvalidArgumentError("It is a page's index: from 0, or -1 for the last page.");
  }
  return [...before, Number(value)];
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
    .command("process-map-reduce")
    .description("extract the rows of a long document chunk by chunk, and print them as one list")
    .argument("<file>", "the document; - for standard input");
  addSourceLocations(addExtractionOptions(command))
    .option("--pages-per-chunk <number>", "pages of a chunk (default: 1)", parseWholeNumber)
    .option("--overlap <number>", "pages that a chunk shares with the one before; needs --dedup-key", parseCount, 0)
    .option("--dedup-key <path>", "what tells rows apart where chunks overlap, such as sku or $.sku")
    .addOption(
      new Option("--split-type <type>", "where a chunk ends").choices(Object.keys(WIRE_SPLIT_TYPES)).default("page"),
    )
    .addOption(
      new Option("--split-header-level <level>", "headings of this level or above begin a chunk (default: 2)")
        .choices(["1", "2"])
        .argParser(parseLevel),
    )
    .option("--stop-when-empty", "stop at a chunk without rows")
    .option("--empty-chunk-grace <number>", "chunks without rows that are passed over before", parseCount)
    .option("--parallel", "work on several chunks at once");
  addHeaderOptions(command);
  addWaitOptions(command, "the result").action((file: string) =>
    perform((io) => run(io, { ...command.optsWithGlobals<Omit<MapReduceArguments, "file">>(), file })),
  );
}

/** @throws InvalidArgumentError */
function parseLevel(value: string): 1 | 2 {
  if (value !== "1" && value !== "2") throw new InvalidArgumentError("It is 1 or 2.");
  return value === "1" ? 1 : 2;
}

function addHeaderOptions(command: Command): void {
  command
    .option("--header-page-limit <number>", "the first pages are the header's", parseWholeNumber)
    .option(
      "--header-page-index <index>",
      "a page of the header, from 0; -1 is the last (again for more)",
      addPageIndex,
    )
    .option("--header-include-in-rows", "the header's pages have rows too")
    .option("--header-row-prompt-augmentation <text>", "put into the prompt of every chunk")
    .option("--header-schema <json>", "JSON Schema of the header alone")
    .addOption(new Option("--header-schema-file <path>", "a file with it").conflicts("headerSchema"))
    .option("--header-prompt <text>", "what to extract of the header, in words")
    .addOption(new Option("--header-prompt-file <path>", "a file with it").conflicts("headerPrompt"));
}
