/** `sheaf configuration`: commands that the service stores under names. */
import type { Command } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { parseJsonObject } from "./options.ts";
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

async function show(io: Io, args: NamedArguments): Promise<number> {
  await printJson(io, JSON.stringify(await connect(io, args).configurations.get(args.name, { signal: io.signal })));
  return EXIT_CODES.success;
}

async function remove(io: Io, args: NamedArguments): Promise<number> {
  await connect(io, args).configurations.remove(args.name, { signal: io.signal });
  io.stderr.write(`configuration ${args.name}: deleted\n`);
  return EXIT_CODES.success;
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const configuration = program.command("configuration").description("commands that the service keeps under names");
  configuration
    .command("save")
    .description("keep the command in a JSON file under a name")
    .argument("<name>", "up to 128 characters, none of / \\ ? # %")
    .argument("<file>", 'such as {"prompt": "…", "schema": {…}, "ocr": "PREMIUM"}; - for standard input')
    .option("--overwrite", "in the place of the one that has the name")
    .action((name: string, file: string, _options: unknown, command: Command) =>
      perform((io) =>
        save(io, { ...command.optsWithGlobals<ConnectionArguments & { overwrite?: boolean }>(), name, file }),
      ),
    );
  configuration
    .command("list")
    .description("print all of them")
    .action((_options: unknown, command: Command) =>
      perform((io) => list(io, command.optsWithGlobals<ConnectionArguments>())),
    );
  for (const [verb, what, run] of [
    ["show", "print a command as it was saved", show],
    ["remove", "delete one; runs that were started with it go on", remove],
  ] as const) {
    configuration
      .command(verb)
      .description(what)
      .argument("<name>", "its name")
      .action((name: string, _options: unknown, command: Command) =>
        perform((io) => run(io, { ...command.optsWithGlobals<ConnectionArguments>(), name })),
      );
  }
}
