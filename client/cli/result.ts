import { type Command, Option } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { parseGuid } from "./options.ts";
import { type PrintOptions, printResult } from "./outcome.ts";

export interface ResultArguments extends ConnectionArguments, PrintOptions {
  guid: string;
  /** Print the main table as CSV, or write all tables as a workbook. */
  csv?: boolean;
  excel?: boolean;
  /** The file that standard output goes to. */
  output?: string;
}

/** Prints the current result of a job. @returns the exit code */
export async function run(io: Io, args: ResultArguments): Promise<number> {
  const { guid, output } = args;
  const { signal } = io;
  const client = connect(io, args);
  if (args.excel === true) {
    if (output === undefined) throw new UsageError("A workbook goes to a file: name it with --output FILE.xlsx");
    await io.stdout.write(await client.resultExcel(guid, { signal }));
  } else if (args.csv === true) await io.stdout.write(await client.resultCsv(guid, { signal }));
  else await printResult(io, client, guid, args);
  return EXIT_CODES.success;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("result")
    .description("print a job's result: JSON indented, a text as it is; or its table")
    .argument("<guid>", "the job", parseGuid)
    .option("--json", "print a text as a JSON string")
    .option("--source-locations", "print {result, sourceLocations}: each value's place in the document")
    .addOption(new Option("--csv", "the main table of the data as CSV").conflicts(["json", "sourceLocations", "excel"]))
    .addOption(
      new Option("--excel", "all tables of the data as a workbook; needs --output").conflicts([
        "json",
        "sourceLocations",
      ]),
    )
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<ResultArguments, "guid">>(), guid })),
    );
}
