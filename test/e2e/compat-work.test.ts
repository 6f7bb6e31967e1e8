/**
 * The requests of the public clients for batches, long documents, pipelines, operations and templates, on the plain routes
 * and below /compat; each answer is held to what those clients need of it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { patternPng, picturesPdf, show } from "../functions/engine/structure/figures/pictures.ts";
import { expectRecord } from "../support/client-records.ts";
import { flatForm } from "../support/flat-form.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { documentPart, filePart, PREFIXES, publicClient } from "../support/public-client.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

const TOTAL = '{\\"type\\":\\"object\\",\\"properties\\":{\\"total\\":{\\"type\\":\\"number\\"}}}';
const LINES = '{\\"lines\\":[{\\"description\\":\\"string\\",\\"amount\\":\\"number\\"}]}';
const MODES = '"ocr":"DEFAULT","llm":"DEFAULT"';
const PDF = '"mimeType":"application/pdf"';
const NOTHING = "00000000-0000-7000-8000-000000000000";

let target: TestService;
let invoice: Uint8Array;
beforeAll(async () => {
  target = await sharedTestService();
  invoice = await drawInvoice();
});
afterAll(() => target.close());

const figurePdf = async () =>
  picturesPdf({ a: await patternPng(320, 200) }, [
    (page, { a }) => {
      show(page, a, 72, 560, 240, 150);
      page.drawText("Figure 1: The harbour at noon", { x: 72, y: 540, size: 11 });
    },
  ]);

describe.each(PREFIXES)("%s", (_name, prefix) => {
  const client = publicClient(() => target, prefix);
  const { compat, send, get, post, postParts, uploaded, waited } = client;

  it("makes, fills, schedules and reads a batch", async () => {
    const made = await post("/document/batch", '{"maxConcurrency":2}');
    expect(made.status, made.text).toBe(200);
    expectRecord("batch", made.json());
    const { jobGuid: batch } = made.json();
    for (const [index, name] of ["ä.pdf", "document"].entries()) {
      const part = filePart("document", name, invoice, "application/pdf");
      const added = await postParts(`/document/batch/${batch}/upload`, part);
      expect(added.status, added.text).toBe(compat ? 200 : 201);
      expectRecord("batchUpload", added.json());
      expect(added.json()).toMatchObject({ jobGuid: batch, index, totalDocuments: index + 1 });
    }
    const processed = await post(`/document/batch/${batch}/process`, `{${MODES},"schema":"${TOTAL}",${PDF}}`);
    expect(processed.status, processed.text).toBe(200);
    expectRecord("batch", processed.json());
    const scheduled = await post(`/document/batch/${batch}/schedule`, "{}");
    expect(scheduled.status, scheduled.text).toBe(200);
    expectRecord("batchSchedule", scheduled.json());
    expect(await waited(batch)).toMatchObject({ status: "COMPLETED", isBatch: true, totalDocs: 2, completedDocs: 2 });
    expect((await get(`/job/result/${batch}/json`)).json()).toEqual([{ total: 517.2 }, { total: 517.2 }]);
    expect((await get(`/job/result/${batch}/csv`)).text).toContain("517.2");
    expect((await get(`/job/result/${batch}/excel?configuration=`)).bytes.subarray(0, 2).toString()).toBe("PK");
  });

  it("takes a batch of no document for none, and a failed document of two for a shortfall", async () => {
    const { jobGuid: batch } = (await post("/document/batch", "{}")).json();
    for (const content of ["Total: 5.00 EUR\n", " \n"]) {
      const part = filePart("document", "a.txt", content, "text/plain");
      expect((await postParts(`/document/batch/${batch}/upload`, part)).status).toBeLessThan(300);
    }
    await send("DELETE", "/configuration/of%20a%20batch");
    const saved = await post("/configuration/of%20a%20batch", `{"schema":"${TOTAL}"}`);
    expect(saved.status, saved.text).toBe(compat ? 200 : 201);
    const path = `/document/batch/${batch}/process/with-configuration/of%20a%20batch`;
    const processed = await post(path, "{}");
    expect(processed.status, processed.text).toBe(200);
    // Clients go on polling unless it reads COMPLETED.
    expect(await waited(batch)).toMatchObject({ status: compat ? "COMPLETED" : "PARTIAL", failedDocs: 1 });
    const empty = (await post("/document/batch", "{}")).json().jobGuid;
    expect((await post(`/document/batch/${empty}/process`, `{${PDF}}`)).status).toBe(409);
  });

  it("reads long documents chunk by chunk, with all that the clients send", async () => {
    const guid = await uploaded(documentPart(invoice));
    const page = '"splitType":"PAGE","enabled":true,"pagesPerChunk":1,"overlapPages":0';
    const headers = [
      "",
      ',"stopWhenEmpty":true,"emptyChunkGrace":0,"parallelProcessing":true',
      ',"header":{"enabled":true,"pageLimit":1,"includeInRows":true,"pageIndices":[0]}',
    ];
    const headings =
      '"splitType":"MARKDOWN_HEADER","splitHeaderLevel":2,"enabled":true,"pagesPerChunk":1,"overlapPages":0';
    for (const split of [...headers.map((one) => page + one), headings]) {
      const command = `{"mapReduce":{${split}},${MODES},"schema":"${LINES}","prompt":"",${PDF}}`;
      const processed = await post(`/document/process/${guid}?dependsOn=${guid}`, command);
      expect([split, processed.status, processed.status === 200 ? "" : processed.text]).toEqual([split, 200, ""]);
      const job = await waited(guid);
      expect(job, split).toMatchObject({ mapReduceStatus: { totalChunks: 1 } });
    }
    const both = (await get(`/job/params/${guid}`)).json();
    expect(both).toMatchObject({ mapReduce: { splitType: "MARKDOWN_HEADER" } });
    expect((await get(`/job/result/${guid}/schema`)).status).toBe(200);
    const dependencies = (await get(`/job/dependencies/${guid}`)).json();
    expectRecord("dependencies", dependencies);
  });

  it("runs a pipeline as the builder writes it", async () => {
    const guid = await uploaded(documentPart(invoice));
    const nodes = [
      { id: "read", type: "extract", schema: { total: "number" }, sourceLocations: true },
      {
        id: "size",
        type: "validate",
        validator: "bucket",
        input: "$nodes.read.total",
        config: {
          buckets: [
            { name: "small", max: 100 },
            { name: "large", min: 100 },
          ],
        },
      },
      { id: "small", type: "final", when: { eq: ["$nodes.size.result.bucket", "small"] }, output: { kind: "small" } },
      {
        id: "large",
        type: "final",
        dependsOn: ["read", "size"],
        when: { eq: ["$nodes.size.result.bucket", "large"] },
        output: { kind: "large", read: "read" },
      },
    ];
    const pipeline = { version: "2026-05", nodes, finals: [{ node: "small" }, { node: "large" }] };
    const command = { extractionMode: "PIPELINE", pipeline, mimeType: "application/pdf", trace: true };
    const processed = await post(`/document/process/${guid}`, JSON.stringify(command));
    expect(processed.status, processed.text).toBe(200);
    const job = await waited(guid);
    expectRecord("pipeline", job.pipeline as Record<string, unknown>);
    const shown = (job.pipeline as { nodes: Record<string, unknown>[] }).nodes;
    for (const node of shown) expectRecord("node", node);
    expect(shown.map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED", "SKIPPED", "COMPLETED"]);
    expect((await get(`/job/result/${guid}/json`)).json()).toMatchObject({ kind: "large" });
    expect((await get(`/job/trace/${guid}`)).json()).toHaveProperty("events");
  });

  it("starts operations, lists them, and reads their results", async () => {
    const guid = await uploaded(documentPart(await flatForm()));
    expect(
      (await post(`/document/ocr/${guid}?format=plain`, `{"ocr":"DEFAULT","ocrFormat":"plain",${PDF}}`)).status,
    ).toBe(200);
    await waited(guid);
    const figure = await uploaded(documentPart(await figurePdf()));
    const drawn = `{${MODES},"prompt":"","schema":"",${PDF},"extractFigures":true}`;
    expect((await post(`/document/process/${figure}`, drawn)).status).toBe(200);
    await waited(figure);
    // The command line sends every value as a text.
    const parameters = '"parameters":{"customParameters":{"prompt":"logo","topK":"3","useVision":"false"}}';
    const select = await post("/operation", `{"jobGuid":"${figure}","type":"image-select",${parameters}}`);
    const custom = '{"ocr":"PREMIUM","fieldNameStyle":"source_snake_case"}';
    const wish = `{"jobGuid":"${guid}","type":"pdf-acroform","parameters":{"llmType":"DEFAULT","customParameters":${custom}}}`;
    const made = await post("/operation", wish);
    for (const started of [select, made]) {
      expect(started.status, started.text).toBe(200);
      expectRecord("operation", started.json());
      await waited(started.json().jobGuid);
    }
    const listed = (await get(`/operation/${guid}`)).json();
    expectRecord("operationList", listed);
    for (const one of listed.operations) expectRecord("operationEntry", one);
    const result = (await get(`/operation/${guid}/pdf-acroform`)).json();
    expectRecord("operationResult", result);
    const { jobGuid } = made.json();
    expect((await get(`/job/result/${jobGuid}/pdf-acroform`)).bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const { fieldDefinitions } = (await get(`/job/result/${jobGuid}/pdf-acroform-field-definitions`)).json();
    const review = { fieldDefinitions: fieldDefinitions.slice(0, 1), minConfidence: 0, maxFieldsPerPage: 300 };
    const applied = await post(`/job/${guid}/pdf-acroform/apply`, JSON.stringify(review));
    expect([applied.status, typeof applied.json().jobGuid], applied.text).toEqual([200, "string"]);
    await waited(applied.json().jobGuid);
    // An artifact that was not asked for is 404; any other refusal raises.
    expect((await get(`/job/result/${guid}/pdf-acroform-field-definitions`)).status).toBe(404);
    const unknown = await post("/operation", `{"jobGuid":"${NOTHING}","type":"error-analysis"}`);
    expect([unknown.status, Object.keys(unknown.json())]).toEqual([
      404,
      expect.arrayContaining(["code", "message", "disabled"]),
    ]);
    const task = await post(`/operation/${guid}/generative-task`, '{"prompt":"Sum up"}');
    expect([200, 201]).toContain(task.status);
    expectRecord("operation", task.json());
  });

  it("stores, describes, fills and deletes a template", async () => {
    const name = compat ? "form-of-compat" : "form-of-plain";
    const form = filePart("document", name, await templatePdf(), "application/octet-stream");
    const uploading = await postParts(`/template/${name}`, form);
    expect(uploading.status, uploading.text).toBe(200);
    const read = await client.until(
      () => get(`/template/metadata/${name}`),
      ({ status }) => status !== 202,
    );
    expect(read.status, read.text).toBe(200);
    for (const field of read.json()) expectRecord("templateField", field);
    for (const one of (await get("/template/list")).json()) expectRecord("template", one);
    const picture = filePart("images", "logo.png", await patternPng(20, 20), "image/png");
    const stored = await postParts(`/template/${name}/images`, picture);
    expect([stored.status, stored.json()]).toEqual([200, { "logo.png": "images/logo.png" }]);
    const logo = { _ref: "images/logo.png", width_mm: 20 };
    const fields = { "applicant.name": "Ada", agreed: true, logo };
    const filled = await post(`/template/fill/${name}`, JSON.stringify({ fields, ours: "kept" }));
    expect(filled.status, filled.text.slice(0, 900)).toBe(200);
    expect(await fieldsOf(filled.bytes)).toMatchObject({ "applicant.name": "Ada" });
    const other = await post(`/template/fill/${name}`, JSON.stringify({ fields: { ...fields, another: 1 } }));
    expect(other.status).toBe(compat ? 200 : 400);
    expect((await post("/template/fill/none", '{"fields":{}}')).status).toBe(404);
    const deleted = await send("DELETE", `/template/${name}`);
    expect([deleted.status, deleted.text]).toEqual(compat ? [200, "[]"] : [204, ""]);
  });
});
