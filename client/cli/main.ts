import { CommanderError, type OutputConfiguration } from "commander";
import { paintFor, takesColors } from "./colors.ts";
import { type CommonArguments, commonArgumentsOf, worldOf } from "./common-options.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { buildProgram, type CommandModule } from "./program.ts";
import { report } from "./report.ts";

export type { CommandModule } from "./program.ts";

/**
 * The command line: parses the arguments (without node and script) and runs the command.
 * @param io the world as commands see it
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
  let common: CommonArguments = {};
  const perform: Perform = async (run) => {
    const world = await worldOf(io, common);
    exitCode = await run(world.io);
    await world.finish();
  };
  const output: OutputConfiguration = {
    writeOut: (text) => {
      printed = printed.then(() => io.stdout.write(text));
    },
    writeErr: (text) => io.stderr.write(text),
    outputError: (text, write) => write(paintFor(io.stderr, io.env).red(text)),
    getOutHasColors: () => takesColors(io.stdout, io.env),
    getErrHasColors: () => takesColors(io.stderr, io.env),
  };
  const program = buildProgram(perform, { version, more, output }).hook("preAction", (_program, command) => {
    common = commonArgumentsOf(command);
  });
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
