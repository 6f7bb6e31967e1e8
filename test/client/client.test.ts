import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SheafClient, SheafError } from "../../client/index.ts";
import { cut, FakeService, KEY, PICTURE, refuse } from "./fake-service.ts";

const service = new FakeService();
let client: SheafClient;

beforeAll(() => service.start());
afterAll(() => service.stop());
beforeEach(() => {
  service.requests.length = 0;
  service.faults.length = 0;
  client = new SheafClient({ apiUrl: `${service.url}/`, token: KEY });
});

const bytes = new TextEncoder().encode("Invoice 7");
const refusal = async (call: Promise<unknown>): Promise<SheafError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SheafError)) throw new Error(`a SheafError was expected, not ${error}`);
  return error;
};

describe("SheafClient.pageImage", () => {
  test("returns the bytes of the picture, and sends its options", async () => {
    const { guid } = service.addJob("COMPLETED");
    expect(Buffer.from(await client.pageImage(guid, 2))).toEqual(PICTURE);
    await client.pageImage(guid, 0, { locations: true, pointers: ["/a,b", "/lines/*/net"], run: 2 });
    const [plain, marked] = service.seen("GET", /image/);
    expect([plain?.path, plain?.query.toString()]).toEqual([`/job/image/${guid}/2`, ""]);
    expect(Object.fromEntries(marked?.query ?? [])).toEqual({
      locations: "true",
      pointers: "/a,b,/lines/*/net",
      run: "2",
    });
    expect((await refusal(client.pageImage("no-such-job", 0))).status).toBe(404);
  });
});

describe("SheafClient.upload", () => {
  test("sends the bytes, the file name and the type", async () => {
    const answer = await client.upload(bytes, { fileName: 'Rechnung "März"\n.pdf', mimeType: "application/pdf" });
    expect(answer.status).toBe("PENDING");
    const job = service.jobs.get(answer.guid);
    expect(job?.document).toEqual({
      name: 'Rechnung "März"\n.pdf',
      type: "application/pdf",
      bytes: Buffer.from("Invoice 7"),
    });
    const body = service.requests[0]?.body.toString() ?? "";
    expect(body).toContain('filename="Rechnung %22März%22%0A.pdf"');
    expect(body.split("\r\n")[2]).toBe("Content-Type: application/pdf");
  });

  test("declares no name and no type when there is none", async () => {
    const { guid } = await client.upload(bytes);
    expect(service.jobs.get(guid)?.document).toMatchObject({ name: "omitted", type: "application/octet-stream" });
  });

  test("uses a File's own name and type", async () => {
    const { guid } = await client.upload(new File([bytes], "a.md", { type: "text/markdown" }));
    expect(service.jobs.get(guid)?.document).toMatchObject({ name: "a.md", type: "text/markdown" });
  });

  test("sends a view of a larger buffer without the bytes around it", async () => {
    const { guid } = await client.upload(Buffer.from("xxInvoicexx").subarray(2, 9));
    expect(service.jobs.get(guid)?.document.bytes.toString()).toBe("Invoice");
  });

  test("uploadDirect sends a large document to the file store as announced, without the key", async () => {
    const large = new Uint8Array(5_000_000).fill(65);
    const { guid, status } = await client.uploadDirect(large, { fileName: "big.pdf", mimeType: "application/pdf" });
    expect(status).toBe("PENDING");
    const { document } = service.jobs.get(guid) ?? {};
    expect(document).toMatchObject({ name: "big.pdf", type: "application/pdf" });
    expect(document?.bytes.equals(large)).toBe(true);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /document/upload-url",
      `PUT /store/${guid}`,
    ]);
  });

  test("uploadDirect retries after a broken connection, and names the unreachable address", async () => {
    service.failNext("PUT", /store/, cut);
    const { guid } = await client.uploadDirect(new File([bytes], "a.md", { type: "text/markdown" }));
    expect(service.seen("PUT", /store/)).toHaveLength(2);
    expect(service.jobs.get(guid)?.document).toMatchObject({ name: "a.md", type: "text/markdown" });
    service.failNext("PUT", /store/, refuse(403, "AccessDenied", "Request has expired"));
    expect(await refusal(client.uploadDirect(bytes))).toMatchObject({ status: 403, message: "Request has expired" });
  });

  test("refuses a media type that would end its header", async () => {
    await expect(client.upload(bytes, { mimeType: "text/plain\r\nX-Evil: 1" })).rejects.toThrow(TypeError);
    expect(service.requests).toHaveLength(0);
  });
});

