/** The sweep of many open runs: each does a part and the next continues; its other duties are done each time. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Execution } from "../../../../functions/ports/workflows.ts";
import { sweepRetention } from "../../../../functions/service/lifecycle/retention.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { MAX_CONCURRENT_PIECES } from "../../../../functions/service/lifecycle/sweep-round.ts";
import type { Platform } from "../../../../functions/service/organizations/organization.ts";
import { dueKey } from "../../../../functions/service/organizations/organization-records.ts";
import { executionName, type OpenRun, runId } from "../../../../functions/service/runs/job-records.ts";
import { type TestPlatform, testPlatform, withWorkflows } from "../../../support/platform.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

/** Due records of open runs, without any other records. */
async function openRuns(count: number): Promise<string[]> {
  const guids = Array.from({ length: count }, () => at.org.engines.clock.guid());
  const createdAt = new Date(at.org.engines.clock.now()).toISOString();
  for (const guid of guids) {
    const due: OpenRun = { v: 1, kind: "run", organizationId: 1, guid, run: 1, mode: "OCR", createdAt, deadline: null };
    await at.system.put(dueKey(1, runId(guid, 1)), due);
  }
  return guids;
}

/** A workflow service in which all executions are running; `look` is called by each describe. */
const looking = (look: (name: string) => Promise<void>): Platform => {
  const describe = async (name: string): Promise<Execution> => {
    await look(name);
    return { name, machine: "m", status: "RUNNING", input: {}, startedAt: "" };
  };
  return { ...at.platform, workflows: withWorkflows(at.org, { describe }).workflows };
};

describe("sweep, with more work than time", () => {
  it("continues where it stopped, around all shards, until every piece is processed", async () => {
    const names = (await openRuns(500)).map((guid) => executionName(guid, 1));
    const looks: string[][] = [];
    const platform = looking(async (name) => {
      looks.at(-1)?.push(name);
      at.pass(1);
    });
    for (let round = 0; round < 4; round += 1) {
      looks.push([]);
      expect(await sweep(platform, at.system, { milliseconds: 150_000 })).toBe(0);
    }
    const [first = [], second = [], third = [], fourth = []] = looks;
    for (const part of looks) {
      expect(part.length).toBeGreaterThanOrEqual(150);
      expect(part.length).toBeLessThanOrEqual(150 + MAX_CONCURRENT_PIECES);
    }
    const round = [...first, ...second, ...third, ...fourth];
    // Each piece once, then from the beginning.
    expect(new Set(round.slice(0, 500))).toEqual(new Set(names));
    expect(round.slice(500)).toEqual(first.slice(0, round.length - 500));
  });

  it("processes each piece once when it has time for all, wherever it begins", async () => {
    const names = (await openRuns(150)).map((guid) => executionName(guid, 1)).sort();
    let seen: string[] = [];
    let each = 1;
    const platform = looking(async (name) => {
      seen.push(name);
      at.pass(each);
    });
    await sweep(platform, at.system, { milliseconds: 77_000 });
    each = 0;
    for (let again = 0; again < 2; again += 1) {
      seen = [];
      await sweep(platform, at.system);
      expect(seen.sort()).toEqual(names);
    }
  });

  it("continues after a piece that crashed it", async () => {
    await openRuns(300);
    const looked = new Set<string>();
    const dying = looking(() => new Promise(() => undefined));
    void sweep(dying, at.system);
    await at.org.engines.clock.sleep(100);
    const platform = looking(async (name) => {
      looked.add(name);
      at.pass(1);
    });
    await sweep(platform, at.system, { milliseconds: 100_000 });
    expect(looked.size).toBeGreaterThanOrEqual(100);
    for (let again = 0; again < 3; again += 1) await sweep(platform, at.system, { milliseconds: 100_000 });
    expect(looked.size).toBe(300);
  });

  it("processes a limited number of pieces concurrently", async () => {
    await openRuns(40);
    let [now, most] = [0, 0];
    const platform = looking(async () => {
      now += 1;
      most = Math.max(most, now);
      await at.org.engines.clock.sleep(5);
      now -= 1;
    });
    await sweep(platform, at.system);
    expect(most).toBe(MAX_CONCURRENT_PIECES);
  });

  it("corrects the counters each time, and leaves time for retention", async () => {
    await openRuns(200);
    const platform = looking(async () => at.pass(10));
    const counter = { partition: "sys/open-runs", sort: "1" };
    await at.system.put(counter, { v: 1, open: 7 });
    const begun = at.org.engines.clock.now();
    await sweep(platform, at.system);
    expect((await at.system.get(counter))?.value).toEqual({ v: 1, open: 200 });
    // Part of the 280 s of its function.
    expect(at.org.engines.clock.now() - begun).toBeLessThan(150_000 + MAX_CONCURRENT_PIECES * 10_000);
    await sweepRetention(platform, at.system);
    expect((await at.system.get({ partition: "sys/retention", sort: "pass" }))?.value.nextAt).toBeDefined();
  });
});
