/** Limits of the front in time, memory and connections, over raw sockets. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import {
  answer,
  answered,
  HOST,
  LIMITS,
  limit,
  POST,
  receiving,
  seen,
  send,
  started,
  stopFront,
} from "./front.support.ts";

afterEach(stopFront);

describe("a request whose body has not come", () => {
  it("is refused by its headers at once, and its connection is closed", async () => {
    const url = await started(async () => answer(401, "No key"));
    const raw = send(url, POST, HOST, "Content-Length: 900", "", "a part");
    expect(await answered(raw, /No key$/)).toMatch(/^HTTP\/1\.1 401 [\s\S]*Connection: close/);
    raw.socket.end("a".repeat(894));
    await raw.closed;
  });

  it("is not asked for its body before it is accepted", async () => {
    const expecting = [HOST, "Content-Length: 4", "Expect: 100-continue", "", ""];
    const refusing = await started(async () => answer(403, "No right"));
    const refused = send(refusing, POST, ...expecting);
    expect(await answered(refused, /No right$/)).toMatch(/^HTTP\/1\.1 403 /);
    await stopFront();
    const accepted = send(await started(receiving), POST, ...expecting);
    expect(await answered(accepted)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    accepted.socket.write("abcd");
    expect(await answered(accepted, /HTTP\/1\.1 200 [\s\S]*\r\n4$/)).not.toContain("Connection: close");
  });

  it.each(["Content-Length: 900", "Transfer-Encoding: chunked"])("ends after a silence: %s", async (head) => {
    const url = await started(receiving, { bodySilenceMs: 60 });
    const raw = send(url, POST, HOST, head, "", "3\r\nabc\r\n");
    expect(await answered(raw, /again$/)).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*Connection: close[\s\S]*nothing came for 0\.06 s/,
    );
  });

  it("is not ended while it goes on sending", async () => {
    const url = await started(receiving, { bodySilenceMs: 150 });
    const raw = send(url, POST, HOST, "Content-Length: 6", "", "");
    for (const letter of "abcdef") {
      await sleep(60);
      raw.socket.write(letter);
    }
    expect(await answered(raw, /6$/)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("arrives whole in pieces of one byte", async () => {
    let got = "";
    const url = await started(
      async ({ exchange }) => {
        got = Buffer.from((await exchange?.receive({ ...limit, bytes: 100_000 })) ?? []).toString();
        return answer(200, "ok");
      },
      { bodies: { ...LIMITS.bodies, bytes: 100_000, groupBytes: 100_000 } },
    );
    const text = Array.from({ length: 70_000 }, (_, index) => "0123456789"[index % 10]).join("");
    const raw = send(url, POST, HOST, "Transfer-Encoding: chunked", "", "");
    raw.socket.write([...text].map((letter) => `1\r\n${letter}\r\n`).join(""));
    raw.socket.write("0\r\n\r\n");
    await answered(raw, /ok$/);
    expect(got).toBe(text);
  });

  it("waits unread while other bodies fill the room, and is refused after a while", async () => {
    const release = Promise.withResolvers<void>();
    const url = await started(
      async (event) => {
        event.exchange?.admit("one");
        const done = await receiving(event);
        if (done.statusCode === 200) await release.promise;
        return done;
      },
      { bodies: { bytes: 2_000, groupBytes: 1_000, groupWaiting: 1, waitMs: 80 } },
    );
    const body = "a".repeat(1_000);
    const first = send(url, POST, HOST, "Content-Length: 1000", "", body);
    await sleep(30);
    const second = send(url, POST, HOST, "Content-Length: 1000", "", body);
    await sleep(10);
    const third = send(url, POST, HOST, "Content-Length: 1000", "", body);
    expect(await answered(third)).toMatch(/^HTTP\/1\.1 429 /);
    expect(second.text()).toBe("");
    expect(await answered(second, /again in 5 s$/)).toMatch(/^HTTP\/1\.1 429 [\s\S]*Your organization's requests/);
    release.resolve();
    expect(await answered(first)).toMatch(/^HTTP\/1\.1 200 /);
    await sleep(10);
    expect(await answered(send(url, POST, HOST, "Content-Length: 1000", "", body))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("connections", () => {
  it("have at most so many requests of one group under way", async () => {
    const release = Promise.withResolvers<void>();
    const url = await started(
      async ({ exchange }) => {
        try {
          exchange?.admit("one");
        } catch (error) {
          return answer(429, (error as Error).message);
        }
        await release.promise;
        return answer(200, "ok");
      },
      { groupRequests: 2 },
    );
    const waiting = [fetch(`${url}/job/a`), fetch(`${url}/job/b`)];
    while (seen.length < 2) await sleep(5);
    const refused = await fetch(`${url}/job/c`);
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("2 requests under way")]);
    release.resolve();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await fetch(`${url}/job/d`)).status).toBe(200);
  });

  it("at the limit, the longest idle one makes room; without one a new one is told to try again", async () => {
    const release = Promise.withResolvers<void>();
    const url = await started(
      async () => {
        await release.promise;
        return answer(200, "ok");
      },
      { connections: 2 },
    );
    const idle = send(url);
    const halfHead = send(url, "GET /job/a HTTP/1.1", "Host: a");
    await sleep(20);
    const first = send(url, "GET /job/a HTTP/1.1", HOST, "", "");
    await idle.closed;
    const second = send(url, "GET /job/b HTTP/1.1", HOST, "", "");
    await halfHead.closed;
    while (seen.length < 2) await sleep(5);
    const third = send(url, "GET /job/c HTTP/1.1", HOST, "", "");
    await third.closed;
    expect(third.text()).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*All connections/);
    release.resolve();
    for (const raw of [first, second]) expect(await answered(raw, /ok$/)).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen.length).toBe(2);
  });

  it.each([
    ["no HTTP", ["HELLO", "", ""], 400, /not well-formed/],
    ["headers over the limit", ["GET / HTTP/1.1", `X-Long: ${"a".repeat(20_000)}`, "", ""], 431, /16,384 bytes/],
    ["another host", ["GET /beside HTTP/1.1", "Host: evil.example", "", ""], 421, /Not this host/],
  ])("answer %s with a sentence", async (_name, lines, status, sentence) => {
    const text = await answered(send(await started(), ...lines), sentence);
    expect(text).toContain("X-Request-Id: request-1");
    expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  });

  it("end with a sentence when the headers do not come", async () => {
    const url = await started(undefined, { headersMs: 200 });
    const raw = send(url, "GET / HTTP/1.1", "Host: a");
    await raw.closed;
    expect(raw.text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*within the time/);
  });
});
