/** `sheaf keys list|create|revoke`, `sheaf settings view` and `sheaf audit`: an organization's administration. */
import { type Command, InvalidArgumentError } from "commander";
import type { KeyScope } from "../index.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { printJson } from "./outcome.ts";

interface CreateArguments extends ConnectionArguments {
  name?: string;
  scopes?: KeyScope[];
  expires?: string;
  replaces?: string;
  overlapHours?: number;
}

interface AuditArguments extends ConnectionArguments {
  from?: string;
  to?: string;
}

const SCOPES: readonly KeyScope[] = ["read", "write", "billing", "admin"];
/** The service takes no longer overlap: a month. */
const MAX_OVERLAP_HOURS = 720;
/** Entries that are read at once. */
const PAGE_ENTRIES = 900;

/** @throws InvalidArgumentError */
function parseScopes(value: string): KeyScope[] {
  const named = value.split(/[+,\s]+/).filter((scope) => scope !== "");
  const scopes = named.flatMap((name) => SCOPES.filter((scope) => scope === name));
  if (named.length > 0 && scopes.length === named.length) return scopes;
  throw new InvalidArgumentError(`They are some of ${SCOPES.join(", ")}, joined by commas.`);
}

/** @throws InvalidArgumentError */
function parseHours(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) <= MAX_OVERLAP_HOURS) return Number(value);
  throw new InvalidArgumentError(`It is a number of hours from 0 to ${MAX_OVERLAP_HOURS}.`);
}

async function print(io: Io, answer: unknown): Promise<number> {
  await printJson(io, JSON.stringify(answer));
  return EXIT_CODES.success;
}

async function create(io: Io, args: CreateArguments): Promise<number> {
  const { name, scopes, expires: expiresAt, replaces, overlapHours } = args;
  const wish = { name, scopes, expiresAt, replaces, overlapHours };
  const made = await connect(io, args).keys.create(wish, { signal: io.signal });
  io.stderr.write("The key is shown this once; keep it where only its user reads it.\n");
  return print(io, made);
}

async function revoke(io: Io, id: string, args: ConnectionArguments): Promise<number> {
  await connect(io, args).keys.revoke(id, { signal: io.signal });
  io.stderr.write(`key ${id}: revoked\n`);
  return EXIT_CODES.success;
}

/** Prints all entries as JSON lines. */
async function audit(io: Io, { from, to, ...args }: AuditArguments): Promise<number> {
  const { settings } = connect(io, args);
  let cursor: string | undefined;
  do {
    const page = await settings.audit({ from, to, cursor, size: PAGE_ENTRIES }, { signal: io.signal });
    await io.stdout.write(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return EXIT_CODES.success;
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const keys = program.command("keys").description("the organization's API keys; needs a key with the scope admin");
  keys
    .command("list")
    .description("print the keys, without the keys themselves")
    .action((_options, command: Command) =>
      perform(async (io) => {
        const args = command.optsWithGlobals<ConnectionArguments>();
        return print(io, await connect(io, args).keys.list({ signal: io.signal }));
      }),
    );
  keys
    .command("create")
    .description("make a key, and print it this once")
    .option("--name <text>", "tells the program or person that uses it")
    .option("--scopes <scopes>", `some of ${SCOPES.join(", ")}, joined by commas`, parseScopes)
    .option("--expires <time>", "the time from which it is refused, as 2027-12-31T00:00:00Z")
    .option("--replaces <key>", "the id of a key to rotate: name and scopes are its unless given")
    .option("--overlap-hours <hours>", "how long the replaced key goes on working (default: 24)", parseHours)
    .action((_options, command: Command) => perform((io) => create(io, command.optsWithGlobals())));
  keys
    .command("revoke")
    .description("revoke a key for good")
    .argument("<id>", "its id, as list prints it")
    .action((id: string, _options, command: Command) => perform((io) => revoke(io, id, command.optsWithGlobals())));
  program
    .command("settings")
    .description("the organization's settings")
    .command("view")
    .description("print settings, quotas and what is used of them")
    .action((_options, command: Command) =>
      perform(async (io) => {
        const args = command.optsWithGlobals<ConnectionArguments>();
        return print(io, await connect(io, args).settings.view({ signal: io.signal }));
      }),
    );
  program
    .command("audit")
    .description("print the organization's audit as JSON lines, newest first")
    .option("--from <time>", "entries from this time on, as 2026-11-01T00:00:00Z")
    .option("--to <time>", "entries up to this time")
    .action((_options, command: Command) => perform((io) => audit(io, command.optsWithGlobals())));
}
