/** The program with all commands, as commander parses it. */
import { Command, type OutputConfiguration } from "commander";
import * as acroform from "./acroform.ts";
import * as batch from "./batch.ts";
import * as billing from "./billing.ts";
import * as cases from "./cases.ts";
import { paintFor } from "./colors.ts";
import { addCommonOptions } from "./common-options.ts";
import * as completion from "./completion.ts";
import * as configuration from "./configuration.ts";
import * as configure from "./configure.ts";
import { DEFAULT_API_URL, DEFAULT_RECONNECT_SECONDS } from "./connection.ts";
import * as doctor from "./doctor.ts";
import * as evaluation from "./eval.ts";
import * as image from "./image.ts";
import type { Perform } from "./io.ts";
import * as keys from "./keys.ts";
import * as knowledgeBase from "./knowledge-base.ts";
import * as mapReduce from "./map-reduce.ts";
import * as mcp from "./mcp.ts";
import * as ocrOnly from "./ocr-only.ts";
import * as operation from "./operation.ts";
import * as operations from "./operations.ts";
import { parseSeconds } from "./options.ts";
import * as pipeline from "./pipeline.ts";
import * as processing from "./process.ts";
import * as provider from "./provider.ts";
import * as quote from "./quote.ts";
import * as result from "./result.ts";
import * as status from "./status.ts";
import * as template from "./template.ts";
import * as wait from "./wait.ts";

const ALWAYS = paintFor({ isTTY: true }, {});

/** In the order of the help. */
const COMMANDS = [
  configure,
  doctor,
  processing,
  mapReduce,
  ocrOnly,
  batch,
  status,
  wait,
  result,
  image,
  pipeline,
  operations,
  operation,
  acroform,
  configuration,
  template,
  cases,
  knowledgeBase,
  provider,
  quote,
  billing,
  keys,
  mcp,
  evaluation,
  completion,
];

export const EXIT_CODES_HELP = `
Data goes to standard output (JSON, or the text of a document; a table on a terminal), everything else to standard error.

Exit codes:
  0    success
  1    the job is FAILED or CANCELLED, the service refused, or a threshold of eval was not reached; standard error says it
  2    wrong usage; nothing was sent
  3    the time for waiting was over; the job goes on, and \`sheaf wait GUID\` too
  4    the service is not reachable
  5    the job is PARTIAL, or files of a batch were refused: the result was printed, but it is incomplete
  6    the service has no such job, template, case or other thing
  7    there are no prepaid tokens left
  130  interrupted by Ctrl-C (143: by SIGTERM)`;

/** A module with one or several commands. */
export interface CommandModule {
  define(program: Command, perform: Perform): void;
}

export interface ProgramOptions {
  version: string;
  /** Commands besides those that only need the service. */
  more?: readonly CommandModule[];
  /** Where help and errors of usage go. */
  output: OutputConfiguration;
}

/** Makes the program. @param perform runs a command once its arguments are parsed */
export function buildProgram(perform: Perform, { version, more = [], output }: ProgramOptions): Command {
  const program = new Command("sheaf")
    // Commands take both from the program when they are made.
    .exitOverride()
    .configureOutput(output)
    // Commander takes the style out again where the output takes no colours.
    .configureHelp({ styleTitle: ALWAYS.bold })
    .description("Data out of documents, from the Sheaf service.")
    .version(version)
    .option(
      "--api-url <url>",
      `where the service is (default: SHEAF_API_URL, else as configured, else ${DEFAULT_API_URL})`,
    )
    .option("--token <key>", "the API key (default: SHEAF_TOKEN, else as configured; on this machine: sheaf-local)")
    .option(
      "--reconnect <seconds>",
      `how long a service that restarts is waited for (default: ${DEFAULT_RECONNECT_SECONDS})`,
      parseSeconds,
    )
    .addHelpText("afterAll", EXIT_CODES_HELP);
  for (const { define } of [...COMMANDS, ...more]) define(program, perform);
  addCommonOptions(program);
  return program;
}
