/** Refused keys slow their source down; valid keys pass at once, and the count has a bound. */
import { describe, expect, it } from "vitest";
import { TooManyRequests, Unauthorized } from "../../../../functions/ports/errors.ts";
import { type Caller, RefusedKey } from "../../../../functions/service/organizations/api-keys.ts";
import { FailedKeys, sourceGroup } from "../../../../functions/service/organizations/failed-keys.ts";

const CALLER: Caller = { organizationId: 1, keyId: "k", scopes: ["read"] };
const FREE_FAILURES = 100;

function setUp(maxWaiting = 50) {
  let now = 1_000_000;
  const slept: number[] = [];
  const counted: string[] = [];
  const logged: string[] = [];
  const keys = new FailedKeys({
    clock: { now: () => now, sleep: async (milliseconds) => void slept.push(milliseconds) },
    observer: { count: (metric) => counted.push(metric), log: (level, message) => logged.push(`${level} ${message}`) },
    maxWaiting,
  });
  const fail = (source: string): Promise<unknown> =>
    keys.authenticate(source, () => Promise.reject(new RefusedKey("Unknown API key"))).catch((error: unknown) => error);
  const failures = async (source: string, count: number): Promise<unknown> => {
    let last: unknown;
    for (let index = 0; index < count; index += 1) last = await fail(source);
    return last;
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { keys, slept, counted, logged, fail, failures, pass };
}

describe("FailedKeys", () => {
  it("answers some refused keys at once, and more of the same source later and later", async () => {
    const { failures, slept, counted, logged } = setUp();
    expect(await failures("192.0.2.1", FREE_FAILURES)).toBeInstanceOf(RefusedKey);
    expect(slept).toEqual([]);
    await failures("192.0.2.1", 30);
    expect(slept.slice(0, 3)).toEqual([100, 200, 300]);
    expect(Math.max(...slept)).toBe(2_000);
    expect(counted).toHaveLength(FREE_FAILURES + 30);
    expect(logged).toEqual(["warn many refused API keys: answers to this source are slowed"]);
  });

  it("never slows a valid key, nor another source", async () => {
    const { keys, failures, fail, slept } = setUp();
    await failures("192.0.2.1", FREE_FAILURES + 5);
    slept.length = 0;
    expect(await keys.authenticate("192.0.2.1", async () => CALLER)).toBe(CALLER);
    await fail("192.0.2.2");
    expect(slept).toEqual([]);
  });

  it("does not count requests without a key, nor errors of the service", async () => {
    const { keys, counted } = setUp();
    for (const error of [new Unauthorized("No API key"), new Error("The records are down")]) {
      await expect(keys.authenticate("192.0.2.1", () => Promise.reject(error))).rejects.toBe(error);
    }
    expect(counted).toEqual([]);
  });

  it("forgives with time", async () => {
    const { failures, fail, slept, pass } = setUp();
    await failures("192.0.2.1", FREE_FAILURES + 1);
    pass(60_000);
    slept.length = 0;
    await fail("192.0.2.1");
    expect(slept).toEqual([]);
  });

  it("refuses by 429 where too many answers wait", async () => {
    const { failures, slept } = setUp(0);
    const refused = await failures("192.0.2.1", FREE_FAILURES + 7);
    expect(refused).toBeInstanceOf(TooManyRequests);
    expect(refused).toMatchObject({ retryAfter: 7, message: expect.stringContaining("send a valid key") });
    expect(slept).toEqual([]);
  });

  it("remembers a bounded number of sources, the latest ones", async () => {
    const { keys, fail, failures, slept } = setUp();
    await failures("192.0.2.1", FREE_FAILURES + 1);
    for (let index = 0; index < 9_999; index += 1) await fail(`10.0.${index >> 8}.${index & 255}`);
    expect(keys.sources).toBe(10_000);
    await fail("192.0.2.1");
    for (let index = 0; index < 9_999; index += 1) await fail(`10.1.${index >> 8}.${index & 255}`);
    expect(keys.sources).toBe(10_000);
    slept.length = 0;
    await fail("192.0.2.1");
    expect(slept).toHaveLength(1);
  });

  it("counts the addresses of one IPv6 customer together", () => {
    expect(sourceGroup("192.0.2.1")).toBe("192.0.2.1");
    expect(sourceGroup("::ffff:192.0.2.1")).toBe("::ffff:192.0.2.1");
    expect(sourceGroup("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
    expect(sourceGroup("2001:db8:1:2::9")).toBe("2001:db8:1:2");
    expect(sourceGroup("2001:db8::1")).toBe("2001:db8:0:0");
    expect(sourceGroup("::1")).toBe("0:0:0:0");
  });
});