describe("SheafClient's calls that start work", () => {
  test("process sends the command without absent members", async () => {
    const { guid } = service.addJob();
    const answer = await client.process(guid, { prompt: "the total", schema: { type: "object" }, ocr: undefined });
    expect(answer).toEqual({ guid, status: "PENDING" });
    const [request] = service.seen("POST", /process/);
    expect(JSON.parse(request?.body.toString() ?? "")).toEqual({ prompt: "the total", schema: { type: "object" } });
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("ocr sends the format in the query and in the body", async () => {
    const { guid } = service.addJob();
    await client.ocr(guid, { format: "markdown", ocr: "AUTO" });
    const [request] = service.seen("POST", /ocr/);
    expect(request?.query.get("format")).toBe("markdown");
    expect(JSON.parse(request?.body.toString() ?? "")).toEqual({ ocrFormat: "markdown", ocr: "AUTO" });
  });

  test("uploadFiles sends one form with unchanged texts", async () => {
    const prompt = "first line\nsecond line";
    const { guid } = await client.uploadFiles(bytes, { prompt, schema: { a: 1 }, metadata: { sourceLocations: true } });
    expect(service.jobs.get(guid)?.command).toEqual({
      prompt,
      schema: '{"a":1}',
      sourceLocations: true,
    });
  });

  test("uploadFilesSync returns the result, or the job when it takes longer", async () => {
    const done = await client.uploadFilesSync(bytes, { prompt: "x" });
    expect(done).toMatchObject({ finished: true, result: { kind: "json", json: { total: 12.5 } } });
    service.ending.workMs = 60_000;
    const open = await client.uploadFilesSync(bytes);
    service.ending.workMs = 30;
    expect(open).toMatchObject({ finished: false, status: "PENDING" });
    expect("guid" in open && service.jobs.has(open.guid)).toBe(true);
  });

  test("use a new idempotency key each, or the caller's", async () => {
    const { guid } = service.addJob();
    await client.upload(bytes);
    await client.upload(bytes);
    await client.process(guid, {}, { idempotencyKey: "mine" });
    const keys = service.requests.map((request) => request.headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[2]).toBe("mine");
  });
});

describe("SheafClient's reading calls", () => {
  test("return status, list, deletion and health", async () => {
    const { guid } = service.addJob("COMPLETED");
    expect(await client.status(guid)).toMatchObject({ guid, status: "COMPLETED", error: null });
    expect(service.requests[0]?.query.has("waitSeconds")).toBe(false);
    const page = await client.list({ status: "COMPLETED", size: 1, page: 0, sort: undefined });
    expect(page.content).toHaveLength(1);
    expect(service.requests[1]?.query.toString()).toBe("status=COMPLETED&size=1&page=0");
    expect(await client.deleteJob(guid)).toEqual({ jobsDeleted: 1, errors: [] });
    expect((await refusal(client.status(guid))).status).toBe(404);
    expect(await client.health()).toEqual({ status: "ok" });
  });

  test("keep the text of a JSON result, and do not parse a text result", async () => {
    const { guid } = service.addJob("COMPLETED");
    const json = await client.result(guid, { run: 2 });
    expect(json).toMatchObject({ kind: "json", text: service.ending.result.body, json: { total: 12.5 } });
    expect(service.requests[0]?.query.get("run")).toBe("2");
    const before = service.ending.result;
    service.ending.result = { type: "text/markdown; charset=utf-8", body: "# Ä\n" };
    expect(await client.result(guid)).toMatchObject({ kind: "text", text: "# Ä\n" });
    expect(await client.resultJson(guid)).toMatchObject({ kind: "json", json: "# Ä\n" });
    service.ending.result = before;
  });

  test("parse source locations, or report why there are none", async () => {
    const job = service.addJob("COMPLETED");
    const error = await refusal(client.sourceLocations(job.guid));
    expect(error).toMatchObject({ status: 404, message: "Source locations were not requested" });
    job.command = { sourceLocations: true };
    expect(await client.sourceLocations(job.guid)).toMatchObject({ version: 1, locations: {} });
  });

  test.each(["", ".", ".."])("refuse a GUID that would change the path: %j", async (guid) => {
    await expect(client.status(guid)).rejects.toThrow(TypeError);
    await expect(client.deleteJob(guid)).rejects.toThrow(TypeError);
    expect(service.requests).toHaveLength(0);
  });

  test("escape other characters of a GUID", async () => {
    await refusal(client.status("a/b?c"));
    expect(service.requests[0]?.path).toBe("/job/status/a%2Fb%3Fc");
  });
});

describe("SheafError", () => {
  test("carries the service's sentence, kind, faults, request id and body", async () => {
    const errors = [{ path: "/schema", message: "must be a JSON Schema" }, { path: 7 }];
    service.failNext("POST", /process/, refuse(400, "BadRequest", "The command is not valid", { body: { errors } }));
    const error = await refusal(client.process(service.addJob().guid));
    expect(error).toMatchObject({ status: 400, kind: "BadRequest", message: "The command is not valid" });
    expect(error.errors).toEqual([{ path: "/schema", message: "must be a JSON Schema" }]);
    expect(error.requestId).toBe("req-7");
    expect(error.body?.timestamp).toBe("2026-01-31T10:00:00.000Z");
  });

  test("names an unknown key", async () => {
    const stranger = new SheafClient({ apiUrl: service.url, token: "nobody" });
    expect(await refusal(stranger.list())).toMatchObject({ status: 401, message: "The API key is unknown" });
  });

  test("recognises an answer of another service", async () => {
    service.failNext("GET", /health/, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>");
      return true;
    });
    expect((await refusal(client.health())).message).toMatch(/not JSON/);
    service.failNext("GET", /list/, (_request, response) => {
      response.writeHead(418).end("<h1>no</h1>");
      return true;
    });
    expect(await refusal(client.list())).toMatchObject({
      status: 418,
      message: "The service answered 418 I'm a Teapot",
    });
  });
});

describe("SheafClient's connection options", () => {
  test.each(["", "127.0.0.1:3000", "ftp://a", "file:///etc", "http://u:p@a", "http://a?x=1", "http://a#x"])(
    "refuse the address %j",
    (apiUrl) => {
      expect(() => new SheafClient({ apiUrl, token: KEY })).toThrow(TypeError);
    },
  );

  test.each(["", "a b", "a\nb", "schlüssel"])("refuse the key %j", (token) => {
    expect(() => new SheafClient({ apiUrl: service.url, token })).toThrow(TypeError);
  });

  test("accept an address with a path", async () => {
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      seen.push(String(input));
      return Response.json({ status: "ok" });
    };
    await new SheafClient({ apiUrl: "https://example.test/compat/", token: KEY, fetch }).health();
    expect(seen).toEqual(["https://example.test/compat/health"]);
  });
});
