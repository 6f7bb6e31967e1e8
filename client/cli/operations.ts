/** `sheaf operations`: work on finished jobs, one command for each kind. */
import { type Command, Option } from "commander";
import type { OperationSubmitted, SheafClient } from "../index.ts";
import { addFormOptions, type FormArguments, makeOrApply } from "./acroform.ts";
import { groupOf } from "./common-options.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { promptOf } from "./extraction-options.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { addParameter } from "./operation.ts";
import { addWaitOptions, parseCount, parseGuid, parseSeconds, parseShare, parseWholeNumber } from "./options.ts";
import { type OutcomeOptions, printJson, printResult, waitAndPrint } from "./outcome.ts";
import { startWork } from "./start-work.ts";

interface OperationArguments extends OutcomeOptions {
  guid: string;
  wait: boolean;
  parameter?: Record<string, string>;
  llm?: string;
  batchIndex?: number;
}

interface OwnParameters {
  focusArea?: string[];
  confidenceThreshold?: number;
  detailedSuggestions?: boolean;
  prompt?: string;
  promptFile?: string;
  topK?: number;
  matchMode?: string;
  pageRange?: string;
  useVision?: boolean;
  sourceMap?: string;
  temperature?: number;
  maxTokens?: number;
}

/** Starts an operation; waits for it and prints its result, or prints the answer to its start. @returns the exit code */
async function submit(
  io: Io,
  args: OperationArguments,
  start: (client: SheafClient, signal: AbortSignal) => Promise<OperationSubmitted>,
): Promise<number> {
  const client = connect(io, args);
  const place = `GET /operation/${args.guid}`;
  const submitted = await startWork(io, place, (signal) => start(client, signal));
  const { jobGuid, operationType } = submitted;
  io.stderr.write(`job ${jobGuid}: ${operationType} on ${args.guid}\n`);
  if (args.wait) return waitAndPrint(io, client, jobGuid, args);
  await printJson(io, JSON.stringify(submitted));
  return EXIT_CODES.success;
}

/** Starts an operation of a type with its parameters; those named one by one win. */
const startOf =
  (type: string, args: OperationArguments, own: Record<string, unknown> = {}) =>
  (client: SheafClient, signal: AbortSignal): Promise<OperationSubmitted> => {
    const named = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    const customParameters = { ...args.parameter, ...named };
    const parameters = { llmType: args.llm, customParameters };
    return client.operations.start({ jobGuid: args.guid, type, batchIndex: args.batchIndex, parameters }, { signal });
  };

/** The parameters of each kind, as its options name them. */
const PARAMETERS_OF: Record<string, (io: Io, args: OwnParameters) => Promise<Record<string, unknown>>> = {
  "error-analysis": async (_io, args) => ({
    focus_areas: args.focusArea,
    confidence_threshold: args.confidenceThreshold,
    detailed_suggestions: args.detailedSuggestions,
  }),
  "image-select": async (io, args) => ({
    prompt: await promptOf(io, args),
    topK: args.topK,
    matchMode: args.matchMode,
    pageRange: args.pageRange,
    useVision: args.useVision,
  }),
  "ocr-correct": async (_io, { sourceMap }) => ({ sourceMap }),
};

async function generate(io: Io, args: OperationArguments & OwnParameters): Promise<number> {
  const { temperature, maxTokens } = args;
  const prompt = await promptOf(io, args);
  if (prompt === undefined) throw new UsageError("A generative task needs a prompt: name it, or --prompt-file");
  if (args.batchIndex === undefined) {
    const task = { prompt, model: args.llm, temperature, maxTokens };
    return submit(io, args, (client, signal) => client.operations.generate(args.guid, task, { signal }));
  }
  return submit(io, args, startOf("generative-task", args, { prompt, temperature, maxTokens }));
}

async function list(io: Io, { guid, ...args }: ConnectionArguments & { guid: string }): Promise<number> {
  await printJson(io, JSON.stringify(await connect(io, args).operations.list(guid, { signal: io.signal })));
  return EXIT_CODES.success;
}

/** Prints the newest result of a type on a job, or that of an operation's own job. @returns the exit code */
async function result(
  io: Io,
  { guid, type, ...args }: ConnectionArguments & { guid: string; type: string | undefined; json?: boolean },
): Promise<number> {
  const client = connect(io, args);
  const job = type === undefined ? guid : (await client.operations.read(guid, type, { signal: io.signal })).jobGuid;
  await printResult(io, client, job, args);
  return EXIT_CODES.success;
}

const JOB = ["<guid>", "the finished job", parseGuid] as const;

