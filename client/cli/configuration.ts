/** `sheaf configuration`: commands that the service stores under names. */
import type { Command } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { parseJsonObject, parseWholeNumber } from "./options.ts";
import { printJson } from "./outcome.ts";

interface NamedArguments extends ConnectionArguments {
  name: string;
}

/** Saves a file's command and prints the stored configuration. @returns the exit code */
async function save(io: Io, args: NamedArguments & { file: string; overwrite?: boolean }): Promise<number> {
  const { name, file, overwrite } = args;
  const command = parseJsonObject(await readText(io, file), `The command in ${file}`);
  const saved = await connect(io, args).configurations.save(name, command, { overwrite, signal: io.signal });
  await printJson(io, JSON.stringify(saved));
  return EXIT_CODES.success;
}

async function list(io: Io, args: ConnectionArguments): Promise<number> {
  await printJson(io, JSON.stringify(await connect(io, args).configurations.list({ signal: io.signal })));
  return EXIT_CODES.success;
}

async function show(io: Io, args: NamedArguments & { revision?: number }): Promise<number> {
  const { name, revision } = args;
  const command = await connect(io, args).configurations.get(name, { revision, signal: io.signal });
  await printJson(io, JSON.stringify(command));
  return EXIT_CODES.success;
}

async function revisions(io: Io, args: NamedArguments): Promise<number> {
  const all = await connect(io, args).configurations.revisions(args.name, { signal: io.signal });
  await printJson(io, JSON.stringify(all));
  return EXIT_CODES.success;
}

async function diff(io: Io, args: NamedArguments & { from: number; to: number }): Promise<number> {
  const { name, from, to } = args;
  const all = await connect(io, args).configurations.diff(name, { from, to, signal: io.signal });
  await printJson(io, JSON.stringify(all));
  return EXIT_CODES.success;
}

async function restore(io: Io, args: NamedArguments & { revision: number }): Promise<number> {
  const { configurations } = connect(io, args);
  const revision = await configurations.restore(args.name, args.revision, { signal: io.signal });
  await printJson(io, JSON.stringify(revision));
  return EXIT_CODES.success;
}

async function remove(io: Io, args: NamedArguments): Promise<number> {
  await connect(io, args).configurations.remove(args.name, { signal: io.signal });
  io.stderr.write(`configuration ${args.name}: deleted\n`);
  return EXIT_CODES.success;
}

const BELOW_GROUP = { save: "save", list: "list", get: "show", remove: "remove" };
/** The same commands by themselves. */
const ALONE = {
  save: "save-configuration",
  list: "list-configurations",
  get: "get-configuration",
  remove: "delete-configuration",
};

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const configuration = program.command("configuration").description("commands that the service keeps under names");
  defineBasics(configuration, BELOW_GROUP, perform);
  defineBasics(program, ALONE, perform);
  defineRevisions(configuration, perform);
}

function defineBasics(parent: Command, names: typeof ALONE, perform: Perform): void {
  parent
    .command(names.save)
    .description("keep the command in a JSON file under a name")
    .argument("<name>", "up to 128 characters, none of / \\ ? # %")
    .argument("<file>", 'such as {"prompt": "…", "schema": {…}, "ocr": "PREMIUM"}; - for standard input')
    .option("--overwrite", "as the next revision of the one that has the name")
    .action((name: string, file: string, _options: unknown, command: Command) =>
      perform((io) =>
        save(io, { ...command.optsWithGlobals<ConnectionArguments & { overwrite?: boolean }>(), name, file }),
      ),
    );
  parent
    .command(names.list)
    .description("print all saved configurations")
    .action((_options: unknown, command: Command) =>
      perform((io) => list(io, command.optsWithGlobals<ConnectionArguments>())),
    );
  parent
    .command(names.get)
    .description("print a command as it was saved")
    .argument("<name>", "its name")
    .option("--revision <number>", "an earlier one", parseWholeNumber)
    .action((name: string, _options: unknown, command: Command) =>
      perform((io) => show(io, { ...command.optsWithGlobals<ConnectionArguments & { revision?: number }>(), name })),
    );
  parent
    .command(names.remove)
    .description("delete a configuration with all its revisions; runs that were started with it go on")
    .argument("<name>", "its name")
    .action((name: string, _options: unknown, command: Command) =>
      perform((io) => remove(io, { ...command.optsWithGlobals<ConnectionArguments>(), name })),
    );
}

function defineRevisions(configuration: Command, perform: Perform): void {
  configuration
    .command("diff")
    .description("print what changed between two revisions")
    .argument("<name>", "its name")
    .argument("<from>", "number of the older one", parseWholeNumber)
    .argument("<to>", "number of the newer one", parseWholeNumber)
    .action((name: string, from: number, to: number, _options: unknown, command: Command) =>
      perform((io) => diff(io, { ...command.optsWithGlobals<ConnectionArguments>(), name, from, to })),
    );
  configuration
    .command("restore")
    .description("save a revision's command again, as the newest one")
    .argument("<name>", "its name")
    .argument("<revision>", "its number", parseWholeNumber)
    .action((name: string, revision: number, _options: unknown, command: Command) =>
      perform((io) => restore(io, { ...command.optsWithGlobals<ConnectionArguments>(), name, revision })),
    );
  configuration
    .command("revisions")
    .description("list the revisions, newest first")
    .argument("<name>", "its name")
    .action((name: string, _options: unknown, command: Command) =>
      perform((io) => revisions(io, { ...command.optsWithGlobals<ConnectionArguments>(), name })),
    );
}
