import type { Command } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { parseGuid } from "./options.ts";
import { printJson } from "./outcome.ts";

/** Prints a job's status record, whatever the status. @returns the exit code */
export async function run(io: Io, args: ConnectionArguments & { guid: string }): Promise<number> {
  const job = await connect(io, args).status(args.guid, { signal: io.signal });
  await printJson(io, JSON.stringify(job));
  return EXIT_CODES.success;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("status")
    .description("print a job's status record; exit code 0 whatever the status is")
    .argument("<guid>", "the job", parseGuid)
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<ConnectionArguments>(), guid })),
    );
}
