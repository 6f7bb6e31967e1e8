/** Holds and charges of runs, under failures: cancelled, lost and dead runs, and callers who die or meet. */
import { afterEach, describe, expect, it } from "vitest";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { parseRates } from "../../../../functions/service/billing/rate-file.ts";
import { takeAllOwed } from "../../../../functions/service/charges/owed-charges.ts";
import { HOLD_GRACE_MS, openBilling } from "../../../../functions/service/charges/run-holds.ts";
import { cancelJob } from "../../../../functions/service/lifecycle/cancel-job.ts";
import { releaseLostHolds, sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { bindOrganization, type Organization } from "../../../../functions/service/organizations/organization.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { beginRun, openRun } from "../../../../functions/service/runs/open-run.ts";
import { allEntries } from "../../../support/ledger-schedules.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { type Asked, pictureEngine, threeScans } from "../../../support/recognition.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
let org: Organization;
let asked: Asked;
afterEach(() => at.close());

const COMMAND = commandOf({ mode: "OCR", mimeType: "application/pdf" });
/** Three pages of ten tokens. */
const PRICE = 30;

/** A platform whose recognition costs ten tokens a page, and an organization with tokens. */
async function start(tokens: number, mode: "off" | "record" | "enforced" = "enforced"): Promise<void> {
  const [documents] = threeScans();
  asked = { pages: [], completed: [] };
  at = testPlatform({ ...documents, measure: async () => ({ pages: 3, pending: 3 }) }, pictureEngine(asked));
  const billing = { mode, rates: parseRates('{"ocr": {"fake": 10}}'), checkoutUrl: null, portalUrl: null };
  at.platform.config = { ...at.platform.config, billing };
  org = bindOrganization(at.platform, 1);
  if (tokens > 0) await org.ledger.post([{ kind: "grant", key: "first", amount: tokens, reason: "a pack" }]);
}

const document = () => uploaded(org, "x", "application/pdf");
const kindsOf = async (): Promise<string[]> =>
  (await allEntries(org.ledger)).map(({ kind, amount, held }) => `${kind} ${amount} ${held}`);
async function expectSound(balance: number): Promise<void> {
  const { account, drift } = await org.ledger.reconcile();
  expect(drift).toEqual([]);
  expect(account).toMatchObject({ balance, held: 0 });
  // Nothing is left to do.
  expect((await org.records.query({ partition: "ledger", prefix: "owed/" })).items).toEqual([]);
  expect(await sweep(at.platform, at.system)).toBe(0);
}

describe("a run", () => {
  it("has one hold and one settlement", async () => {
    await start(1_000);
    const guid = await document();
    await openRun(org, guid, COMMAND);
    const job = await waitForEnd(org, guid, 10);
    expect(job).toMatchObject({ status: "COMPLETED", tokenCount: PRICE });
    // Two looks at each page.
    expect(await kindsOf()).toEqual(["grant 1000 0", "hold 0 60", "capture -30 -30", "release 0 -30"]);
    await expectSound(970);
  });

  it("that reads nothing anew is charged nothing", async () => {
    await start(1_000);
    const guid = await document();
    for (let run = 1; run <= 2; run += 1) {
      await openRun(org, guid, COMMAND);
      await waitForEnd(org, guid, 10);
    }
    expect((await kindsOf()).slice(4)).toEqual(["hold 0 60", "release 0 -60"]);
    await expectSound(970);
  });

  it("that there are too few tokens for FAILS before it spends any", async () => {
    await start(29);
    const guid = await document();
    await openRun(org, guid, COMMAND);
    expect((await waitForEnd(org, guid, 10)).error).toBe(
      "Processing failed: The prepaid tokens held for this run are used up; buy more and process the document again",
    );
    expect(asked.pages).toEqual([]);
    await expectSound(29);
  });

  it.each(["off", "record", "enforced"] as const)("stays within its tokenBudget where billing is %s", async (mode) => {
    await start(1_000, mode);
    const guid = await document();
    await openRun(org, guid, { ...COMMAND, tokenBudget: 29 });
    expect((await waitForEnd(org, guid, 10)).error).toContain("more than the 29 tokens that its tokenBudget allows");
    expect(asked.pages).toEqual([]);
    await openRun(org, guid, { ...COMMAND, tokenBudget: 30 });
    expect(await waitForEnd(org, guid, 10)).toMatchObject({ status: "COMPLETED" });
    await expectSound(mode === "enforced" ? 970 : 1_000);
  });

  it("is refused with 402 while all tokens are held", async () => {
    await start(60);
    await openRun(withLostStarts(org), await document(), COMMAND);
    await expect(openRun(org, await document(), COMMAND)).rejects.toMatchObject({
      kind: "PaymentRequired",
      extra: { code: "billing.insufficient_tokens", balance: 60, organization_id: 1 },
    });
  });
});

describe("callers who meet", () => {
  it("open one run with one hold, and the others' holds are released", async () => {
    await start(10_000);
    const guid = await document();
    const lost = withLostStarts(org);
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => openRun(lost, guid, COMMAND)));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await org.ledger.account()).toMatchObject({ balance: 10_000, held: 60 });
    await sweep(at.platform, at.system);
    await waitForEnd(org, guid, 10);
    await expectSound(9_970);
  });

  it("with one idempotency key open one run with one hold", async () => {
    await start(10_000);
    const guid = await document();
    await Promise.all(Array.from({ length: 8 }, () => openRun(org, guid, COMMAND, "a key")));
    await waitForEnd(org, guid, 10);
    expect((await loadJob(org, guid)).value.lastRun).toBe(1);
    await expectSound(9_970);
  });
});

