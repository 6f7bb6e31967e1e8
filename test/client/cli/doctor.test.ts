/** `sheaf doctor` before services in several states. */
import { describe, expect, it } from "vitest";
import { sheaf, type World } from "./memory-io.ts";

const HEALTH = {
  status: "ok",
  version: "0.1.0",
  engines: {
    ocr: { name: "OCR", on: true, detail: "Tesseract" },
    model: { name: "model", on: false, detail: "the offline extractor does the work" },
  },
};
const ME = { id: "k1", email: null, organizationId: 7, scopes: ["read", "write"] };
const BALANCE = { organizationId: 7, balance: 9, status: "active", held: 0, available: 9 };
const WEBHOOK = { url: "https://hooks.test/x", secretCreatedAt: null, previousSecretExpiresAt: null, disabled: null };

type Answers = Record<string, object | number>;
const SOUND: Answers = {
  "/health": HEALTH,
  "/user/me": ME,
  "/billing/balance": BALANCE,
  "/settings/webhook": WEBHOOK,
};

/** Runs the doctor before a service that gives these answers; a number is a refusal with that status. */
async function examine(answers: Answers, world: World = {}) {
  const fetch: typeof globalThis.fetch = async (input) => {
    const answer = { ...SOUND, ...answers }[new URL(String(input)).pathname] ?? 404;
    if (typeof answer !== "number") return Response.json(answer);
    if (answer === 0) throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    return Response.json({ message: `Refused with ${answer}`, status: answer }, { status: answer });
  };
  const outcome = await sheaf(["doctor", "--json"], { fetch, ...world });
  const { ok, findings } = JSON.parse(outcome.stdout) as {
    ok: boolean;
    findings: { what: string; verdict: string; detail: string; advice?: string }[];
  };
  return { ...outcome, ok, of: (what: string) => findings.find((one) => one.what === what) };
}

describe("sheaf doctor", () => {
  it("finds a service in order: its version and engines, the key's scopes, the balance and the webhook", async () => {
    const { exitCode, ok, of } = await examine({});
    expect([exitCode, ok]).toEqual([0, true]);
    expect(of("service")?.detail).toBe("http://127.0.0.1:3000 (the default) answers, version 0.1.0");
    expect(of("engine ocr")).toMatchObject({ verdict: "ok", detail: "Tesseract" });
    expect(of("engine model")).toMatchObject({ verdict: "off" });
    expect(of("key")?.detail).toContain(
      "k1 (the default of a service on this machine) of organization 7, scopes read, write",
    );
    expect(of("billing")).toMatchObject({ verdict: "ok", detail: "9 tokens available" });
    expect(of("webhook")).toMatchObject({ verdict: "ok", detail: "https://hooks.test/x" });
  });

  it("names a refused key and what to do, and exits with 1", async () => {
    const { exitCode, ok, of } = await examine({ "/user/me": 401 });
    expect([exitCode, ok]).toEqual([1, false]);
    expect(of("key")).toMatchObject({ verdict: "missing", advice: expect.stringContaining("sheaf configure") });
    expect(of("billing")).toBeUndefined();
  });

  it("tells a key that lacks the scope read from one that is refused", async () => {
    const { exitCode, of } = await examine({ "/user/me": 403 });
    expect(exitCode).toBe(0);
    expect(of("key")).toMatchObject({ verdict: "off", advice: expect.stringContaining("scope read") });
    expect(of("billing")).toMatchObject({ verdict: "ok" });
  });

  it("names a service that does not answer, and exits with 4", async () => {
    const { exitCode, of } = await examine({ "/health": 0 });
    expect(exitCode).toBe(4);
    expect(of("service")).toMatchObject({ verdict: "missing", advice: expect.stringContaining("npm start") });
  });

  it("tells an empty balance and a disabled webhook as faults, and a part that the key may not see as none", async () => {
    const spent = await examine({
      "/billing/balance": { ...BALANCE, status: "exhausted", available: 0 },
      "/settings/webhook": { ...WEBHOOK, disabled: { at: "2026-01-01T00:00:00Z", failingSince: "", reason: "404" } },
    });
    expect(spent.exitCode).toBe(1);
    expect(spent.of("billing")).toMatchObject({
      verdict: "missing",
      advice: expect.stringContaining("billing prices"),
    });
    expect(spent.of("webhook")?.detail).toContain("disabled since 2026-01-01T00:00:00Z: 404");
    const reader = await examine({ "/settings/webhook": 403 });
    expect([reader.exitCode, reader.of("webhook")?.detail]).toEqual([
      0,
      expect.stringContaining("lacks the scope admin"),
    ]);
  });

  it("tells of saved settings that are spoilt or that others can read", async () => {
    const place = "/home/ada/.config/sheaf/config.json";
    const env = { HOME: "/home/ada" };
    const spoilt = await examine({}, { env, files: { [place]: "{" } });
    expect([spoilt.exitCode, spoilt.of("settings")?.advice]).toEqual([1, `Mend or delete ${place}`]);
    const open = await examine({}, { env, files: { [place]: "{}" }, othersMayRead: true });
    expect([open.exitCode, open.of("settings")?.advice]).toEqual([1, `chmod 600 ${place}`]);
  });

  it("prints a line for each finding to people, in colour on a terminal only", async () => {
    const fetch = async (input: string | URL | Request) =>
      Response.json(SOUND[new URL(String(input)).pathname] ?? {}, { status: 200 });
    const plain = await sheaf(["doctor"], { fetch });
    expect(plain.stdout).toContain("✓ key           k1");
    expect(plain.stdout).not.toContain("\u001b");
    expect((await sheaf(["doctor"], { fetch, columns: 100 })).stdout).toContain("\u001b[32m✓\u001b[39m");
    expect((await sheaf(["doctor"], { fetch, columns: 100, env: { NO_COLOR: "1" } })).stdout).not.toContain("\u001b");
  });
});
