/** `sheaf configure`: keeps the address and the key of a service in the user's own folder. */
import type { Command } from "commander";
import { SheafClient } from "../index.ts";
import { type ConnectionArguments, serviceOf } from "./connection.ts";
import { readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { loadSettings, saveSettings } from "./saved-settings.ts";

interface ConfigureArguments extends ConnectionArguments {
  check: boolean;
}

/** Saves what is given, once the service has answered to it. @returns the exit code */
async function run(io: Io, args: ConfigureArguments): Promise<number> {
  if (args.apiUrl === undefined && args.token === undefined) {
    throw new UsageError("Name a service: sheaf configure --api-url URL --token - reads the key from standard input");
  }
  const before = await loadSettings(io);
  const given = args.token === "-" ? (await readText(io, "-")).trim() : args.token;
  if (given === "") throw new UsageError("The key is empty");
  const { apiUrl } = serviceOf({ ...io, saved: () => before, env: {} }, { ...args });
  // A key belongs to its service: another address leaves the saved key behind.
  const kept = before.apiUrl === undefined || before.apiUrl === apiUrl ? before.token : undefined;
  const token = given ?? kept;
  let client: SheafClient;
  try {
    client = new SheafClient({ apiUrl, token: token ?? "none", fetch: io.fetch });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
  if (args.check && token !== undefined) {
    const { organizationId } = await client.me({ signal: io.signal });
    io.stderr.write(`The service knows the key: organization ${organizationId}\n`);
  }
  const file = await saveSettings(io, { apiUrl, token });
  io.stderr.write(`${file}: ${apiUrl}${token === undefined ? ", without a key" : ""}\n`);
  return EXIT_CODES.success;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
    .command("configure")
    .description("keep --api-url and --token in ~/.config/sheaf, for your user alone; --token - reads standard input")
    .option("--no-check", "save without asking the service")
    .action(() => perform((io) => run(io, command.optsWithGlobals<ConfigureArguments>())));
}
