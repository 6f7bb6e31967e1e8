/** Tests every difference of /compat, and that there are no others, also in future routes. */
import { describe, expect, it } from "vitest";
import { compatible, withCompat } from "../../../../functions/api/http/compat.ts";
import { ROUTES } from "../../../../functions/api/routes.ts";
import type { HttpAnswer, HttpEvent } from "../../../../functions/ports/http.ts";

interface Asked {
  query?: Record<string, string>;
  authorization?: string;
}

/**
 * Requests a route below the prefix (or above it) that answers this. @returns the answer, and the request the route got
 */
async function ask(
  routeKey: string,
  answer: Partial<HttpAnswer>,
  { query = {}, authorization }: Asked = {},
  prefix = "/compat",
): Promise<{ answer: HttpAnswer; asked: HttpEvent }> {
  let asked: HttpEvent | undefined;
  const handler = compatible(async (event) => {
    asked = event;
    const headers = { "Content-Type": "application/json" };
    return { statusCode: 200, headers, body: "", isBase64Encoded: false, ...answer };
  });
  const [method = "", path = ""] = routeKey.split(" ");
  const answered = await handler({
    version: "2.0",
    routeKey: `${method} ${prefix}${path}`,
    rawPath: `${prefix}${path.replaceAll(/[{}]/g, "")}`,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { authorization },
    queryStringParameters: query,
    requestContext: { requestId: "r", http: { method, path, sourceIp: "" }, timeEpoch: 0 },
    isBase64Encoded: false,
  });
  if (asked === undefined) throw new Error("No route was asked");
  return { answer: answered, asked };
}

const told = async (routeKey: string, body: unknown, statusCode = 200): Promise<unknown> =>
  JSON.parse((await ask(routeKey, { body: JSON.stringify(body), statusCode })).answer.body);

