import type { Command } from "commander";
import { connect } from "./connection.ts";
import type { Io, Perform } from "./io.ts";
import { DEFAULT_TIMEOUT_SECONDS, parseGuid, parseSeconds } from "./options.ts";
import { type OutcomeOptions, waitAndPrint } from "./outcome.ts";

export interface WaitArguments extends OutcomeOptions {
  guid: string;
}

/** Waits for a job and prints its result. @returns the exit code */
export async function run(io: Io, args: WaitArguments): Promise<number> {
  return waitAndPrint(io, connect(io, args, true), args.guid, args);
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("wait")
    .description("wait for a job and print its result")
    .argument("<guid>", "the job", parseGuid)
    .option("--source-locations", "print {result, sourceLocations}: each value's place in the document")
    .option("--timeout <seconds>", "longest wait", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<WaitArguments, "guid">>(), guid })),
    );
}
