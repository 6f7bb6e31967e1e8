/** Templates: `sheaf list-templates`, `upload-template`, `template-metadata`, `delete-template` and `fill`. */
import type { Command } from "commander";
import type { FillValues, SheafClient } from "../index.ts";
import { isObject } from "../json.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readDocument, readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { parseGuid, parseJsonObject, parseWholeNumber } from "./options.ts";
import { printJson } from "./outcome.ts";

interface NamedArguments extends ConnectionArguments {
  name: string;
}

interface FillArguments extends NamedArguments {
  data?: string;
  output: string;
  fromJob?: string;
  flatten?: boolean;
  missing?: boolean;
  ignoreUnknown?: boolean;
  revision?: number;
}

async function list(io: Io, args: ConnectionArguments): Promise<number> {
  await printJson(io, JSON.stringify(await connect(io, args).templates.list({ signal: io.signal })));
  return EXIT_CODES.success;
}

/** Prints a template's fields. @returns the exit code */
async function printFields(io: Io, client: SheafClient, name: string, revision?: number): Promise<number> {
  const fields = await client.templates.fields(name, { revision, signal: io.signal });
  if (fields === undefined) {
    io.stderr.write(
      `The fields of ${name} are still being detected; list them with: sheaf template-metadata ${name}\n`,
    );
    return EXIT_CODES.timedOut;
  }
  await printJson(io, JSON.stringify(fields));
  return EXIT_CODES.success;
}

/** Uploads a template and prints its fields. @returns the exit code */
async function upload(io: Io, args: NamedArguments & { file: string; replace?: boolean }): Promise<number> {
  const { name, file, replace } = args;
  const { bytes, fileName, mimeType } = await readDocument(io, file, undefined);
  const client = connect(io, args);
  await client.templates.upload(name, bytes, { fileName, mimeType, replace, signal: io.signal });
  io.stderr.write(`template ${name}: stored\n`);
  return printFields(io, client, name);
}

const metadata = (io: Io, { name, revision, ...args }: NamedArguments & { revision?: number }): Promise<number> =>
  printFields(io, connect(io, args), name, revision);

async function remove(io: Io, args: NamedArguments): Promise<number> {
  await connect(io, args).templates.remove(args.name, { signal: io.signal });
  io.stderr.write(`template ${args.name}: deleted\n`);
  return EXIT_CODES.success;
}

/** The values of a fill: a request as the service takes it, or the fields alone. @throws UsageError */
async function valuesOf(io: Io, { data, fromJob }: FillArguments): Promise<FillValues> {
  if ((data === undefined) === (fromJob === undefined)) {
    throw new UsageError("Name a JSON file with the values, or a job by --from-job");
  }
  if (fromJob !== undefined) return { fromJob };
  const file = data ?? "-";
  const read = parseJsonObject(await readText(io, file), `The values in ${file}`);
  const isRequest = isObject(read.fields) || typeof read.fromJob === "string";
  return isRequest ? (read as FillValues) : { fields: read };
}

/** Fills a template and saves the document. @returns the exit code */
async function fill(io: Io, args: FillArguments): Promise<number> {
  const { name, output, flatten, missing, ignoreUnknown, revision } = args;
  const values = await valuesOf(io, args);
  const { bytes, unknownFields, restrictionsDropped } = await connect(io, args).templates.fill(name, values, {
    flatten,
    missing: missing === true ? "error" : undefined,
    ignoreUnknown,
    revision,
    signal: io.signal,
  });
  if (output === "-") await io.stdout.write(bytes);
  else {
    await io.write(output, bytes);
    io.stderr.write(`template ${name}: ${output}, ${bytes.length} bytes\n`);
  }
  if (unknownFields.length > 0) io.stderr.write(`warning: the template has no field ${unknownFields.join(", ")}\n`);
  if (restrictionsDropped) io.stderr.write("warning: the document has none of its owner's restrictions any more\n");
  return EXIT_CODES.success;
}

const REVISION_OPTION = ["--revision <number>", "an earlier revision (default: the newest)"] as const;

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("list-templates")
    .description("print the templates: PDF forms and Office documents that the service keeps and fills")
    .action((_options: unknown, command: Command) =>
      perform((io) => list(io, command.optsWithGlobals<ConnectionArguments>())),
    );
  program
    .command("upload-template")
    .description("keep a PDF form, or a document of Word, PowerPoint or Excel, under a name, and print its fields")
    .argument("<name>", "letters, digits, . _ -, up to 128")
    .argument("<file>", "the form or document; - for standard input")
    .option("--replace", "as the next revision of the template that has the name")
    .action((name: string, file: string, _options: unknown, command: Command) =>
      perform((io) =>
        upload(io, { ...command.optsWithGlobals<ConnectionArguments & { replace?: boolean }>(), name, file }),
      ),
    );
  program
    .command("template-metadata")
    .description("print a template's fields")
    .argument("<name>", "its name")
    .option(...REVISION_OPTION, parseWholeNumber)
    .action((name: string, _options: unknown, command: Command) =>
      perform((io) =>
        metadata(io, { ...command.optsWithGlobals<ConnectionArguments & { revision?: number }>(), name }),
      ),
    );
  program
    .command("delete-template")
    .description("delete a template with its revisions and pictures")
    .argument("<name>", "its name")
    .action((name: string, _options: unknown, command: Command) =>
      perform((io) => remove(io, { ...command.optsWithGlobals<ConnectionArguments>(), name })),
    );
  defineFill(program, perform);
}

function defineFill(program: Command, perform: Perform): void {
  program
    .command("fill")
    .description("fill a template and save the document")
    .argument("<name>", "the template")
    .argument("[data]", 'a JSON file with the values, {"fields": {…}} or the fields alone; - for standard input')
    .requiredOption("-o, --output <file>", "where the document goes; - for standard output")
    .option("--from-job <guid>", "the values are the result of this job", parseGuid)
    .option("--flatten", "leave the values without fields: part of a PDF's pages, text of a Word document")
    .option("--missing", "refuse values that leave fields out")
    .option("--ignore-unknown", "pass over values that the template has no field for")
    .option(...REVISION_OPTION, parseWholeNumber)
    .action((name: string, data: string | undefined, _options: unknown, command: Command) =>
      perform((io) =>
        fill(io, {
          ...command.optsWithGlobals<Omit<FillArguments, "name" | "data">>(),
          name,
          ...(data === undefined ? {} : { data }),
        }),
      ),
    );
}
