/** `sheaf operation` and `sheaf generate`: work on finished jobs. */
import { type Command, InvalidArgumentError } from "commander";
import { connect } from "./connection.ts";
import type { Io, Perform } from "./io.ts";
import { DEFAULT_TIMEOUT_SECONDS, parseCount, parseGuid, parseSeconds, parseWholeNumber } from "./options.ts";
import { type OutcomeOptions, waitAndPrint } from "./outcome.ts";
import { startWork } from "./start-work.ts";

export interface OperationArguments extends OutcomeOptions {
  guid: string;
  type: string;
  parameter?: Record<string, string>;
  llm?: string;
  batchIndex?: number;
}

export interface GenerateArguments extends OutcomeOptions {
  guid: string;
  prompt: string;
  llm?: string;
  temperature?: number;
  maxTokens?: number;
}

/** Starts an operation, waits for it and prints its result. @returns the exit code */
export async function run(io: Io, args: OperationArguments): Promise<number> {
  const client = connect(io, args);
  const operation = {
    jobGuid: args.guid,
    type: args.type,
    batchIndex: args.batchIndex,
    parameters: { llmType: args.llm, customParameters: args.parameter },
  };
  const { jobGuid } = await startWork(io, `GET /operation/${args.guid}`, (signal) =>
    client.operations.start(operation, { signal }),
  );
  io.stderr.write(`job ${jobGuid}: ${args.type} on ${args.guid}\n`);
  return waitAndPrint(io, client, jobGuid, args);
}

/** Generates a text about a job, waits for it and prints the result. @returns the exit code */
export async function generate(io: Io, args: GenerateArguments): Promise<number> {
  const client = connect(io, args);
  const { prompt, llm, temperature, maxTokens } = args;
  const task = { prompt, model: llm, temperature, maxTokens };
  const { jobGuid } = await startWork(io, `GET /operation/${args.guid}`, (signal) =>
    client.operations.generate(args.guid, task, { signal }),
  );
  io.stderr.write(`job ${jobGuid}: generative-task on ${args.guid}\n`);
  return waitAndPrint(io, client, jobGuid, args);
}

/** Collects `name=value` options. @throws InvalidArgumentError */
export function addParameter(value: string, before: Record<string, string> = {}): Record<string, string> {
  const at = value.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is name=value, such as topK=3.");
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("operation")
    .description("work on a finished job: error-analysis, image-select, ocr-correct, generative-task, pdf-acroform")
    .argument("<guid>", "the job", parseGuid)
    .argument("<type>", "the operation")
    .option("-p, --parameter <name=value>", "a parameter of it (may be given again)", addParameter)
    .option("--llm <tier>", "DEFAULT, MINI, HIGH or NANO")
    .option("--batch-index <number>", "of a batch: its document, from 0", parseCount)
    .option("--timeout <seconds>", "longest wait", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .action((guid: string, type: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<OperationArguments, "guid" | "type">>(), guid, type })),
    );
  program
    .command("generate")
    .description("have a model write a text about a finished job")
    .argument("<guid>", "the job", parseGuid)
    .argument("<prompt>", "what is wanted")
    .option("--llm <tier>", "DEFAULT, MINI, HIGH or NANO")
    .option("--temperature <number>", "0 to 2", parseSeconds)
    .option("--max-tokens <number>", "longest answer", parseWholeNumber)
    .option("--timeout <seconds>", "longest wait", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .action((guid: string, prompt: string, _options: unknown, command: Command) =>
      perform((io) =>
        generate(io, { ...command.optsWithGlobals<Omit<GenerateArguments, "guid" | "prompt">>(), guid, prompt }),
      ),
    );
}
