/** Clients that the service does not know yet, and clients that do not send their bodies. */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { KEYS } from "../support/keys.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends text as it is. @returns what came until now */
function send(url: string, text: string | Uint8Array): () => string {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  sockets.push(socket);
  let got = "";
  socket.on("data", (data) => {
    got += data;
  });
  socket.on("error", () => undefined);
  socket.write(text);
  return () => got;
}

async function answered(got: () => string): Promise<string> {
  for (let round = 0; round < 400 && !/\r\n\r\n\{.*\}/.test(got()); round += 1) await sleep(5);
  return got();
}

const head = (target: string, headers: Record<string, string>): string =>
  `${target} HTTP/1.1\r\n${Object.entries({ Host: "127.0.0.1", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });

describe("with own keys, a request", () => {
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService({
      env: { SHEAF_RATE_LIMIT: "1:6" },
      frontLimits: { bodySilenceMs: 100 },
    });
  });
  afterAll(() => target.close());

  const form = { "Content-Type": "multipart/form-data; boundary=b" };
  const rows: [string, string, Record<string, string>, number, RegExp][] = [
    ["without a key", "POST /document/upload", {}, 401, /No API key/],
    ["with an unknown key", "POST /document/upload", bearer("nobody-knows-this-key"), 401, /Unknown API key/],
    ["without the scope", "POST /document/upload", bearer(KEYS.reader), 403, /lacks the scope 'write'/],
    ["without a route", "POST /no/such/route", bearer(KEYS.one), 404, /No route/],
    ["over the limit of a request", "POST /document/upload", bearer(KEYS.one), 413, /over 15 MB/],
    ["over the limit of JSON", "PUT /settings/webhook", bearer(KEYS.one), 413, /over 1 MB/],
  ];
  it.each(rows)("is answered before its body has come %s", async (_name, place, headers, status, sentence) => {
    const begun = performance.now();
    const text = await answered(
      send(target.url, head(place, { ...form, ...headers, "Content-Length": "100000000" }) + "a".repeat(1000)),
    );
    expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(text).toMatch(sentence);
    expect(text).toMatch(/Connection: close/);
    expect(text).toMatch(/X-Request-Id: /);
    expect(performance.now() - begun).toBeLessThan(1_500);
  });

  it("ends after a silence within its body by 408, and counts once under the rate limit", async () => {
    const sent = head("POST /document/upload", { ...form, ...bearer(KEYS.two), "Content-Length": "1000" });
    const text = await answered(send(target.url, `${sent}a part`));
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    expect(text).toMatch(/X-RateLimit-Remaining: 5/);
    expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({
      status: 408,
      error: "RequestTimeout",
      path: "/document/upload",
      message: "The body stopped: nothing came for 0.1 s; send the request again",
    });
  });

  it("is answered before its body has come over the rate limit", async () => {
    for (let call = 0; call < 6; call += 1) await target.other.get("/job/list");
    const sent = head("POST /document/upload", { ...form, ...bearer(KEYS.two), "Content-Length": "1000" });
    expect(await answered(send(target.url, sent))).toMatch(/^HTTP\/1\.1 429 /);
  });

  const metrics = async (headers: Record<string, string>): Promise<string> => {
    const got = send(target.url, head("GET /metrics", headers));
    for (let round = 0; round < 400 && !got().includes("\r\n\r\n"); round += 1) await sleep(5);
    return got();
  };

  it("for metrics is answered to this machine only, and to no proxy nor a page under another name", async () => {
    expect(await metrics({})).toMatch(/^HTTP\/1\.1 200 /);
    for (const headers of [
      { "X-Forwarded-For": "192.0.2.1" },
      { "X-Forwarded-Proto": "https" },
      { Forwarded: "for=192.0.2.1" },
      { Via: "1.1 proxy" },
      { Host: "metrics.example" },
    ]) {
      expect(await metrics(headers as Record<string, string>), JSON.stringify(headers)).toMatch(/^HTTP\/1\.1 404 /);
    }
  });
});

describe("with the default key", () => {
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService({
      env: { SHEAF_API_KEYS: `1:sheaf-local:read+write+admin`, SHEAF_ALLOWED_HOSTS: "box.example" },
    });
  });
  afterAll(() => target.close());

  const ask = async (place: string, headers: Record<string, string>, body = ""): Promise<string> =>
    (await answered(send(target.url, head(place, { ...bearer("sheaf-local"), ...headers }) + body))).split(
      "\r\n\r\n",
    )[0] ?? "";

  it.each([
    "GET /user/me",
    "GET /health",
    "GET /metrics",
    "GET /openapi.json",
    "GET /blobs/x",
    "PUT /settings/webhook",
  ])("a page whose name leads to this machine is refused: %s", async (place) => {
    const json = '{"url":"https://evil.example/"}';
    const headers = {
      Host: "rebound.evil.example",
      "Content-Type": "application/json",
      "Content-Length": `${json.length}`,
    };
    expect(await ask(place, headers, json)).toMatch(/^HTTP\/1\.1 421 /);
  });

  it("names of this machine and of SHEAF_ALLOWED_HOSTS are accepted", async () => {
    for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000", "box.example:8080"]) {
      expect(await ask("GET /user/me", { Host: host }), host).toMatch(/^HTTP\/1\.1 200 /);
    }
    const json = '{"url":null}';
    const set = await ask(
      "PUT /settings/webhook",
      { "Content-Type": "application/json", "Content-Length": `${json.length}` },
      json,
    );
    expect(set).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a service that others reach", () => {
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService({ env: { HOST: "0.0.0.0" }, frontLimits: { bodySilenceMs: 60_000 } });
  });
  afterAll(() => target.close());

  it("sends no webhook to its own machine", async () => {
    const answer = await target.api.call("PUT", "/settings/webhook", { json: { url: "http://127.0.0.1:9999/" } });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.message).toBe("The url must begin with https://");
  });

  it("serves an organization whose other requests wait for their bodies", async () => {
    const half = head("POST /document/upload", {
      ...bearer(KEYS.one),
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": "1000",
    });
    const unanswered = Array.from({ length: 20 }, () => send(target.url, `${half}a part`));
    for (const api of [target.api, target.other]) expect((await api.get("/user/me")).status).toBe(200);
    expect(unanswered.map((got) => got()).join("")).toBe("");
  });
});

describe("fifty senders that stop", () => {
  const SENDERS = 50;
  const BODY_BYTES = 14_900_000;
  const SENT_BYTES = 14_500_000;
  /** A fifth of what is sent: four bodies of one organization, and what the system and the parser hold. */
  const MAX_HELD_BYTES = 150_000_000;

  const residentBytes = (pid: number): number =>
    1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

  it.skipIf(process.platform !== "linux")("hold little memory, and keep nobody else out", async () => {
    const service = await startServiceProcess({
      SHEAF_API_KEYS: `1:${KEYS.one}:read+write,2:${KEYS.two}:read+write`,
    });
    try {
      const before = residentBytes(service.pid);
      const begin = head("POST /document/upload", {
        ...bearer(KEYS.one),
        "Content-Type": "multipart/form-data; boundary=b",
        "Content-Length": String(BODY_BYTES),
      });
      const bytes = Buffer.concat([Buffer.from(begin), Buffer.alloc(SENT_BYTES, "a")]);
      const answers = Array.from({ length: SENDERS }, () => send(service.url, bytes));
      await sleep(800);
      // A body that needs room, and no document process, for which a slow machine may let it wait.
      const saved = await fetch(`${service.url}/configuration/mine`, {
        method: "POST",
        headers: { ...bearer(KEYS.two), "Content-Type": "application/json" },
        body: "{}",
      });
      expect(saved.status).toBe(201);
      const held = residentBytes(service.pid) - before;
      expect(held, `${Math.round(held / 1e6)} MB`).toBeLessThan(MAX_HELD_BYTES);
      // On a slow machine some have been answered by now: by the end of their body, or of its wait for room.
      for (const got of answers) expect(got()).toMatch(/^($|HTTP\/1\.1 (408|429) )/);
    } finally {
      service.stop();
    }
  });
});
