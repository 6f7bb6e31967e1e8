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

/** The key that is given: of standard input for `-`, else as an option, else as it is typed at a terminal. */
async function keyOf(io: Io, { token }: ConfigureArguments, apiUrl: string): Promise<string | undefined> {
  if (token === undefined) return (await io.ask?.(`Key for ${apiUrl} (empty for none): `))?.trim() || undefined;
  const given = token === "-" ? (await readText(io, "-")).trim() : token;
  if (given === "") throw new UsageError("The key is empty");
  return given;
}

/** Saves what is given, once the service has answered to it. @returns the exit code */
async function run(io: Io, args: ConfigureArguments): Promise<number> {
  const before = await loadSettings(io);
  const { apiUrl } = serviceOf({ ...io, saved: () => before, env: {} }, args);
  // A key belongs to its service: another address leaves the saved key behind.
  const kept = before.apiUrl === apiUrl ? before.token : undefined;
  const token = (await keyOf(io, args, apiUrl)) ?? kept;
  if (args.apiUrl === undefined && token === undefined) {
    throw new UsageError(
      "Name a service: sheaf configure --api-url URL --token -, which reads the key from standard input",
    );
  }
  const client = clientOf(io, apiUrl, token);
  if (args.check) await checkKey(io, client, token !== undefined);
  const file = await saveSettings(io, { apiUrl, token });
  io.stderr.write(`${file}: ${apiUrl}${token === undefined ? ", without a key" : ""}\n`);
  return EXIT_CODES.success;
}

/** @throws UsageError for an address or a key that cannot be one */
function clientOf(io: Io, apiUrl: string, token = "none"): SheafClient {
  try {
    return new SheafClient({ apiUrl, token, fetch: io.fetch });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Asks the service whose key it is, or without one, for its health. */
async function checkKey(io: Io, client: SheafClient, hasKey: boolean): Promise<void> {
  if (!hasKey) await client.health({ signal: io.signal });
  else {
    const { organizationId } = await client.me({ signal: io.signal });
    io.stderr.write(`The service knows the key: organization ${organizationId}\n`);
  }
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
    .command("configure")
    .description("keep --api-url and --token in ~/.config/sheaf, for your user alone; a terminal is asked for the key")
    .option("--no-check", "save without asking the service")
    .action(() => perform((io) => run(io, command.optsWithGlobals<ConfigureArguments>())));
}