describe("the hold of a run", () => {
  it("that is cancelled is released", async () => {
    await start(1_000);
    const guid = await document();
    await openRun(withLostStarts(org), guid, COMMAND);
    await cancelJob(org, guid);
    expect(await kindsOf()).toEqual(["grant 1000 0", "hold 0 60", "release 0 -60"]);
    await expectSound(1_000);
  });

  it("that runs out of time is released", async () => {
    await start(1_000);
    const guid = await document();
    await openRun(withLostStarts(org), guid, COMMAND);
    await beginRun(org, guid, 1);
    at.pass(at.platform.config.jobTimeoutSeconds + 60);
    await sweep(at.platform, at.system);
    expect((await loadJob(org, guid)).value).toMatchObject({
      status: "FAILED",
      error: expect.stringContaining("Processing timeout after"),
    });
    expect(await kindsOf()).toEqual(["grant 1000 0", "hold 0 60", "release 0 -60"]);
    await expectSound(1_000);
  });

  it("whose start was lost is charged when the sweep has started it", async () => {
    await start(1_000);
    const guid = await document();
    await openRun(withLostStarts(org), guid, COMMAND);
    await sweep(at.platform, at.system);
    await waitForEnd(org, guid, 10);
    await expectSound(970);
  });

  it("is left alone by the sweep while its run is open", async () => {
    await start(1_000);
    await openRun(withLostStarts(org), await document(), COMMAND);
    at.pass(2 * (HOLD_GRACE_MS / 1000));
    await releaseLostHolds(at.platform, at.system);
    expect(await org.ledger.account()).toMatchObject({ held: 60 });
  });
});

describe("a request that dies after its hold", () => {
  const hold = async () => openBilling(org, { guid: await document(), run: 1 }, { upperBound: async () => 60 });

  it("leaves it to the sweep, which waits for requests that are under way", async () => {
    await start(1_000);
    await hold();
    expect(await sweep(at.platform, at.system)).toBe(0);
    expect(await org.ledger.account()).toMatchObject({ held: 60 });
    at.pass(HOLD_GRACE_MS / 1000);
    expect(await sweep(at.platform, at.system)).toBe(1);
    await expectSound(1_000);
  });

  it("leaves it to the next start, on one machine", async () => {
    await start(1_000);
    await hold();
    await releaseLostHolds(at.platform, at.system);
    await expectSound(1_000);
  });
});

describe("a charge that the end of its run could not take", () => {
  /** The ledger is busy while a run ends. */
  async function endBusy(): Promise<string> {
    await start(1_000);
    const guid = await document();
    const { ledger } = org;
    const busy = async (): Promise<never> => {
      throw new ServiceUnavailable("The ledger is busy");
    };
    await openRun(withLostStarts(org), guid, COMMAND);
    const { settleRun } = await import("../../../../functions/service/lifecycle/settle-run.ts");
    await settleRun({ ...org, ledger: { ...ledger, post: busy } }, guid, 1, "Processing failed: enough");
    expect(await ledger.account()).toMatchObject({ held: 60 });
    return guid;
  }

  it("is taken by the sweep", async () => {
    await endBusy();
    expect(await sweep(at.platform, at.system)).toBe(1);
    await expectSound(1_000);
  });

  it("is taken once by readers of the balance who meet", async () => {
    await endBusy();
    await Promise.all(Array.from({ length: 5 }, () => takeAllOwed(org)));
    expect((await kindsOf()).slice(1)).toEqual(["hold 0 60", "release 0 -60"]);
    await expectSound(1_000);
  });
});

describe("usage that is only recorded", () => {
  it("has an entry for each run, and leaves the balance alone", async () => {
    await start(0, "record");
    const guid = await document();
    await openRun(org, guid, COMMAND);
    expect(await waitForEnd(org, guid, 10)).toMatchObject({ tokenCount: PRICE });
    expect(await kindsOf()).toEqual(["debit 0 0"]);
    expect(await org.ledger.days({ limit: 10 })).toMatchObject([{ tokens: PRICE }]);
    await expectSound(0);
  });

  it("has none where billing is off", async () => {
    await start(0, "off");
    const guid = await document();
    await openRun(org, guid, COMMAND);
    expect(await waitForEnd(org, guid, 10)).toMatchObject({ tokenCount: 0, status: "COMPLETED" });
    expect(await kindsOf()).toEqual([]);
  });
});
