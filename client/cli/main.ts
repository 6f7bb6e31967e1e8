import { Command, CommanderError } from "commander";
import * as acroform from "./acroform.ts";
import * as batch from "./batch.ts";
import * as billing from "./billing.ts";
import * as cases from "./cases.ts";
import * as configuration from "./configuration.ts";
import { DEFAULT_API_URL, DEFAULT_RECONNECT_SECONDS } from "./connection.ts";
import * as evaluation from "./eval.ts";
import * as image from "./image.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import * as keys from "./keys.ts";
import * as knowledgeBase from "./knowledge-base.ts";
import * as mcp from "./mcp.ts";
import * as ocrOnly from "./ocr-only.ts";
import * as operation from "./operation.ts";
import { parseSeconds } from "./options.ts";
import * as processing from "./process.ts";
import * as provider from "./provider.ts";
import * as quote from "./quote.ts";
import { report } from "./report.ts";
import * as result from "./result.ts";
import * as status from "./status.ts";
import * as template from "./template.ts";
import * as wait from "./wait.ts";

const COMMANDS = [
  processing,
  ocrOnly,
  batch,
  status,
  result,
  image,
  operation,
  acroform,
  configuration,
  cases,
  knowledgeBase,
  provider,
  template,
  quote,
  billing,
  keys,
  wait,
  mcp,
  evaluation,
];

const EXIT_CODES_HELP = `
Data goes to standard output (JSON, or the text of a document), everything else to standard error.

Exit codes:
  0    success
  1    the job is FAILED or CANCELLED, the service refused, or a threshold of eval was not reached; standard error says it
  2    wrong usage; nothing was sent
  3    the time for waiting was over; the job goes on, and \`sheaf wait GUID\` too
  4    the service is not reachable
  5    the job is PARTIAL, or files of a batch were refused: the result was printed, but it is incomplete
  130  interrupted by Ctrl-C (143: by SIGTERM)`;

/** A module with one or several commands. */
export interface CommandModule {
  define(program: Command, perform: Perform): void;
}

/**
 * The command line: parses the arguments (without node and script) and runs the command.
 * @param more commands besides those that only need the service
 * @returns the exit code
 */
export async function runCommandLine(
  io: Io,
  argv: readonly string[],
  version: string,
  more: readonly CommandModule[] = [],
): Promise<number> {
  let exitCode: number = EXIT_CODES.success;
  let printed: Promise<void> = Promise.resolve();
  const program = new Command("sheaf")
    .description("Data out of documents, from the Sheaf service.")
    .version(version)
    .option("--api-url <url>", `where the service is (default: SHEAF_API_URL, else ${DEFAULT_API_URL})`)
    .option("--token <key>", "the API key (default: SHEAF_TOKEN; a service on this machine: sheaf-local)")
    .option(
      "--reconnect <seconds>",
      `how long a service that restarts is waited for (default: ${DEFAULT_RECONNECT_SECONDS})`,
      parseSeconds,
    )
    .addHelpText("afterAll", EXIT_CODES_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        printed = printed.then(() => io.stdout.write(text));
      },
      writeErr: (text) => io.stderr.write(text),
    });
  const perform: Perform = async (run) => {
    exitCode = await run(io);
  };
  for (const { define } of [...COMMANDS, ...more]) define(program, perform);
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    await printed;
    // Commander has already printed the error, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usage;
    return report(io, error);
  }
}
