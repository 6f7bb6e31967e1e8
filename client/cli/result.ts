import type { Command } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT, type Io, type Perform } from "./io.ts";
import { guid as guidArgument } from "./options.ts";
import { type PrintOptions, printResult } from "./outcome.ts";

export interface ResultArguments extends ConnectionArguments, PrintOptions {
  guid: string;
}

/** Prints the result that a job has now. @returns the exit code */
export async function run(io: Io, args: ResultArguments): Promise<number> {
  await printResult(io, connect(io, args), args.guid, args);
  return EXIT.success;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("result")
    .description("print a job's result: JSON indented, a text as it is")
    .argument("<guid>", "the job", guidArgument)
    .option("--json", "print a text as a JSON string")
    .option("--source-locations", "print {result, sourceLocations}: each value's place in the document")
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<ResultArguments, "guid">>(), guid })),
    );
}
