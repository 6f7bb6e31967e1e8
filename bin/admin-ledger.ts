/**
 * `sheaf admin grant|balance|entries|reconcile`: the ledgers of organizations. The commands work on the data itself,
 * beside a running service: on one machine with the rights on its data folder, of a deployment with the rights of the
 * caller's AWS credentials on its table.
 */
import { type Command, InvalidArgumentError } from "commander";
import { EXIT_CODES, type Io, type Perform } from "../client/cli/io.ts";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { type Entry, MAX_ENTRY_TOKENS } from "../functions/service/billing/entry.ts";
import { entriesCsv, viewEntry } from "../functions/service/billing/entry-view.ts";
import type { Ledger } from "../functions/service/billing/ledger.ts";
import { type Account, availableOf } from "../functions/service/billing/ledger-state.ts";
import { loadOrganizationIds, recordOrganizations } from "../functions/service/organizations/known-organizations.ts";
import { ledgerOf } from "../functions/service/organizations/organization-ledger.ts";
import { systemRecords } from "../functions/service/organizations/organization-records.ts";
import { parseOrganization, reportOutcome } from "./admin-io.ts";
import { type RecordsOptions, recordsCommand, withRecords } from "./admin-records.ts";

interface GrantOptions extends RecordsOptions {
  key: string;
  reason: string;
}

/** Entries that are read at once. */
const PAGE_ENTRIES = 1_000;
/** Of a key and of a reason: both stand in each record of the entry. */
const MAX_TEXT_CHARACTERS = 200;

/** @throws InvalidArgumentError */
function parseTokens(value: string): number {
  const tokens = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  if (tokens >= 1 && tokens <= MAX_ENTRY_TOKENS) return tokens;
  throw new InvalidArgumentError(`It is a whole number of tokens from 1 to ${MAX_ENTRY_TOKENS}.`);
}

/** @throws InvalidArgumentError */
function parseText(value: string): string {
  if (/^[^\p{Cc}]+$/u.test(value) && value.length <= MAX_TEXT_CHARACTERS) return value;
  throw new InvalidArgumentError(`It has 1 to ${MAX_TEXT_CHARACTERS} characters, on one line.`);
}

const withLedger = <T>(io: Io, id: number, options: RecordsOptions, work: (ledger: Ledger) => Promise<T>): Promise<T> =>
  withRecords(io, options, (records) => work(ledgerOf(records, id, systemClock())));

const balanceLine = (organizationId: number, account: Account): string => {
  const { balance, held } = account;
  return `${JSON.stringify({ organizationId, balance, held, available: availableOf(account) })}\n`;
};

function grantTokens(io: Io, id: number, tokens: number, options: GrantOptions): Promise<number> {
  return reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      const ledger = ledgerOf(records, id, systemClock());
      const before = (await ledger.account()).entries;
      await recordOrganizations(systemRecords(records), [id]);
      await ledger.post([{ kind: "grant", key: options.key, amount: tokens, reason: options.reason }]);
      const account = await ledger.account();
      const done =
        account.entries > before ? `Granted ${tokens} tokens` : "This key was granted before: nothing changed";
      io.stderr.write(`${done}\n`);
      await io.stdout.write(balanceLine(id, account));
      return EXIT_CODES.success;
    }),
  );
}

const showBalance = (io: Io, id: number, options: RecordsOptions): Promise<number> =>
  reportOutcome(io, () =>
    withLedger(io, id, options, async (ledger) => {
      await io.stdout.write(balanceLine(id, await ledger.account()));
      return EXIT_CODES.success;
    }),
  );

const linesOf = (entries: readonly Entry[]): string =>
  entries.map((entry) => `${JSON.stringify({ ...viewEntry(entry), key: entry.key })}\n`).join("");

/** CSV of a page; the line of names stands above the first only. */
function csvLines(entries: readonly Entry[], isFirst: boolean): string {
  const text = Buffer.from(entriesCsv(entries)).toString("utf8");
  return isFirst ? text : text.slice(text.indexOf("\n") + 1);
}

const printEntries = (io: Io, id: number, options: RecordsOptions & { csv?: boolean }): Promise<number> =>
  reportOutcome(io, () =>
    withLedger(io, id, options, async (ledger) => {
      let cursor: string | undefined;
      for (let isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const after = cursor === undefined ? {} : { cursor };
        const page = await ledger.entries({ ascending: true, limit: PAGE_ENTRIES, ...after });
        await io.stdout.write(options.csv === true ? csvLines(page.entries, isFirst) : linesOf(page.entries));
        cursor = page.cursor;
      }
      return EXIT_CODES.success;
    }),
  );

const reconcile = (io: Io, options: RecordsOptions): Promise<number> =>
  reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      let drifted = 0;
      for (const id of await loadOrganizationIds(systemRecords(records))) {
        const { account, drift } = await ledgerOf(records, id, systemClock()).reconcile();
        for (const sentence of drift) io.stderr.write(`organization ${id}: ${sentence}\n`);
        if (drift.length > 0) drifted += 1;
        const { entries, balance, held } = account;
        await io.stdout.write(
          `${JSON.stringify({ organizationId: id, entries, balance, held, drift: drift.length })}\n`,
        );
      }
      return drifted === 0 ? EXIT_CODES.success : EXIT_CODES.failed;
    }),
  );

/** Adds the commands to `sheaf admin`. */
export function defineLedger(admin: Command, perform: Perform): void {
  const command = (text: string, description: string): Command => recordsCommand(admin, text, description);
  const organization = (one: Command): Command => one.argument("<organization>", "its number", parseOrganization);
  organization(command("grant", "credit tokens to an organization; the same key twice is one grant"))
    .argument("<tokens>", "whole tokens", parseTokens)
    .requiredOption("--key <text>", "names the grant, such as the number of its order", parseText)
    .option("--reason <text>", "stands in the entry", parseText, "Granted by the operator")
    .action((id: number, tokens: number, options: GrantOptions) =>
      perform((io) => grantTokens(io, id, tokens, options)),
    );
  organization(command("balance", "print an organization's balance, and what of it is held")).action(
    (id: number, options: RecordsOptions) => perform((io) => showBalance(io, id, options)),
  );
  organization(command("entries", "print an organization's entries, oldest first, as JSON lines"))
    .option("--csv", "as CSV")
    .action((id: number, options: RecordsOptions & { csv?: boolean }) =>
      perform((io) => printEntries(io, id, options)),
    );
  command("reconcile", "recompute all ledgers from their entries; exits with 1 when one differs").action(
    (options: RecordsOptions) => perform((io) => reconcile(io, options)),
  );
}
