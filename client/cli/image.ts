import { type Command, InvalidArgumentError, Option } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { parseGuid, parseWholeNumber } from "./options.ts";

export interface ImageArguments extends ConnectionArguments {
  guid: string;
  /** From 1. */
  page: number;
  output: string;
  locations?: boolean;
  pointer?: string[];
  run?: number;
  rendered?: "office";
}

/** Saves a page as a picture. @returns the exit code */
export async function run(io: Io, args: ImageArguments): Promise<number> {
  const { guid, page, output, locations = false, pointer: pointers = [], rendered } = args;
  if (!locations && (pointers.length > 0 || args.run !== undefined)) {
    throw new UsageError("--pointer and --run are of a picture with --locations");
  }
  if (locations && rendered !== undefined) throw new UsageError("--rendered goes without --locations");
  const options = { locations, pointers, rendered, run: args.run, signal: io.signal };
  const picture = await connect(io, args).pageImage(guid, page - 1, options);
  if (output === "-") await io.stdout.write(picture);
  else {
    await io.write(output, picture);
    io.stderr.write(`page ${page}: ${output}, ${picture.length} bytes\n`);
  }
  return EXIT_CODES.success;
}

function addPointer(value: string, before: string[] = []): string[] {
  if (!value.startsWith("/")) throw new InvalidArgumentError("It is a JSON Pointer such as /lines/0/amount.");
  return [...before, value];
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("image")
    .description("save a page as a PNG, as a viewer shows it")
    .argument("<guid>", "the job", parseGuid)
    .argument("<page>", "the page's number, from 1", parseWholeNumber)
    .requiredOption("-o, --output <file>", "where the picture goes; - for standard output")
    .option("--locations", "draw the places on it that the values were read from")
    .option("--pointer <pointer>", "only this value (may be given again); * is any one index or member", addPointer)
    .addOption(
      new Option("--rendered <program>", "draw a Word, Excel or PowerPoint page as LibreOffice shows it").choices([
        "office",
      ]),
    )
    .option("--run <number>", "the run whose values are drawn (default: the newest finished one)", parseWholeNumber)
    .action((guid: string, page: number, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<ImageArguments, "guid" | "page">>(), guid, page })),
    );
}
