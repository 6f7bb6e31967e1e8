/** Keys that an organization makes, rotates and revokes, over real records with a clock that the test moves. */
import { createSecretKey } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_MEMORY_MS, Keyring } from "../../../../functions/service/organizations/api-keys.ts";
import {
  MAX_KEYS,
  type OrganizationKeys,
  organizationKeys,
} from "../../../../functions/service/organizations/issued-keys.ts";
import { keyHash, keyRecordKey, keyUse, type Scope } from "../../../../functions/service/organizations/key-records.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

const SERVER_KEY = Buffer.alloc(32, 7);
const hash = async (key: string): Promise<string> => keyHash(createSecretKey(SERVER_KEY), key).toString("hex");

let at: TestPlatform;
let keyring: Keyring;
let keys: OrganizationKeys;
const clock = () => at.platform.engines.clock;
const keysOf = (id: number) => organizationKeys(at.platform.records, id, { clock: clock(), hash });

beforeEach(() => {
  at = testPlatform();
  keyring = new Keyring(at.system, SERVER_KEY, clock());
  keys = keysOf(1);
});
afterEach(() => at.close());

const make = (name: string, scopes: Scope[], more = {}) => keys.issue({ name, scopes, ...more });
const ask = (key: string) => keyring.authenticate(`Bearer ${key}`);
const forget = () => at.pass(KEY_MEMORY_MS / 1000);

describe("a new key", () => {
  it("is its organization's with its scopes, and is nowhere in the records", async () => {
    const { key, id } = await make("one", ["read", "write"]);
    expect(key).toMatch(/^sheaf_1_[A-Za-z0-9]{16}_[A-Za-z0-9]{40}$/);
    expect(await ask(key)).toEqual({ organizationId: 1, keyId: id, scopes: ["read", "write"] });
    const { items } = await at.system.query({ partition: "sys/keys" });
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(key.slice(-40));
  });

  it("has no scope that its giver lacks, and ends in the future", async () => {
    const wish = { name: "more", scopes: ["read", "write"] as const };
    await expect(keys.issue(wish, ["read", "admin"])).rejects.toMatchObject({
      kind: "Forbidden",
      message: expect.stringContaining("'write'"),
    });
    await expect(make("late", ["read"], { expiresAt: "2020-01-01T00:00:00Z" })).rejects.toThrow("time to come");
    await expect(keys.issue({ scopes: ["read"] })).rejects.toThrow("name and scopes are needed");
    expect(await keys.list()).toEqual([]);
  });

  it("is refused from its end on", async () => {
    const expiresAt = new Date(clock().now() + 60_000).toISOString();
    const { key } = await make("short", ["read"], { expiresAt });
    expect(await ask(key)).toMatchObject({ organizationId: 1 });
    at.pass(60);
    await expect(ask(key)).rejects.toThrow("This API key has expired");
  });

  it("is one of at most so many", async () => {
    for (let count = 0; count < MAX_KEYS; count += 1) await make(`k${count}`, ["read"]);
    await expect(make("one more", ["read"])).rejects.toThrow(`at most ${MAX_KEYS} API keys`);
    expect((await keysOf(2).issue({ name: "another's", scopes: ["read"] })).name).toBe("another's");
  });
});

