/** kill -9 at every write of an upload and of a key's way: the audit has what was answered, and quotas count exactly. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { ChaosService } from "../support/chaos.ts";
import { isWrite } from "../support/fail-points.ts";
import { KEYS } from "../support/keys.ts";

interface Entry {
  method: string;
  path: string;
  resource: string;
  status: number;
}

const TEXT = "Total: 5.00 EUR";

/** The moments between writes of a piece of work, its last one included. */
async function pointsOf(service: ChaosService, work: () => Promise<unknown>): Promise<string[]> {
  await service.arm();
  await work();
  await sleep(300);
  const calls = await service.calls();
  return calls.flatMap((call, at) => (isWrite(call) ? [`${at + 1}:before`, `${at + 1}:after`] : []));
}

const entries = async (service: ChaosService): Promise<Entry[]> =>
  (await service.call("GET", "/audit?size=900")).entries;

describe("kill -9", () => {
  it("in an upload that its caller repeats: it has an entry, and counts once", async () => {
    await using service = new ChaosService();
    const upload = async (name: string): Promise<string> => {
      const headers = { "idempotency-key": name };
      return (await service.call("POST", "/document/upload", { body: () => form(TEXT), headers })).guid;
    };
    const points = await pointsOf(service, () => upload("undisturbed"));
    expect(points.length).toBeGreaterThan(6);
    for (const [at, point] of points.entries()) {
      await service.arm(point);
      const guid = await upload(`point-${at}`);
      const made = (await entries(service)).filter(({ resource }) => resource === guid);
      expect(made.length, point).toBeGreaterThan(0);
      expect([point, service.starts]).toEqual([point, at + 2]);
      expect(made[0], point).toMatchObject({ method: "POST", path: "/document/upload", status: 201 });
      const { use } = await service.call("GET", "/settings/view");
      expect([point, use]).toEqual([point, { documentsToday: at + 2, storedBytes: (at + 2) * TEXT.length }]);
    }
    console.log(`${points.length} kills`);
  });

  it("in a revocation: what was answered has an entry, and a key that works is listed", async () => {
    await using service = new ChaosService();
    const make = (): Promise<{ id: string; key: string }> =>
      service.call("POST", "/keys", {
        body: () => JSON.stringify({ name: "one", scopes: ["read"] }),
        headers: { "content-type": "application/json" },
      });
    const revoke = (id: string): Promise<number> =>
      fetch(`${service.url}/keys/${id}`, { method: "DELETE", headers: { authorization: `Bearer ${KEYS.one}` } }).then(
        ({ status }) => status,
        () => 0,
      );
    await service.up();
    const { id } = await make();
    const points = await pointsOf(service, () => revoke(id));
    expect(points.length).toBeGreaterThan(1);
    for (const point of points) {
      const key = await make();
      await service.arm(point);
      const status = await revoke(key.id);
      await service.up();
      const listed: { id: string }[] = await service.call("GET", "/keys");
      const isListed = listed.some((one) => one.id === key.id);
      const headers = { authorization: `Bearer ${key.key}` };
      expect([point, (await fetch(`${service.url}/user/me`, { headers })).status]).toEqual([
        point,
        isListed ? 200 : 401,
      ]);
      const found = (await entries(service)).some(({ method, resource }) => method === "DELETE" && resource === key.id);
      if (status === 204) expect([point, found, isListed]).toEqual([point, true, false]);
    }
  });
});
