/**
 * The ledger of one organization over this machine's store: the throughput of concurrent debits and grants, which must be
 * exact, and the time of one entry beside a bare transaction of the store, in turns. `npm run bench -- ledger [--debits N]
 * [--grants N] [--calls N] [--rounds N]`: N debits and grants at once (default 1,000 and 100), N single calls of each
 * kind a round (default 300), at most N rounds (default 20).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { type LocalRecords, openRecords } from "../functions/adapters/local/records.ts";
import type { Ledger } from "../functions/service/billing/ledger.ts";
import { ledgerOf } from "../functions/service/organizations/organization-ledger.ts";
import { numberOf } from "./support/options.ts";
import { repeatUntilNarrow } from "./support/repeat.ts";
import { reportLines } from "./support/report.ts";
import { quantile } from "./support/spread.ts";

const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

const debit = (ledger: Ledger, key: string, amount: number) =>
  ledger.post([{ kind: "debit", key, amount, guid: GUID, run: 1, reason: "a bench" }]);
const grant = (ledger: Ledger, key: string, amount: number) =>
  ledger.post([{ kind: "grant", key, amount, reason: "a bench" }]);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** @returns entries a second @throws Error when the ledger is not exact */
async function throughput(
  records: LocalRecords,
  organization: number,
  debits: number,
  grants: number,
): Promise<number> {
  const ledger = ledgerOf(records, organization, systemClock());
  await grant(ledger, "first", debits);
  const milliseconds = await timed(() =>
    Promise.all([
      ...Array.from({ length: debits }, (_, at) => debit(ledger, String(at), 1)),
      ...Array.from({ length: grants }, (_, at) => grant(ledger, String(at), 1)),
    ]),
  );
  const { account, drift } = await ledger.reconcile();
  if (drift.length > 0 || account.balance !== grants) throw new Error(`The ledger is not exact: ${drift.join("; ")}`);
  return ((debits + grants) * 1000) / milliseconds;
}

/** Times of single calls, in milliseconds: of the ledger, and of a transaction of as many bare records. */
async function singleCalls(records: LocalRecords, organization: number, calls: number): Promise<[number[], number[]]> {
  const ledger = ledgerOf(records, organization, systemClock());
  await grant(ledger, "first", calls);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call += 1) {
    ours.push(await timed(() => debit(ledger, String(call), 1)));
    const key = { partition: `org/${organization}/bench`, sort: String(call) };
    const write = { kind: "put", key, value: { v: 1, call }, condition: { ifAbsent: true } } as const;
    bare.push(await timed(() => records.transact([write])));
  }
  return [ours, bare];
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const [debits, grants] = [numberOf(args, "--debits", 1_000), numberOf(args, "--grants", 100)];
  const [calls, rounds] = [numberOf(args, "--calls", 300), numberOf(args, "--rounds", 20)];
  const folder = mkdtempSync(join(tmpdir(), "sheaf-ledger-bench-"));
  // As the service opens it: a commit does not wait for the disk.
  const records = openRecords(join(folder, "records.sqlite"), { clock: systemClock(), acknowledge: "committed" });
  try {
    const repeated = await repeatUntilNarrow(
      async (index) => {
        const before = process.cpuUsage();
        const rate = await throughput(records, 2 * index + 2, debits, grants);
        const { user, system } = process.cpuUsage(before);
        const [own, bare] = await singleCalls(records, 2 * index + 3, calls);
        return {
          rate,
          cpu: (user + system) / 1000 / (debits + grants),
          own: quantile(own, 0.5),
          ownSlow: quantile(own, 0.99),
          bare: quantile(bare, 0.5),
          bareSlow: quantile(bare, 0.99),
        };
      },
      { narrow: ["rate", "own", "bare"], mostRounds: rounds },
    );
    console.log(`${debits} debits and ${grants} grants at once: exact in each round; then ${calls} calls of each kind`);
    const lines = reportLines(repeated, [
      { measure: "rate", label: "entries a second, at once" },
      { measure: "cpu", label: "processor time of an entry among them", unit: "ms", digits: 3 },
      { measure: "own", label: "a single entry, median", unit: "ms", digits: 3 },
      { measure: "ownSlow", label: "a single entry, 99th percentile", unit: "ms", digits: 2 },
      { measure: "bare", label: "a bare transaction, median", unit: "ms", digits: 3 },
      { measure: "bareSlow", label: "a bare transaction, 99th percentile", unit: "ms", digits: 2 },
    ]);
    console.log(lines.join("\n"));
  } finally {
    records.close();
    rmSync(folder, { recursive: true });
  }
}
