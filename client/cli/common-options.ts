/** Options that all commands have: where their output goes, as what, and examples in their help. */
import { type Command, Option } from "commander";
import { EXAMPLES } from "./examples.ts";
import { type Io, type SavedSettings, UsageError } from "./io.ts";
import { loadSettings } from "./saved-settings.ts";

export interface CommonArguments {
  /** Write standard output to this file. */
  output?: string;
  /** Print JSON where a table would be printed for people. */
  json?: boolean;
  /** The output holds a secret. */
  secret?: boolean;
}

/** Commands that print no data, or say themselves where it goes. */
const WITHOUT_OUTPUT = ["admin", "completion", "configure", "mcp", "serve"];

/** Commands that print a secret. */
const OF_SECRETS = ["keys create"];

const outputOptions = new WeakSet<Command>();

/** The words of a command after `sheaf`, such as `cases list`. */
export function pathOf(command: Command): string {
  const above = command.parent;
  if (above === null) return "";
  return `${pathOf(above)} ${command.name()}`.trim();
}

/** The commands that do something, without the groups above them. */
export function leafCommands(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);
}

/** A group of commands of one area; modules share it. */
export const groupOf = (program: Command, name: string, description: string): Command =>
  program.commands.find((one) => one.name() === name) ?? program.command(name).description(description);

const hasOption = (command: Command, name: string): boolean =>
  command.options.some((option) => option.attributeName() === name);

/** Adds the options to all commands that lack them, and their examples to their help. */
export function addCommonOptions(program: Command): void {
  for (const command of leafCommands(program)) {
    const path = pathOf(command);
    const [area = ""] = path.split(" ");
    const examples = EXAMPLES[path];
    if (examples !== undefined) command.addHelpText("after", `\n${exampleHelp(examples)}`);
    if (WITHOUT_OUTPUT.includes(area)) continue;
    // Its output is a file of its own kind.
    if (hasOption(command, "output")) continue;
    if (!hasOption(command, "json")) command.option("--json", "print JSON, on a terminal too");
    command.addOption(new Option("-o, --output <file>", "write to this file instead of standard output"));
    outputOptions.add(command);
  }
}

const exampleHelp = (examples: readonly string[]): string =>
  [examples.length === 1 ? "Example:" : "Examples:", ...examples.map((line) => `  ${line}`)].join("\n");

/** What the common options say to a command. */
export const commonArgumentsOf = (command: Command): CommonArguments => {
  const { json, output } = command.opts<{ json?: unknown; output?: string }>();
  return {
    ...(json === true ? { json } : {}),
    ...(outputOptions.has(command) && output !== undefined ? { output } : {}),
    secret: OF_SECRETS.includes(pathOf(command)),
  };
};

/** The world of a command with its common options, and the settings that were saved. */
export async function worldOf(
  io: Io,
  { output, json = false, secret = false }: CommonArguments,
): Promise<{ io: Io; finish(): Promise<void> }> {
  const world: Io = { ...io, saved: await savedOf(io), read: readingInputOnce(io) };
  if (output === undefined || output === "-") {
    const isTTY = io.stdout.isTTY && !json;
    return { io: { ...world, stdout: { ...io.stdout, isTTY } }, finish: async () => {} };
  }
  const pieces: Uint8Array[] = [];
  const write = async (content: string | Uint8Array): Promise<void> => {
    pieces.push(typeof content === "string" ? new TextEncoder().encode(content) : content);
  };
  return {
    io: { ...world, stdout: { write, isTTY: false } },
    // Written once the output is complete: a failed command leaves an older file as it is.
    finish: async () => {
      if (pieces.length === 0) return;
      const content = Buffer.concat(pieces);
      try {
        await io.write(output, content, { secret });
      } catch (error) {
        // The work is done: what it gave, such as a key that is shown once, is not lost with the file.
        await io.stdout.write(content);
        throw error;
      }
    },
  };
}

/** Standard input ends with its first reader; a second one would take nothing for what it asks for. */
function readingInputOnce(io: Io): Io["read"] {
  let isTaken = false;
  return async (file, mostBytes) => {
    if (file === "-") {
      if (isTaken) throw new UsageError("Only one thing can be read from standard input: give the others as files");
      isTaken = true;
    }
    return io.read(file, mostBytes);
  };
}

/** Loads the settings; a fault of theirs is told to the commands that need them only. */
async function savedOf(io: Io): Promise<() => SavedSettings> {
  try {
    const loaded = await loadSettings(io);
    return () => loaded;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return () => {
      throw error;
    };
  }
}
