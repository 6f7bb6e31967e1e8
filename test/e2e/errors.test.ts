/** Every refusal in the contract: its status, its sentence, the member that it names. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { type Answer, form } from "../support/api.ts";
import { sharedTestService, startTestService, type TestService } from "../support/service.ts";
import { expectRecorded, needsOwnService, REMOTE_URL, recordedAnswer } from "../support/target.ts";

let target: TestService;
let invoice: Uint8Array;
let guid: string;

beforeAll(async () => {
  target = await sharedTestService();
  invoice = await drawInvoice();
  guid = await target.api.upload(invoice);
});
afterAll(() => target.close());

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function expectError(answer: Answer, status: number, kind: string, sentence: RegExp): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json).toMatchObject({ status, error: kind, path: expect.stringMatching(/^\//) });
  expect(answer.json.message).toMatch(sentence);
  expect(Number.isNaN(Date.parse(answer.json.timestamp))).toBe(false);
  expect(answer.text).not.toMatch(/node_modules|\.ts:|at \w+ \(/);
}

describe("a bad document", () => {
  const rows: [string, () => RequestInit["body"], number, string, RegExp][] = [
    ["no multipart body", () => "hello", 400, "BadRequest", /multipart\/form-data/],
    [
      "no part named document",
      () => {
        const body = new FormData();
        body.append("file", new Blob(["x"]), "x.txt");
        return body;
      },
      400,
      "BadRequest",
      /'document'/,
    ],
    ["an empty document", () => form(""), 422, "UnprocessableEntity", /empty/],
    [
      "an executable",
      () => form(Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), Buffer.alloc(200)])),
      415,
      "UnsupportedMediaType",
      /support/,
    ],
    [
      "video",
      () => form(Buffer.concat([Buffer.from([0, 0, 0, 0x20]), Buffer.from("ftypisom"), Buffer.alloc(200)])),
      415,
      "UnsupportedMediaType",
      /support/,
    ],
    [
      "a PNG declared a PDF",
      () => form(PNG, { type: "application/pdf" }),
      415,
      "UnsupportedMediaType",
      /image\/png.*application\/pdf|application\/pdf.*image\/png/,
    ],
    [
      "a PDF declared Word",
      () => form(invoice, { type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document" }),
      415,
      "UnsupportedMediaType",
      /pdf/,
    ],
    ["a PDF without its end", () => form(invoice.slice(0, 300)), 422, "UnprocessableEntity", /PDF|document/],
    [
      "a zip that does not open",
      () =>
        form(
          Buffer.concat([
            Buffer.from("PK\x03\x04"),
            Buffer.from("[Content_Types].xml word/document.xml"),
            Buffer.alloc(100),
          ]),
          { name: "a.docx" },
        ),
      422,
      "UnprocessableEntity",
      /./,
    ],
    ["over 10 MB", () => form(Buffer.alloc(10_000_001, "a")), 413, "PayloadTooLarge", /10 MB/],
    ["a request over 15 MB", () => form(Buffer.alloc(15_100_000, "a")), 413, "PayloadTooLarge", /15 MB/],
    [
      "a body that is cut off",
      () => '--b\r\nContent-Disposition: form-data; name="document"\r\n\r\nabc',
      400,
      "BadRequest",
      /./,
    ],
  ];
  it.each(rows)("%s", async (name, body, status, kind, sentence) => {
    const headers = name === "a body that is cut off" ? { "content-type": "multipart/form-data; boundary=b" } : {};
    const sent = body();
    const recorded = recordedAnswer(name);
    const answer = await target.api.post("/document/upload", {
      headers,
      undocumented: recorded !== undefined,
      ...(sent == null ? {} : { body: sent }),
    });
    if (recorded !== undefined) expectRecorded(answer, recorded);
    else expectError(answer, status, kind, sentence);
  });

  it("is accepted at exactly 10,000,000 bytes", async () => {
    const recorded = recordedAnswer("exactly 10,000,000 bytes");
    const answer = await target.api.post("/document/upload", {
      body: form(Buffer.alloc(10_000_000, "ab \n")),
      undocumented: recorded !== undefined,
    });
    if (recorded !== undefined) expectRecorded(answer, recorded);
    else expect(answer.status, answer.text).toBe(201);
  });

  it("is a document without file name and type too", async () => {
    const body = Buffer.concat([
      Buffer.from('--xyz\r\nContent-Disposition: form-data; name="document"\r\n\r\n'),
      Buffer.from(invoice),
      Buffer.from("\r\n--xyz--\r\n"),
    ]);
    const headers = { "content-type": "multipart/form-data; boundary=xyz" };
    const answer = await target.api.post("/document/upload", { body, headers });
    expect(answer.status, answer.text).toBe(201);
    expect((await target.api.get(`/job/status/${answer.json.guid}`)).json.mimeType).toBe("application/pdf");
  });

  it("becomes a FAILED job with its sentence and without a result when it has no readable text", async () => {
    for (const bytes of [PNG, Buffer.from("   \n \n")]) {
      const status = await target.api.processed(bytes, {});
      expect(status).toMatchObject({ status: "FAILED", error: "Processing failed: Text extraction failed" });
      const result = await target.api.get(`/job/result/${status.guid}`);
      expectError(result, 404, "NotFound", /Text extraction failed/);
    }
    const sync = await target.api.post("/document/upload-files/sync", { body: form(PNG) });
    expectError(sync, 422, "UnprocessableEntity", /^Processing failed: Text extraction failed$/);
  });
});

describe("a bad command", () => {
  const rows: [string, unknown, number, string, RegExp][] = [
    ["a bad enum", { ocr: "BEST" }, 400, "/ocr", /must be one of DEFAULT, NONE, PREMIUM/],
    ["a bad mode", { extractionMode: "MAGIC" }, 400, "/extractionMode", /must be one of OCR, SIMPLE/],
    ["a flag that is no boolean", { sourceLocations: "yes" }, 400, "/sourceLocations", /true or false/],
    ["pages from 0", { pageRange: [0] }, 400, "/pageRange/0", /page number from 1/],
    ["a prompt that is no text", { prompt: 7 }, 400, "/prompt", /a string/],
    ["a schema that is no JSON", { schema: "{" }, 422, "/schema", /not valid JSON/],
    ["a schema that is no schema", { schema: { type: "strin" } }, 422, "/schema", /type/],
    ["a schema that is a list", { schema: "[]" }, 422, "/schema", /object/],
    ["a schema nested too deep", { schema: `${'{"not":'.repeat(200)}{}${"}".repeat(200)}` }, 422, "/schema", /deep/],
    [
      "a schema with a part elsewhere",
      { schema: { properties: { a: { $ref: "#/$defs/b" } } } },
      422,
      "/schema",
      /\$defs\/b/,
    ],
    [
      "a schema whose part would have to be fetched",
      { mapReduce: { enabled: true, header: { enabled: true, schema: '{"$ref":"http://127.0.0.1:1/a.json"}' } } },
      422,
      "/mapReduce/header/schema",
      /127\.0\.0\.1:1\/a\.json, which is not part of it/,
    ],
    [
      "pages that are not there",
      { pageRange: [2, 900] },
      400,
      "/pageRange",
      /pageRange names none|must name the only page/,
    ],
    ["what this release does not do", { excelTemplate: {} }, 400, "/excelTemplate", /ot supported/],
    ["a type that the content cannot be", { mimeType: "image/png" }, 415, "", /image\/png/],
  ];
  it.each(rows)("%s", async (_name, json, status, path, sentence) => {
    const answer = await target.api.post(`/document/process/${guid}`, { json });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json.message).toMatch(sentence);
    if (path !== "") expect(answer.json.errors).toEqual([{ path, message: expect.stringMatching(sentence) }]);
  });

  it("names every offending member at once", async () => {
    const answer = await target.api.post(`/document/process/${guid}`, { json: { ocr: "X", llm: "Y", trace: "z" } });
    expect(answer.json.errors.map((error: { path: string }) => error.path).sort()).toEqual(["/llm", "/ocr", "/trace"]);
  });

  it("is refused as malformed JSON, or as not an object", async () => {
    const headers = { "content-type": "application/json" };
    expectError(
      await target.api.post(`/document/process/${guid}`, { body: '{"a":', headers }),
      400,
      "BadRequest",
      /not valid JSON/,
    );
    expectError(
      await target.api.post(`/document/process/${guid}`, { body: "[]", headers }),
      400,
      "BadRequest",
      /object/,
    );
  });

  it("in the query is named too", async () => {
    const answer = await target.api.get("/job/list?size=0&page=x&sort=color&status=LOST&createdAtFrom=soon");
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      "/createdAtFrom",
      "/page",
      "/size",
      "/sort",
      "/status",
    ]);
    expectError(
      await target.api.post(`/document/ocr/${guid}?format=docx`, { json: {} }),
      400,
      "BadRequest",
      /plain, markdown, jsonl/,
    );
    expectError(await target.api.get(`/job/status/${guid}?waitSeconds=900`), 400, "BadRequest", /from 0 to 25/);
  });

  it("is none with the clients' nulls, blanks, other cases and unknown members", async () => {
    const json = {
      ocr: "default",
      llm: null,
      schema: "",
      prompt: "",
      mimeType: "application/pdf",
      sourceLocationGranularity: "WORD",
      reasoningEffort: "low",
      whatever: { a: 1 },
    };
    const status = await target.api.processed(invoice, json);
    expect(status.status).toBe("COMPLETED");
    expect((await target.api.get(`/job/result/${status.guid}`)).json).toHaveProperty("key_values");
  });
});

describe("the API", () => {
  it("requires a well-formed, known key", async () => {
    const { api } = target;
    expectError(await api.get("/job/list", { key: null }), 401, "Unauthorized", /API key/);
    expectError(await api.get("/job/list", { key: "nobody-knows-me" }), 401, "Unauthorized", /Unknown/);
    const basic = await api.get("/job/list", { key: null, headers: { authorization: "Basic YTpi" } });
    expectError(basic, 401, "Unauthorized", /Malformed/);
    const bare = await api.get("/job/list", { key: null, headers: { authorization: api.key } });
    expectError(bare, 401, "Unauthorized", /Malformed/);
  });

  it("answers unknown paths, unknown GUIDs and invalid GUIDs with 404", async () => {
    const { api } = target;
    expectError(await api.get("/job/status/00000000-0000-7000-8000-000000000000"), 404, "NotFound", /No job/);
    expectError(await api.get("/job/status/not-a-guid"), 404, "NotFound", /No job/);
    expectError(await api.get("/no/such/path"), 404, "NotFound", /No route/);
    const put = await api.call("PUT", "/job/list");
    expectError(put, 405, "MethodNotAllowed", /^\/job\/list has no PUT; it has DELETE, GET, HEAD$/);
    expect(put.headers.get("allow")).toBe("DELETE, GET, HEAD");
    const erased = await api.call("PUT", `/compat/job/${guid}`);
    expectError(erased, 405, "MethodNotAllowed", /it has DELETE$/);
    expect(erased.headers.get("allow")).toBe("DELETE");
    const recorded = recordedAnswer("a path that is not well-formed");
    const malformed = await api.get("/job/status/%E0%A4%A", { undocumented: recorded !== undefined });
    if (recorded !== undefined) expectRecorded(malformed, recorded);
    else expectError(malformed, 400, "BadRequest", /well-formed/);
  });

  it("answers HEAD like GET without its body, and TRACE and OPTIONS as JSON", async () => {
    const call = (method: string, path: string) =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${target.keys.one}` };
        const sent = httpRequest(`${target.url}${path}`, { method, headers }, (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (part: string) => {
            text += part;
          });
          answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
        });
        sent.on("error", reject).end();
      });
    for (const path of ["/health", `/job/status/${guid}`, "/compat/job/list", "/openapi.json", `/job/result/${guid}`]) {
      const [got, headed] = [await call("GET", path), await call("HEAD", path)];
      expect([headed.status, headed.text], path).toEqual([got.status, ""]);
      expect(headed.headers["content-type"]).toBe(got.headers["content-type"]);
      if (REMOTE_URL === undefined) expect(headed.headers["content-length"]).toBe(got.headers["content-length"]);
    }
    expect((await call("HEAD", "/no/such/path")).status).toBe(404);
    // API Gateway answers TRACE itself.
    for (const method of REMOTE_URL === undefined ? ["TRACE", "OPTIONS"] : []) {
      const [known, unknown] = [await call(method, "/job/list"), await call(method, "/no/such/path")];
      expect(JSON.parse(known.text)).toMatchObject({ status: 405, error: "MethodNotAllowed" });
      expect(JSON.parse(unknown.text)).toMatchObject({ status: 404, error: "NotFound", path: "/no/such/path" });
    }
  });

  it("serves health and the OpenAPI document without a key", async () => {
    expect((await target.api.get("/health", { key: null })).json).toMatchObject({
      status: "ok",
      engines: { ocr: { on: true } },
    });
    expect((await target.api.get("/openapi.json", { key: null })).json.openapi).toBe("3.1.0");
  });

  it("serves its reference as a page that asks this service only", async () => {
    const page = await target.api.get("/docs", { key: null });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    const addresses = [...page.text.matchAll(/(?:src|href|spec-url)="([^"]+)"/g)].map((match) => match[1]);
    expect(addresses).toEqual(["data:,", "openapi.json", "openapi.json", "docs/redoc.js"]);
    const script = await target.api.get("/docs/redoc.js", { key: null });
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(script.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(script.text).toContain("spec-url");
  });

  it.skipIf(needsOwnService("reading metrics"))("shows its metrics to this machine", async () => {
    const metrics = await fetch(`${target.url}/metrics`);
    expect(await metrics.text()).toContain("sheaf_http_requests_total");
  });

  it.skipIf(needsOwnService("maintenance"))("refuses requests during maintenance", async () => {
    const closed = await startTestService({ env: { SHEAF_MAINTENANCE: "1" } });
    const answer = await closed.api.get("/job/list");
    expectError(answer, 503, "ServiceUnavailable", /maintenance/);
    expect(answer.headers.get("retry-after")).toBe("60");
    expect((await closed.api.get("/health", { key: null })).status).toBe(200);
    await closed.close();
  });

  it.skipIf(needsOwnService("reading the log"))("logs identifiers and never keys, text or values", async () => {
    const status = await target.api.processed("Invoice number: TOP-SECRET-77\n", {
      schema: { invoice_number: "string" },
    });
    const log = target.log();
    expect(log).toContain(status.guid);
    for (const secret of ["TOP-SECRET-77", target.api.key, target.other.key]) expect(log).not.toContain(secret);
    for (const line of log.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("level");
  });
});