const addShared = (command: Command, waits = true): Command =>
  addWaitOptions(
    command
      .option("-p, --parameter <name=value>", "another parameter (may be given again)", addParameter)
      .addOption(new Option("--llm <tier>", "the model").choices(["DEFAULT", "MINI", "HIGH", "NANO"]))
      .option("--batch-index <number>", "of a batch: its document, from 0", parseCount),
    "the result",
    { waits },
  );

const addArea = (value: string, before: string[] = []): string[] => [...before, value];

/** Adds the options of one kind. */
const OPTIONS_OF: Record<string, (command: Command) => Command> = {
  "error-analysis": (command) =>
    command
      .description("find values that are doubtful, with suggestions")
      .option("--focus-area <area>", "a field or subject to look at (may be given again)", addArea)
      .option("--confidence-threshold <number>", "values below it are doubtful, from 0 to 1", parseShare)
      .option("--detailed-suggestions", "say more about each"),
  "image-select": (command) =>
    command
      .description("choose the figures that fit a description; the job needs --extract-figures")
      .option("--top-k <number>", "most figures (default: 5)", parseWholeNumber)
      .addOption(new Option("--match-mode <mode>", "all words, or any of them").choices(["all", "any"]))
      .option("--page-range <pages>", "only these pages, such as 1-3,7")
      .option("--use-vision", "have a model look at the figures"),
  "ocr-correct": (command) =>
    command
      .description("correct what was read wrongly, page by page")
      .addOption(new Option("--source-map <kind>", "how places are kept").choices(["preserve", "compress", "none"])),
};

type Given = Omit<OperationArguments, "guid"> & OwnParameters;

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const group = groupOf(program, "operations", "work on finished jobs");
  const submitting = addShared(
    group
      .command("submit")
      .description("start an operation of any type, and print its job; --wait prints the result")
      .argument(...JOB)
      .argument("<type>", "error-analysis, generative-task, image-select, ocr-correct or pdf-acroform"),
    false,
  ).action((guid: string, type: string) =>
    perform((io) => {
      const args = { ...submitting.optsWithGlobals<Given>(), guid };
      return submit(io, args, startOf(type, args));
    }),
  );
  for (const [type, addOptions] of Object.entries(OPTIONS_OF)) {
    const command = addOptions(group.command(type).argument(...JOB));
    if (type === "image-select") addPrompt(command, "what the figures show");
    addShared(command).action((guid: string, prompt: unknown) =>
      perform(async (io) => {
        const args = { ...command.optsWithGlobals<Given>(), guid, ...(typeof prompt === "string" ? { prompt } : {}) };
        return submit(io, args, startOf(type, args, await PARAMETERS_OF[type]?.(io, args)));
      }),
    );
  }
  defineGenerate(group, perform);
  defineForm(group, perform);
  defineReading(group, perform);
}

const addPrompt = (command: Command, what: string): Command =>
  command.argument("[prompt]", what).option("--prompt-file <path>", "a text file with the prompt");

function defineGenerate(group: Command, perform: Perform): void {
  const command = addPrompt(group.command("generative-task").argument(...JOB), "what is wanted")
    .description("have a model write a text about the document and its data")
    .option("--temperature <number>", "0 to 2", parseSeconds)
    .option("--max-tokens <number>", "longest answer", parseWholeNumber);
  addShared(command).action((guid: string, prompt?: string) =>
    perform((io) => {
      const args = command.optsWithGlobals<Given>();
      return generate(io, { ...args, guid, ...(prompt === undefined ? {} : { prompt }) });
    }),
  );
}

function defineForm(group: Command, perform: Perform): void {
  const command = group
    .command("pdf-acroform")
    .description("make a form that people can fill of a job's flat PDF, and save it")
    .argument("<guid>", "the job of the PDF", parseGuid)
    .option(
      "--apply <definitions>",
      "write these reviewed definitions instead, as --definitions saved them; - for standard input",
    )
    .option("--source-operation <guid>", "with --apply: the operation that found the definitions", parseGuid)
    .option("--force-ocr", "read the document anew");
  addFormOptions(command).action((guid: string) =>
    perform((io) => makeOrApply(io, { ...command.optsWithGlobals<Omit<FormArguments, "guid">>(), guid })),
  );
}

function defineReading(group: Command, perform: Perform): void {
  group
    .command("status")
    .description("print the operations on a job, newest first")
    .argument("<guid>", "the job that they are on", parseGuid)
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => list(io, { ...command.optsWithGlobals<ConnectionArguments>(), guid })),
    );
  group
    .command("result")
    .description("print the result of an operation")
    .argument("<guid>", "the operation's own job; with a type, the job that it is on", parseGuid)
    .argument("[type]", "the newest of this type")
    .action((guid: string, type: string | undefined, _options: unknown, command: Command) =>
      perform((io) => result(io, { ...command.optsWithGlobals<ConnectionArguments>(), guid, type })),
    );
}
