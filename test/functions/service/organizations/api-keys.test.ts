import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_MEMORY_MS, Keyring } from "../../../../functions/service/organizations/api-keys.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

const SERVER_KEY = new Uint8Array(32).fill(7);
const ISSUED = "sheaf_3_k1k2k3k4_s3cr3ts3cr3ts3cr3t";

let at: TestPlatform;
let keyring: Keyring;
beforeEach(async () => {
  at = testPlatform();
  keyring = new Keyring(at.system, SERVER_KEY, at.platform.engines.clock);
  await keyring.replaceEnvironmentKeys([{ organizationId: 1, key: "key-a", scopes: ["read", "write"] }]);
});
afterEach(() => at.close());

/** An issued key with its record. */
async function issue(more: Record<string, unknown> = {}): Promise<void> {
  const hash = createHmac("sha256", SERVER_KEY).update(ISSUED).digest("hex");
  const value = {
    v: 1,
    organizationId: 3,
    hash,
    scopes: ["read"],
    managedBy: "api",
    createdAt: "2026-01-01T00:00:00.000Z",
    ...more,
  };
  await at.system.put({ partition: "sys/keys", sort: "k1k2k3k4" }, value);
}

describe("Keyring.authenticate", () => {
  it("gives the caller of a key", async () => {
    expect(await keyring.authenticate("Bearer key-a")).toMatchObject({ organizationId: 1, scopes: ["read", "write"] });
    expect(await keyring.authenticate("bearer key-a")).toMatchObject({ organizationId: 1 });
    await issue();
    expect(await keyring.authenticate(`Bearer ${ISSUED}`)).toMatchObject({ organizationId: 3, keyId: "k1k2k3k4" });
  });

  it.each([
    undefined,
    "",
    "key-a",
    "Basic key-a",
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer key-b",
    `Bearer ${ISSUED}`,
    "Bearer k\u00e9y",
  ])("refuses %j", async (header) => {
    await expect(keyring.authenticate(header)).rejects.toMatchObject({ kind: "Unauthorized" });
  });

  it("refuses a wrong secret, a revoked key and an expired one", async () => {
    await issue();
    await expect(keyring.authenticate(`Bearer ${ISSUED}x`)).rejects.toThrow("Unknown API key");
    await issue({ revokedAt: "2026-02-01T00:00:00.000Z" });
    at.pass(KEY_MEMORY_MS / 1000);
    await expect(keyring.authenticate(`Bearer ${ISSUED}`)).rejects.toThrow("revoked");
    at.pass(KEY_MEMORY_MS / 1000);
    await issue({ expiresAt: new Date(at.platform.engines.clock.now() + 60_000).toISOString() });
    expect(await keyring.authenticate(`Bearer ${ISSUED}`)).toMatchObject({ organizationId: 3 });
    at.pass(61);
    await expect(keyring.authenticate(`Bearer ${ISSUED}`)).rejects.toThrow("expired");
  });

  it("reads the record of a key that is used again once a second, and refuses a revoked one after that", async () => {
    await issue();
    expect(await keyring.authenticate(`Bearer ${ISSUED}`)).toMatchObject({ organizationId: 3 });
    await issue({ revokedAt: "2026-02-01T00:00:00.000Z" });
    expect(KEY_MEMORY_MS).toBe(1_000);
    at.pass(0.9);
    expect(await keyring.authenticate(`Bearer ${ISSUED}`)).toMatchObject({ organizationId: 3 });
    await expect(keyring.authenticate(`Bearer ${ISSUED}x`)).rejects.toThrow("Unknown API key");
    at.pass(0.1);
    await expect(keyring.authenticate(`Bearer ${ISSUED}`)).rejects.toThrow("revoked");
  });

  it("finds a key at once that was unknown before", async () => {
    await expect(keyring.authenticate(`Bearer ${ISSUED}`)).rejects.toThrow("Unknown API key");
    await issue();
    expect(await keyring.authenticate(`Bearer ${ISSUED}`)).toMatchObject({ organizationId: 3 });
  });

  it("refuses environment keys that are no longer configured, and no others", async () => {
    await issue();
    await keyring.replaceEnvironmentKeys([{ organizationId: 2, key: "key-b", scopes: ["read"] }]);
    await expect(keyring.authenticate("Bearer key-a")).rejects.toThrow("Unknown API key");
    expect(await keyring.authenticate("Bearer key-b")).toMatchObject({ organizationId: 2 });
    expect(await keyring.authenticate(`Bearer ${ISSUED}`)).toMatchObject({ organizationId: 3 });
  });

  it("finds stored only the key's hash under the server key", async () => {
    const { items } = await at.system.query({ partition: "sys/keys" });
    expect(JSON.stringify(items)).not.toContain("key-a");
    const other = new Keyring(at.system, new Uint8Array(32).fill(8), at.platform.engines.clock);
    await expect(other.authenticate("Bearer key-a")).rejects.toThrow("Unknown API key");
  });
});
