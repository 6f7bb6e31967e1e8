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
  /** Write the result to this file instead of standard output. */
  output?: string;
}

/** Prints or writes the current result of a job. @returns the exit code */
export async function run(io: Io, args: ResultArguments): Promise<number> {
  const { guid, output } = args;
  const { signal } = io;
  const client = connect(io, args);
  if (args.excel === true) {
    if (output === undefined) throw new UsageError("A workbook goes to a file: name it with --output FILE.xlsx");
    await io.write(output, await client.resultExcel(guid, { signal }));
  } else if (args.csv === true) {
    const csv = await client.resultCsv(guid, { signal });
    if (output === undefined) await io.stdout.write(new TextDecoder().decode(csv));
    else await io.write(output, csv);
  } else {
    await printTo(io, output, (to) => printResult(to, client, guid, args));
  }
  return EXIT_CODES.success;
}

/** Writes to a file, if one is named, once the output is complete. */
async function printTo(io: Io, output: string | undefined, print: (io: Io) => Promise<void>): Promise<void> {
  if (output === undefined) return print(io);
  let printed = "";
  const stdout = {
    write: async (text: string) => {
      printed += text;
    },
  };
  await print({ ...io, stdout });
  await io.write(output, new TextEncoder().encode(printed));
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
    .option("-o, --output <file>", "write to a file")
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<ResultArguments, "guid">>(), guid })),
    );
}
