/**
 * The requests that the public clients are known to send, byte for byte where that matters, on the plain routes and below
 * /compat; each answer is held to what those clients need of it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { expectRecord } from "../support/client-records.ts";
import { formPdf } from "../support/pdf.ts";
import {
  CLIENT_HEADERS,
  documentPart as document,
  fieldPart,
  filePart,
  multipart,
  PREFIXES,
  publicClient,
} from "../support/public-client.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let invoice: Uint8Array;
beforeAll(async () => {
  target = await sharedTestService();
  invoice = await drawInvoice();
});
afterAll(() => target.close());

const bare = (content: Uint8Array | string) => fieldPart("document", content);

describe.each(PREFIXES)("%s", (_name, prefix) => {
  const { compat, send, get, post, postParts, uploaded, waited } = publicClient(() => target, prefix);

  it("uploads, processes, waits and reads", async () => {
    const guid = await uploaded(document(invoice));
    const command = '{"ocr":"DEFAULT","llm":"DEFAULT","schema":"","prompt":"","mimeType":"application/pdf"}';
    const processed = await post(`/document/process/${guid}`, command);
    expect(processed.status).toBe(200);
    expectRecord("upload", processed.json());
    expect(await waited(guid)).toMatchObject({ status: "COMPLETED", error: null });
    for (const path of [`/job/result/${guid}`, `/job/result/${guid}/json`]) {
      const result = await get(path);
      expect([result.status, result.type]).toEqual([200, "application/json"]);
      expect(result.json()).toHaveProperty("key_values");
    }
    for (const absent of ["source-locations", "acroform-metadata", "barcodes"]) {
      expect((await get(`/job/result/${guid}/${absent}`)).status, absent).toBe(404);
    }
    for (const absent of [`/job/trace/${guid}`, `/job/figures/${guid}`, `/job/image/${guid}/99`]) {
      expect((await get(absent)).status, absent).toBe(404);
    }
    expect((await get(`/job/image/${guid}/0`)).bytes.subarray(1, 4).toString()).toBe("PNG");
    expectRecord("quality", (await get(`/job/result/${guid}/ocr-quality`)).json());
    const layout = (await get(`/job/result/${guid}/layout?pages=1&include=content%2Cwords`)).json();
    expectRecord("layout", layout);
    expectRecord("layoutPage", layout.pages[0]);
    expectRecord("word", layout.pages[0].words[0]);
    const { offset, length } = layout.pages[0].words[5].span;
    expect(layout.content.slice(offset, offset + length)).toBe(layout.pages[0].words[5].content);
    const deleted = await send("DELETE", `/job/${guid}`);
    expect(deleted.status).toBe(200);
    expectRecord("jobDeletion", deleted.json());
    expect((await get(`/job/status/${guid}`)).status).toBe(404);
  });

  it("accepts a document without a name or type, chunked, and plain text", async () => {
    const { body, type } = multipart([bare(invoice)]);
    const stream = new Blob([new Uint8Array(body)]).stream();
    const response = await fetch(`${target.url}${prefix}/document/upload`, {
      method: "POST",
      headers: { ...CLIENT_HEADERS, authorization: `Bearer ${target.api.key}`, "content-type": type },
      body: stream,
      duplex: "half",
    } as RequestInit);
    expect(response.status, await response.text()).toBe(compat ? 200 : 201);
    const guid = await uploaded(document("Invoice number: 17\n", "text/plain"));
    const answer = await post(`/document/process/${guid}`, '{"schema":"","prompt":"","mimeType":"text/plain"}');
    expect(answer.status, answer.text).toBe(200);
    expect(await waited(guid)).toMatchObject({ status: "COMPLETED" });
  });

  it("locates values, again on the same document", async () => {
    const guid = await uploaded(document(invoice));
    const command = {
      ocr: "DEFAULT",
      llm: "DEFAULT",
      schema: '{"type":"object","properties":{"invoice_number":{"type":"string"}}}',
      prompt: "",
      mimeType: "application/pdf",
      sourceLocations: true,
      sourceLocationGranularity: "word",
    };
    expect((await post(`/document/process/${guid}?dependsOn=${guid}`, JSON.stringify(command))).status).toBe(200);
    await waited(guid);
    const located = (await get(`/job/result/${guid}/source-locations?batchIndex=0`)).json();
    expect(located.locations["/invoice_number"].pageAnchors[0].bbox.left).toBeGreaterThan(0);
  });

  it("reads text, as JSON where clients want it so", async () => {
    const guid = await uploaded(document("# Title\n\nInvoice number: 17\n", "text/markdown"));
    const command = '{"ocr":"DEFAULT","ocrFormat":"plain","mimeType":"text/markdown"}';
    expect((await post(`/document/ocr/${guid}?format=plain`, command)).status).toBe(200);
    await waited(guid);
    const result = await get(`/job/result/${guid}`);
    expect(result.type).toMatch(compat ? /^application\/json$/ : /^text\/plain/);
    const text: unknown = compat ? result.json() : result.text;
    expect(text).toContain("Invoice number: 17");
    expect((await get(`/job/result/${guid}/json`)).json()).toBe(text);
    const sync = await postParts("/document/ocr/sync?format=plain&ocr=DEFAULT", document("One line.\n", "text/plain"));
    expect([sync.status, compat ? sync.json() : sync.text]).toEqual([200, "One line.\n"]);
  });

  it("accepts uploads with parts as fields, files and the text None", async () => {
    const field = (name: string, content: string) => fieldPart(name, content);
    const file = (name: string, content: string) => filePart(name, `${name}.json`, content, "application/json");
    const schema = '{"type":"object","properties":{"invoice_number":{"type":"string"}}}';
    for (const parts of [
      [field("instructions", "the number"), field("schema", schema), field("metadata", '{"ocr":"DEFAULT"}')],
      [field("instructions", "None"), file("schema", schema), field("metadata", "None")],
    ]) {
      const answer = await postParts("/document/upload-files", bare(invoice), ...parts);
      expect(answer.status, answer.text).toBe(200);
      expectRecord("upload", answer.json());
      await waited(answer.json().guid);
      expect((await get(`/job/result/${answer.json().guid}/json`)).json()).toEqual({ invoice_number: "SH-2026-0117" });
    }
    const sync = await postParts("/document/upload-files/sync", document(invoice), field("schema", schema));
    expect(sync.json()).toEqual({ invoice_number: "SH-2026-0117" });
  });

  it("describes documents and reads forms", async () => {
    const analysis = "/document/analyze?ocr=DEFAULT&describeFigures=false&extractFigures=false";
    for (const path of [analysis, "/document/generate-schema?instructionsText=number"]) {
      const answer = await postParts(path, document(invoice));
      expect(answer.status, answer.text).toBe(200);
      expectRecord("upload", answer.json());
      await waited(answer.json().guid);
      expect((await get(`/job/result/${answer.json().guid}`)).type).toBe("application/json");
    }
    const read = await postParts("/document/acroform-metadata", document(await formPdf("Ada", { look: true })));
    expect([read.status, read.json().fields.length > 0]).toEqual([200, true]);
  });

  it("reports failures in words at which clients stop", async () => {
    const guid = await uploaded(document(" \n \n", "text/plain"));
    await post(`/document/process/${guid}`, '{"schema":"","prompt":"","mimeType":"text/plain"}');
    const status = compat ? "ERROR" : "FAILED";
    expect(await waited(guid)).toMatchObject({ status, error: "Processing failed: Text extraction failed" });
    const page = (await get(`/job/list?page=0&size=5&sort=createdAt,desc&status=${status}`)).json();
    expectRecord("page", page);
    expectRecord("pageable", page.pageable);
    expectRecord("order", page.pageable.orderBy[0]);
    expectRecord("job", page.content[0]);
    expect(page.content[0]).toMatchObject({ guid, status });
    expect((await get("/job/list?status=ERROR")).status).toBe(compat ? 200 : 400);
    const missing = await get("/job/status/00000000-0000-7000-8000-000000000000");
    expect(missing.json()).toMatchObject({ status: 404, path: expect.stringMatching(`^${prefix}/job/status/`) });
  });

  it("saves configurations, and processes documents with them", async () => {
    const path = `/configuration/invoices%20${compat ? "compat" : "plain"}`;
    await send("DELETE", path);
    const schema = '{\\"type\\":\\"object\\",\\"properties\\":{\\"invoice_number\\":{\\"type\\":\\"string\\"}}}';
    const header = '"header":{"enabled":false,"pageLimit":1,"pageIndices":[1]}';
    const chunks = `"mapReduce":{"splitType":"PAGE","enabled":false,"pagesPerChunk":1,"overlapPages":0,${header}}`;
    const command = `{"ocr":"DEFAULT","llm":"DEFAULT","schema":"${schema}","prompt":"","sourceLocationGranularity":"WORD",${chunks}}`;
    const saved = await post(path, command);
    expect(saved.status, saved.text).toBe(compat ? 200 : 201);
    expectRecord("configuration", saved.json());
    expect((await post(path, "{}")).status).toBe(409);
    const listed = (await get("/configuration")).json();
    for (const one of listed) expectRecord("configuration", one);
    const read = (await get(path)).json();
    expectRecord("command", read);
    const { prompt: _, ...kept } = JSON.parse(command);
    expect(read).toEqual(kept);
    const guid = await uploaded(document(invoice));
    const processed = await send(
      "POST",
      path.replace("/configuration", `/document/process/${guid}/with-configuration`),
    );
    expectRecord("upload", processed.json());
    await waited(guid);
    expect((await get(`/job/result/${guid}/json`)).json()).toEqual({ invoice_number: "SH-2026-0117" });
    expect([(await send("DELETE", path)).text, (await get(path)).status]).toEqual(["{}", 404]);
  });

  it("saves settings, and refuses unknown ones", async () => {
    expect((await get("/user/me")).json()).toMatchObject({ organizationId: target.keys.organizationId });
    const setting = (body: string) => send("PUT", "/settings/webhook", body, "application/json");
    const url = "https://hooks.sheaf.invalid/events";
    expect((await setting(JSON.stringify({ url }))).json().url).toBe(url);
    expect((await get("/settings/webhook")).json().url).toBe(url);
    expect((await setting('{"url":null}')).json().url).toBeNull();
    for (const path of ["/compare", "/embeddings", "/members"]) expect((await get(path)).status, path).toBe(404);
  });

  it("refuses callers without a key", async () => {
    const response = await fetch(`${target.url}${prefix}/job/list`, { headers: { authorization: "nobody-knows-me" } });
    expect(response.status).toBe(401);
  });
});

it("a bare key is accepted below /compat only", async () => {
  const headers = { authorization: target.api.key };
  expect((await fetch(`${target.url}/job/list`, { headers })).status).toBe(401);
  expect((await fetch(`${target.url}/compat/job/list`, { headers })).status).toBe(200);
});