describe("routes below /compat", () => {
  it("serve every route again, and call it by its own key", async () => {
    const paths = withCompat(ROUTES).map(({ method, path }) => `${method} ${path}`);
    for (const { method, path } of ROUTES) expect(paths).toContain(`${method} /compat${path}`);
    expect(paths).toHaveLength(2 * ROUTES.length);
    const { asked } = await ask("GET /job/status/{guid}", { body: "{}" });
    expect([asked.routeKey, asked.rawPath]).toEqual(["GET /job/status/{guid}", "/job/status/guid"]);
    const plain = await ask("GET /job/status/{guid}", { body: '{"status":"FAILED"}' }, {}, "");
    expect([plain.asked.routeKey, plain.answer.body]).toEqual(["GET /job/status/{guid}", '{"status":"FAILED"}']);
  });

  it.each([
    [
      { status: "FAILED", error: "Processing failed: x" },
      { status: "ERROR", error: "Processing failed: x" },
    ],
    [
      { status: "FAILED", error: null },
      { status: "ERROR", error: "Processing failed" },
    ],
    [
      { status: "CANCELLED", error: null },
      { status: "ERROR", error: "Cancelled" },
    ],
    [
      { status: "PARTIAL", error: "2 of 3 documents failed", failedDocs: 2 },
      { status: "COMPLETED", error: null, failedDocs: 2 },
    ],
    [
      { status: "COMPLETED", error: null },
      { status: "COMPLETED", error: null },
    ],
    [
      { status: "PROCESSING", error: null },
      { status: "PROCESSING", error: null },
    ],
    [
      { guid: "g", status: "FAILED" },
      { guid: "g", status: "ERROR" },
    ],
  ])("translate a job's %o to %o", async (body, expected) => {
    for (const routeKey of ["GET /job/status/{guid}", "POST /job/{guid}/cancel", "POST /document/process/{guid}"]) {
      expect(await told(routeKey, body)).toEqual(expected);
    }
    expect(await told("GET /job/list", { content: [body] })).toEqual({ content: [expected] });
    expect(
      await told("GET /job/dependencies/{guid}", { guid: "g", dependencyStatus: "FAILED", parentJob: body }),
    ).toEqual({
      guid: "g",
      dependencyStatus: "FAILED",
      parentJob: expected,
    });
    expect(await told("GET /operation/{jobGuid}", { operations: [body] })).toEqual({ operations: [expected] });
    expect(await told("GET /job/pipeline/{guid}/nodes", [body])).toEqual([expected]);
  });

  it("translate the statuses of nodes like those of jobs, and leave runs and other members unchanged", async () => {
    const job = (node: string) => ({
      status: node,
      error: "e",
      pipeline: { ocr: { status: "FAILED" }, nodes: [{ id: "a", status: node, warnings: [] }] },
      runs: [{ run: 1, status: "FAILED" }],
      dependencyStatus: "FAILED",
    });
    expect(await told("GET /job/status/{guid}", job("FAILED"))).toEqual({
      ...job("FAILED"),
      status: "ERROR",
      pipeline: { ocr: { status: "FAILED" }, nodes: [{ id: "a", status: "ERROR", warnings: [] }] },
    });
  });

  it("leave a document's own data unchanged", async () => {
    const data = { status: "FAILED", error: null, content: [{ status: "PARTIAL" }] };
    for (const routeKey of [
      "GET /job/result/{guid}",
      "GET /job/result/{guid}/json",
      "POST /document/upload-files/sync",
      "POST /document/ocr/sync",
      "GET /settings/webhook/deliveries",
    ]) {
      expect(await told(routeKey, data), routeKey).toEqual(data);
    }
    const waiting = await told("POST /document/upload-files/sync", { guid: "g", status: "FAILED" }, 202);
    expect(waiting).toEqual({ guid: "g", status: "ERROR" });
  });

  it("answer 200 instead of 201 for three calls, and for no other", async () => {
    const statusOf = async (routeKey: string) =>
      (await ask(routeKey, { statusCode: 201, body: "{}" })).answer.statusCode;
    for (const key of ["POST /document/upload", "POST /document/batch/{guid}/upload", "POST /configuration/{name}"]) {
      expect(await statusOf(key), key).toBe(200);
    }
    for (const key of ["POST /document/upload-url", "POST /cases", "POST /cases/{caseId}/documents"]) {
      expect(await statusOf(key), key).toBe(201);
    }
  });

  it("answer a text result as one JSON string, whatever kind the text is", async () => {
    const text = 'a "quoted"\nline — 漢字';
    for (const type of ["text/plain; charset=utf-8", "text/markdown", "application/jsonl"]) {
      for (const base64 of [false, true]) {
        const body = Buffer.from(text).toString(base64 ? "base64" : "utf8");
        const given = { headers: { "Content-Type": type, "X-Request-Id": "r" }, body, isBase64Encoded: base64 };
        for (const key of ["GET /job/result/{guid}", "POST /document/ocr/sync"]) {
          const { answer } = await ask(key, given);
          expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: false });
          expect(answer.headers).toEqual({ "Content-Type": "application/json", "X-Request-Id": "r" });
          expect(JSON.parse(answer.body)).toBe(text);
        }
        expect((await ask("GET /job/result/{guid}/csv", given)).answer).toMatchObject(given);
      }
    }
  });

  it("keep a redirect to a large result", async () => {
    const redirect = { statusCode: 303, headers: { "Content-Type": "application/json", Location: "x" }, body: "{}" };
    expect((await ask("GET /job/result/{guid}", redirect)).answer).toMatchObject(redirect);
  });

  it("answer a template's deletion with a list, and ignore unknown fields of a fill", async () => {
    const deleted = (await ask("DELETE /template/{name}", { statusCode: 204 })).answer;
    expect([deleted.statusCode, deleted.body]).toEqual([200, "[]"]);
    expect((await ask("DELETE /cases/{caseId}", { statusCode: 204 })).answer.statusCode).toBe(204);
    const { asked } = await ask("POST /template/fill/{name}", { body: "{}" }, { query: { missing: "error" } });
    expect(asked.queryStringParameters).toEqual({ missing: "error", ignoreUnknown: "true" });
    expect(asked.rawQueryString).toBe("missing=error&ignoreUnknown=true");
  });

  it("find both statuses by ?status=ERROR", async () => {
    const listed = async (status: string) =>
      (await ask("GET /job/list", { body: "{}" }, { query: { status, page: "1" } })).asked.queryStringParameters;
    expect(await listed("ERROR")).toEqual({ status: "FAILED,CANCELLED", page: "1" });
    expect(await listed("error")).toEqual({ status: "FAILED,CANCELLED", page: "1" });
    expect(await listed("FAILED")).toEqual({ status: "FAILED", page: "1" });
  });

  it("accept a key without Bearer", async () => {
    const header = async (authorization: string, prefix?: string) =>
      (await ask("GET /job/list", { body: "{}" }, { authorization }, prefix)).asked.headers.authorization;
    expect(await header("key-a")).toBe("Bearer key-a");
    expect(await header(" key-a ")).toBe("Bearer key-a");
    expect(await header("Bearer key-a")).toBe("Bearer key-a");
    expect(await header("Basic YTpi")).toBe("Basic YTpi");
    expect(await header("key-a", "")).toBe("key-a");
  });

  it("name the requested path in an error, and leave the rest of it unchanged", async () => {
    const body = { message: "No job", status: 404, path: "/job/status/guid", error: "NotFound" };
    const { answer } = await ask("GET /job/status/{guid}", { statusCode: 404, body: JSON.stringify(body) });
    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({ ...body, path: "/compat/job/status/guid" });
  });
});