describe("a list of keys", () => {
  it("has the organization's own, oldest first, with the day of their last use, and the environment's", async () => {
    await keyring.replaceEnvironmentKeys([{ organizationId: 1, key: "key-of-the-environment", scopes: ["admin"] }]);
    at.pass(1);
    const one = await make("one", ["read"]);
    await keysOf(2).issue({ name: "theirs", scopes: ["read"] });
    await ask(one.key);
    await keyring.noted();
    const listed = await keys.list();
    expect(listed.map(({ name }) => name)).toEqual(["SHEAF_API_KEYS", "one"]);
    const today = new Date(clock().now()).toISOString().slice(0, 10);
    expect(listed.map(({ lastUsedOn }) => lastUsedOn)).toEqual([null, today]);
    expect(JSON.stringify(listed)).not.toMatch(/hash|sheaf_1|environment"/);
  });
});

describe("the day of a key's last use", () => {
  it("is written once a day, by whichever processes use it", async () => {
    const { key, id } = await make("busy", ["read"]);
    const version = async () => (await at.system.get(keyUse(1, id)))?.version;
    for (let count = 0; count < 20; count += 1) await ask(key);
    await keyring.noted();
    const other = new Keyring(at.system, SERVER_KEY, clock());
    await other.authenticate(`Bearer ${key}`);
    await other.noted();
    expect(await version()).toBe(1);
    at.pass(24 * 3600);
    await ask(key);
    await keyring.noted();
    expect(await version()).toBe(2);
  });
});

describe("a revoked key", () => {
  it("is refused everywhere within a second, and is not listed", async () => {
    await make("admin", ["admin"]);
    const { key, id } = await make("old", ["read"]);
    await ask(key);
    await keys.revoke(id);
    forget();
    await expect(ask(key)).rejects.toThrow("This API key was revoked");
    expect((await keys.list()).map(({ name }) => name)).toEqual(["admin"]);
    await expect(keys.revoke(id)).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("is the organization's own, and none of the environment's", async () => {
    const theirs = await keysOf(2).issue({ name: "theirs", scopes: ["read"] });
    await expect(keys.revoke(theirs.id)).rejects.toMatchObject({ kind: "NotFound" });
    await keyring.replaceEnvironmentKeys([{ organizationId: 1, key: "key-of-the-environment", scopes: ["admin"] }]);
    const [given] = await keys.list();
    await expect(keys.revoke(given?.id ?? "")).rejects.toThrow("is given by SHEAF_API_KEYS");
  });

  it("is never the last one that can make another, unless the operator says so", async () => {
    const one = await make("one", ["admin"]);
    await make("reader", ["read"]);
    await expect(keys.revoke(one.id)).rejects.toMatchObject({ kind: "Conflict", message: /last one .* 'admin'/ });
    const two = await make("two", ["admin", "read"]);
    await keys.revoke(one.id);
    await expect(keys.revoke(two.id)).rejects.toThrow("last one");
    await keys.revoke(two.id, { last: true });
    expect((await keys.list()).map(({ name }) => name)).toEqual(["reader"]);
  });

  it("leaves one of two that are revoked at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await make("one", ["admin"]), await make("two", ["admin"])];
      const ended = await Promise.allSettled([keys.revoke(one.id), keysOf(1).revoke(two.id)]);
      const left = await keys.list();
      expect(left.length, JSON.stringify(ended)).toBe(1);
      for (const { id } of left) await keys.revoke(id, { last: true });
    }
  });
});

describe("a rotation", () => {
  it("makes a key of the same name and scopes, and the old one works until the overlap ends", async () => {
    await make("admin", ["admin"]);
    const old = await make("exporter", ["read", "billing"]);
    const fresh = await keys.issue({ replaces: old.id, overlapHours: 2 });
    expect([fresh.name, fresh.scopes]).toEqual(["exporter", ["read", "billing"]]);
    at.pass(2 * 3600 - 10);
    expect(await ask(old.key)).toMatchObject({ keyId: old.id });
    expect(await ask(fresh.key)).toMatchObject({ keyId: fresh.id });
    at.pass(10);
    await expect(ask(old.key)).rejects.toThrow("expired");
    expect(await ask(fresh.key)).toMatchObject({ keyId: fresh.id });
    await expect(keys.issue({ replaces: old.id })).rejects.toThrow("has expired");
  });

  it("never lengthens a key's life", async () => {
    const expiresAt = new Date(clock().now() + 3_600_000).toISOString();
    const old = await make("short", ["admin"], { expiresAt });
    at.pass(1);
    await keys.issue({ replaces: old.id, overlapHours: 48 });
    expect((await keys.list()).map((key) => key.expiresAt)).toEqual([expiresAt, null]);
  });

  it("does not end the last key with the scope admin for one without it", async () => {
    const old = await make("admin", ["admin", "read"]);
    await expect(keys.issue({ replaces: old.id, scopes: ["read"] })).rejects.toThrow("last one");
    expect(await keys.list()).toHaveLength(1);
    await keys.issue({ replaces: old.id, overlapHours: 0 });
    forget();
    await expect(ask(old.key)).rejects.toThrow("expired");
  });

  it("takes scopes that its caller has only", async () => {
    const old = await make("writer", ["write", "admin"]);
    await expect(keys.issue({ replaces: old.id }, ["admin"])).rejects.toMatchObject({ kind: "Forbidden" });
    const record = await at.system.get(keyRecordKey(old.id));
    expect(record?.version).toBe(1);
  });
});
