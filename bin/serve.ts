/** `sheaf serve`: the service on this machine, as `npm start` runs it in the repository. */
import { isatty } from "node:tty";
import type { Command } from "commander";
import { EXIT_CODES, type Io, type Perform, UsageError } from "../client/cli/io.ts";

export interface ServeArguments {
  port?: string;
  data?: string;
}

/**
 * Gives the signals that the command line has taken back to the service, which has handlers of its own. It ends with its
 * terminal; without one, as under nohup, a hang-up stays without effect.
 */
export function releaseSignals(process: NodeJS.EventEmitter, hasTerminal: boolean): void {
  for (const name of ["SIGINT", "SIGTERM"]) process.removeAllListeners(name);
  if (hasTerminal) process.removeAllListeners("SIGHUP");
}

/**
 * Starts the service in this process, which it ends itself. @returns the exit code of the start
 * @throws UsageError for a port that is none
 */
export async function run(_io: Io, { port, data }: ServeArguments): Promise<number> {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new UsageError("--port must be a port, 0 to 65535; 0 is any free one");
  }
  if (port !== undefined) process.env.PORT = port;
  if (data !== undefined) process.env.SHEAF_DATA_DIR = data;
  releaseSignals(process, [0, 1, 2].some(isatty));
  await import("./local.ts");
  return EXIT_CODES.success;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("serve")
    .description("run the service on this machine until Ctrl-C; settings are environment variables")
    .option("--port <number>", "where it listens (default: PORT, else 3000)")
    .option("--data <folder>", "where it keeps its data (default: SHEAF_DATA_DIR, else .sheaf)")
    .action((options: ServeArguments) => perform((io) => run(io, options)));
}
