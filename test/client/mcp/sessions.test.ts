import { McpServer } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { SheafUnreachable } from "../../../client/errors.ts";
import { Sessions } from "../../../client/mcp/sessions.ts";

const HELLO = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };

const request = (message: object, session?: string): Request =>
  new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(session === undefined ? {} : { "Mcp-Session-Id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });

const newSessions = (now: () => number, knows = async (_key: string) => true): Sessions =>
  new Sessions({ make: () => new McpServer({ name: "test", version: "1.0.0" }), knows, maxRequestBytes: 10_000, now });

async function begin(sessions: Sessions, key = "key"): Promise<string> {
  const answer = await sessions.handle(request({ method: "initialize", params: HELLO }), key);
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? "";
}
const statusOf = async (sessions: Sessions, id: string, key = "key"): Promise<number> =>
  (await sessions.handle(request({ method: "ping" }, id), key)).status;

it("a session ends after half an hour without a request", async () => {
  let now = 0;
  const sessions = newSessions(() => now);
  const [used, idle] = [await begin(sessions), await begin(sessions)];
  now = 20 * 60_000;
  expect(await statusOf(sessions, used)).toBe(200);
  now = 31 * 60_000;
  expect([await statusOf(sessions, idle), await statusOf(sessions, used), sessions.size]).toEqual([404, 200, 1]);
  await sessions.close();
  expect(sessions.size).toBe(0);
});

it("beyond a key's limit, its session that was not used for longest ends, and none of another key", async () => {
  let now = 0;
  const sessions = newSessions(() => now);
  const other = await begin(sessions, "other");
  now = 1;
  const [first, second] = [await begin(sessions), await begin(sessions)];
  for (let count = 2; count < 20; count += 1) await begin(sessions);
  now = 2;
  expect(await statusOf(sessions, first)).toBe(200);
  await begin(sessions);
  expect([await statusOf(sessions, first), await statusOf(sessions, second)]).toEqual([200, 404]);
  expect([sessions.size, await statusOf(sessions, other, "other")]).toEqual([21, 200]);
  await sessions.close();
});

it("a key that the service does not know gets no session, and neither does one while the service is away", async () => {
  const unknown = newSessions(
    () => 0,
    async () => false,
  );
  const hello = () => request({ method: "initialize", params: HELLO });
  expect([(await unknown.handle(hello(), "key")).status, unknown.size]).toEqual([401, 0]);
  const away = newSessions(
    () => 0,
    async () => {
      throw new SheafUnreachable("http://127.0.0.1:2", "connection refused");
    },
  );
  const answer = await away.handle(hello(), "key");
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("connection refused")]);
});

it("a message that begins no session leaves none behind", async () => {
  const sessions = newSessions(() => 0);
  expect((await sessions.handle(request({ method: "tools/list" }), "key")).status).toBe(400);
  expect(sessions.size).toBe(0);
});
