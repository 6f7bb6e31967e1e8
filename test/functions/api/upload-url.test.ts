/** Request limits by place of running, and the upload address for larger documents. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engineStates } from "../../../bin/engines.ts";
import { documentRoutes, uploadUrl } from "../../../functions/api/documents.ts";
import { makeHandler } from "../../../functions/api/http/handler.ts";
import { openApiDocument } from "../../../functions/api/http/openapi.ts";
import type { ApiServices } from "../../../functions/api/http/services.ts";
import { ROUTES } from "../../../functions/api/routes.ts";
import { UploadTicket } from "../../../functions/api/schemas/replies.ts";
import type { HttpEvent } from "../../../functions/ports/http.ts";
import { MachineError } from "../../../functions/ports/machine-faults.ts";
import { silentObserver } from "../../../functions/ports/observer.ts";
import { SCOPES } from "../../../functions/service/organizations/api-keys.ts";
import { DEFAULT_CONFIG } from "../../../functions/service/organizations/organization.ts";
import { type TestPlatform, testPlatform } from "../../support/platform.ts";

const MB = 1_000_000;
const CLOUD = { ...DEFAULT_CONFIG, maxRequestBytes: 4.5 * MB };

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

function handlerWith(limits: typeof DEFAULT_CONFIG, more: Partial<ApiServices> = {}) {
  return makeHandler(documentRoutes, {
    ...more,
    authenticate: async () => ({ organizationId: 1, keyId: "k", scopes: SCOPES }),
    organization: () => at.org,
    fingerprint: async (text) => text,
    facts: {
      version: "1",
      engines: engineStates({ name: "OCR", on: false, detail: "none" }),
      openapi: () => "{}",
      referenceScript: async () => new Uint8Array(),
      takePaymentEvent: async () => undefined,
    },
    clock: at.platform.engines.clock,
    observer: silentObserver,
    limits,
    maintenance: false,
    rateLimit: null,
  });
}

function event(path: string, body: Buffer | string, type: string): HttpEvent {
  const encoded = typeof body !== "string";
  return {
    version: "2.0",
    routeKey: `POST ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: { "content-type": type },
    requestContext: { requestId: "r", http: { method: "POST", path, sourceIp: "::1" }, timeEpoch: 0 },
    body: encoded ? body.toString("base64") : body,
    isBase64Encoded: encoded,
  };
}

const upload = (documentBytes: number): HttpEvent => {
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="document"; filename="a.txt"\r\n\r\n');
  const body = Buffer.concat([head, Buffer.alloc(documentBytes, "a"), Buffer.from("\r\n--b--\r\n")]);
  return event("/document/upload", body, "multipart/form-data; boundary=b");
};

describe("an answer", () => {
  it("waits until what it tells is safe, and is the fault of the disk otherwise", async () => {
    const disk = Promise.withResolvers<void>();
    let isAnswered = false;
    const answer = handlerWith(CLOUD, { recorded: () => disk.promise })(upload(10)).finally(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAnswered).toBe(false);
    disk.resolve();
    expect((await answer).statusCode).toBe(201);
    const full = handlerWith(CLOUD, { recorded: () => Promise.reject(new MachineError("ENOSPC", undefined)) });
    expect((await full(upload(10))).statusCode).toBe(507);
  });
});

describe("the request limit", () => {
  it("allows the size that a deployment's function takes, and its error names the upload route", async () => {
    const handler = handlerWith(CLOUD);
    expect((await handler(upload(4_499_000))).statusCode).toBe(201);
    const answer = await handler(upload(4_500_000));
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: "PayloadTooLarge",
      message: expect.stringMatching(/over 4\.5 MB \(4,500,000 bytes\).*POST \/document\/upload-url/),
    });
  });

  it("allows more on one machine, where the document's own limit comes first", async () => {
    const handler = handlerWith(DEFAULT_CONFIG);
    expect((await handler(upload(9_999_999))).statusCode).toBe(201);
    const document = JSON.parse((await handler(upload(10_000_001))).body);
    expect(document).toMatchObject({ status: 413, message: expect.stringMatching(/^The document is over 10 MB/) });
    const request = JSON.parse((await handler(upload(15_000_000))).body);
    expect(request).toMatchObject({ status: 413, message: "The request is over 15 MB (15,000,000 bytes)" });
  });

  it("counts bytes, of text too", async () => {
    const text = JSON.stringify({ fileName: "ä".repeat(100), mimeType: "text/plain", size: 1 });
    const bytes = Buffer.byteLength(text);
    const ask = (maxRequestBytes: number) =>
      handlerWith({ ...DEFAULT_CONFIG, maxRequestBytes })(event(uploadUrl.path, text, "application/json"));
    expect((await ask(bytes)).statusCode).toBe(201);
    expect((await ask(bytes - 1)).statusCode).toBe(413);
  });
});

describe("POST /document/upload-url", () => {
  it("answers as documented, with an address in the organization's own folder", async () => {
    const body = JSON.stringify({ fileName: "C:\\in\\voice.pdf", mimeType: "application/pdf", size: 10 * MB });
    const answer = await handlerWith(CLOUD)(event(uploadUrl.path, body, "application/json"));
    expect(answer.statusCode).toBe(201);
    const ticket = UploadTicket.parse(JSON.parse(answer.body));
    expect(ticket.headers).toEqual({ "content-type": "application/pdf" });
    expect(new URL(ticket.uploadUrl).pathname).toBe(`/_blobs/org/1/jobs/${ticket.guid}/upload`);
    expect((await at.org.records.get({ partition: `job/${ticket.guid}`, sort: "job" }))?.value).toMatchObject({
      status: "PENDING",
      source: { fileName: "voice.pdf" },
    });
  });
});

describe("the limit of a JSON body", () => {
  const post = (bytes: number, limits = DEFAULT_CONFIG) =>
    handlerWith(limits)(event(uploadUrl.path, `${" ".repeat(bytes - 2)}{}`, "application/json"));

  it("is 1 MB, refused with the limit before the body is parsed", async () => {
    const { statusCode, body } = await post(1_000_001);
    expect([statusCode, JSON.parse(body).message]).toEqual([
      413,
      "The body is over 1 MB (1,000,000 bytes), the most that this call takes; send less",
    ]);
    expect((await post(1_000_000)).statusCode, "at the limit the members are checked").toBe(400);
  });

  it("is the deployment's where that is lower", async () => {
    const { statusCode, body } = await post(600_001, { ...DEFAULT_CONFIG, maxRequestBytes: 600_000 });
    expect([statusCode, JSON.parse(body).message]).toEqual([413, expect.stringMatching(/^The request is over 0.6 MB/)]);
  });

  it("is in the OpenAPI document", () => {
    const { paths } = JSON.parse(JSON.stringify(openApiDocument(ROUTES, "1")));
    const { requestBody, responses } = paths["/document/upload-url"].post;
    expect([requestBody["x-max-bytes"], responses["413"].description]).toEqual([
      1_000_000,
      "A body over 1,000,000 bytes",
    ]);
    expect(paths["/document/upload"].post.requestBody["x-max-bytes"]).toBe(15_000_000);
  });
});

describe("the OpenAPI document's limits", () => {
  const wordsOf = (limits?: typeof DEFAULT_CONFIG): [string, unknown] => {
    const document = JSON.parse(JSON.stringify(openApiDocument(ROUTES, "1", limits)));
    return [document.paths["/document/upload"].post.responses["413"].description, document["x-limits"]];
  };

  it("are those of its own deployment", () => {
    expect(wordsOf(CLOUD)).toEqual([
      "A document over 10,000,000 bytes or a request over 4,500,000: larger documents go by POST /document/upload-url",
      { maxDocumentBytes: 10_000_000, maxRequestBytes: 4_500_000 },
    ]);
    expect(wordsOf()).toEqual([
      "A document over 10,000,000 bytes or a request over 15,000,000",
      { maxDocumentBytes: 10_000_000, maxRequestBytes: 15_000_000 },
    ]);
  });
});
