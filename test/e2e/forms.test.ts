/** Flat PDFs that become forms: the operation, the review, and the files of a form. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PDF } from "../../functions/ports/media-types.ts";
import { type Answer, form } from "../support/api.ts";
import { batchCalls } from "../support/batches.ts";
import { flatForm } from "../support/flat-form.ts";
import { definition } from "../support/form-definitions.ts";
import { templatePdf } from "../support/form-pdf.ts";
import { scannedPdf } from "../support/scans.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

const UNKNOWN = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

let target: TestService;
let parent: string;
beforeAll(async () => {
  target = await sharedTestService();
  const job = await target.api.processed(await flatForm(), { prompt: "the form's title" }, { type: PDF });
  expect(job.status).toBe("COMPLETED");
  parent = job.guid;
});
afterAll(() => target.close());

const start = (jobGuid: string, customParameters: Record<string, unknown> = {}, type = "pdf-acroform") =>
  target.api.post("/operation", { json: { jobGuid, type, parameters: { customParameters } } });

const apply = (json: unknown, guid = parent, body?: string) =>
  target.api.post(`/job/${guid}/pdf-acroform/apply`, body === undefined ? { json } : { body });

/** Waits for an operation that was started. @returns its GUID and its result */
async function made(started: Answer): Promise<{ guid: string; result: Answer["json"] }> {
  expect(started.status, started.text).toBe(200);
  const guid = started.json.jobGuid as string;
  const ended = await target.api.ended(guid);
  expect(ended, ended.error).toMatchObject({ status: "COMPLETED", engine: "offline" });
  return { guid, result: (await target.api.get(`/job/result/${guid}`)).json };
}

const fileOf = (guid: string, name: string) => target.api.get(`/job/result/${guid}/${name}`);
const definitionsOf = async (guid: string) =>
  (await fileOf(guid, "pdf-acroform-field-definitions")).json as { fieldDefinitions: Record<string, unknown>[] };

const NAME = definition("full_name", [200, 105, 450, 122], { label: "Full name" });
const BOX = definition("rules", [60, 236, 71, 247], { fieldType: "checkbox", label: "I accept the rules" });

describe("the operation pdf-acroform", () => {
  it("makes a form of a flat PDF, with its metadata and definitions", async () => {
    const { guid, result } = await made(await start(parent, { minConfidence: "0.1", maxFieldsPerPage: "50" }));
    const { fieldDefinitions, ...rest } = await definitionsOf(guid);
    expect(rest).toEqual({ version: 1, pages: [{ pageNumber: 1, width: 612, height: 792, unit: "point" }] });
    expect(fieldDefinitions.map(({ fieldName }) => fieldName)).toEqual(
      expect.arrayContaining([expect.stringMatching(/name/), expect.stringMatching(/city/)]),
    );
    expect(fieldDefinitions.map(({ fieldType }) => fieldType)).toEqual(expect.arrayContaining(["text", "checkbox"]));
    expect(result).toMatchObject({ writtenFieldCount: fieldDefinitions.length, skippedFields: [] });
    expect(result.pages).toEqual([{ pageNumber: 1, fieldCount: fieldDefinitions.length }]);
    const { bytes, headers } = await fileOf(guid, "pdf-acroform");
    expect(headers.get("content-type")).toBe(PDF);
    const acroForm = (await PDFDocument.load(bytes)).getForm();
    expect(acroForm.getFields().map((field) => field.getName())).toEqual(
      fieldDefinitions.map(({ fieldName }) => fieldName),
    );
    const metadata = (await fileOf(guid, "acroform-metadata")).json;
    expect(metadata.fields).toHaveLength(fieldDefinitions.length);
  });

  it("fills values by name and by label in the same call", async () => {
    const values = { "Full name": "Ada Lovelace", city: "London", "I accept the rules of the library": true, none: 1 };
    const { guid, result } = await made(await start(parent, { values }));
    const { fields } = (await fileOf(guid, "acroform-metadata")).json;
    const filled = fields.map(({ value }: { value: unknown }) => value);
    expect(filled).toEqual(expect.arrayContaining(["Ada Lovelace", "London", "Yes"]));
    expect(result.warnings).toEqual(['No field has the name or the label "none"']);
  });

  it("reads the document anew where that is asked for", async () => {
    const { guid } = await made(await start(parent, { forceOcr: "true", ocr: "default" }));
    expect((await target.api.get(`/job/result/${guid}/layout`)).json.pages).toHaveLength(1);
    expect((await definitionsOf(guid)).fieldDefinitions.length).toBeGreaterThan(2);
  });

  it("reads the document of a batch that batchIndex names anew", async () => {
    const { created, added, process, ended } = batchCalls(() => target.api);
    const batch = await created();
    await added(batch, "Name: ____");
    await added(batch, await flatForm(), { name: "card.pdf", type: PDF });
    await process(batch, { extractionMode: "OCR", ocr: "LOW" });
    await ended(batch);
    const wish = (customParameters: object, batchIndex: number) => ({
      json: { jobGuid: batch, batchIndex, type: "pdf-acroform", parameters: { customParameters } },
    });
    const unread = await target.api.post("/operation", wish({}, 1));
    expect([unread.status, unread.json.message]).toEqual([409, expect.stringContaining("set forceOcr to true")]);
    const { guid } = await made(await target.api.post("/operation", wish({ forceOcr: true, ocr: "DEFAULT" }, 1)));
    const { fieldDefinitions } = await definitionsOf(guid);
    expect(fieldDefinitions).toContainEqual(expect.objectContaining({ label: "Full name:" }));
    expect((await target.api.get(`/job/result/${guid}/layout`)).json.pages).toHaveLength(1);
    const text = await target.api.post("/operation", wish({ forceOcr: true }, 0));
    expect([text.status, text.json.message]).toEqual([409, expect.stringContaining("can be made of a PDF only")]);
  });

  it("makes the same files when it is asked for twice, and nothing beside a form that it made", async () => {
    const first = await made(await start(parent));
    const second = await made(await start(parent));
    expect(await definitionsOf(second.guid)).toEqual(await definitionsOf(first.guid));
    const { bytes } = await fileOf(first.guid, "pdf-acroform");
    const { fieldDefinitions } = await definitionsOf(first.guid);
    const job = await target.api.processed(bytes, {}, { type: PDF });
    const again = await made(await start(job.guid));
    const names = (await definitionsOf(again.guid)).fieldDefinitions.map(({ fieldName }) => fieldName);
    expect(names).toEqual(fieldDefinitions.map(({ fieldName }) => fieldName));
    expect(again.result.writtenFieldCount).toBe(0);
  });

  it("finds lines and boxes in the pixels of a scan, with labels that are recognised", async () => {
    const job = await target.api.processed(await scannedPdf(await flatForm()), {}, { type: PDF });
    const { guid, result } = await made(await start(job.guid));
    const { fieldDefinitions } = await definitionsOf(guid);
    expect(fieldDefinitions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source: "image", fieldType: "text", label: expect.stringMatching(/Full name/u) }),
        expect.objectContaining({ source: "image", fieldType: "checkbox", label: expect.stringMatching(/rules/u) }),
      ]),
    );
    expect(result.writtenFieldCount).toBe(fieldDefinitions.length);
  });

  it("keeps the fields that the document has, and makes none in their places", async () => {
    const job = await target.api.processed(await templatePdf(), {}, { type: PDF });
    const { guid, result } = await made(await start(job.guid));
    const acroForm = (await PDFDocument.load((await fileOf(guid, "pdf-acroform")).bytes)).getForm();
    const names = acroForm.getFields().map((field) => field.getName());
    expect(names).toEqual(expect.arrayContaining(["applicant.name", "applicant.city", "agreed", "status"]));
    expect(result.skippedFields).toEqual(
      expect.arrayContaining([{ fieldName: "agreed", reason: expect.stringContaining("has this field already") }]),
    );
  });

  it("is refused for a document that is no PDF", async () => {
    const text = await target.api.processed("Name: ____", {});
    const { status, json } = await start(text.guid);
    expect([status, json.message]).toEqual([409, expect.stringContaining("a form can be made of a PDF only")]);
    expect((await apply({ fieldDefinitions: [NAME] }, text.guid)).status).toBe(409);
  });

  it("names each parameter that does not fit", async () => {
    const { status, json } = await start(parent, { minConfidence: 2, fieldNameStyle: "kebab", maxFieldsPerPage: "x" });
    expect(status).toBe(400);
    expect(json.errors.map(({ path }: { path: string }) => path.split("/").at(-1))).toEqual([
      "fieldNameStyle",
      "minConfidence",
      "maxFieldsPerPage",
    ]);
  });
});

describe("applying reviewed definitions", () => {
  it("writes what the review left, without looking again", async () => {
    const source = await made(await start(parent));
    const sent = {
      sourceOperationGuid: source.guid,
      fieldDefinitions: [
        { ...NAME, fieldName: "who" },
        { ...BOX, confidence: 0.2, reviewStatus: "edited" },
        { ...NAME, fieldName: "no", reviewStatus: "rejected" },
        { ...NAME, fieldName: "unsure", confidence: 0.3, reviewStatus: "suggested" },
      ],
      minConfidence: 0.5,
    };
    const { guid, result } = await made(await apply(sent));
    expect(result).toEqual({
      writtenFieldCount: 2,
      skippedFields: [
        { fieldName: "no", reason: "The review rejected it" },
        { fieldName: "unsure", reason: "Its confidence of 0.3 is below minConfidence 0.5" },
      ],
      pages: [{ pageNumber: 1, fieldCount: 2 }],
      warnings: [],
    });
    const acroForm = (await PDFDocument.load((await fileOf(guid, "pdf-acroform")).bytes)).getForm();
    expect(acroForm.getFields().map((field) => field.getName())).toEqual(["who", "rules"]);
    const { json } = await target.api.get(`/operation/${parent}/pdf-acroform-apply`);
    expect(JSON.parse(json.result)).toEqual(result);
  });

  it("takes the definitions that an operation found, as they are", async () => {
    const source = await made(await start(parent));
    const { fieldDefinitions } = await definitionsOf(source.guid);
    const { guid, result } = await made(await apply({ fieldDefinitions, sourceOperationGuid: source.guid }));
    expect(result.writtenFieldCount).toBe(source.result.writtenFieldCount);
    expect((await definitionsOf(guid)).fieldDefinitions).toEqual(fieldDefinitions);
  });

  it("makes names unique, and tells so", async () => {
    const again = definition("full_name", [200, 133, 450, 150]);
    const { guid, result } = await made(await apply({ fieldDefinitions: [NAME, again] }));
    const { fieldDefinitions } = await definitionsOf(guid);
    expect(fieldDefinitions.map(({ fieldName }) => fieldName)).toEqual(["full_name", "full_name_2"]);
    expect(result.warnings).toEqual([expect.stringContaining('"full_name" is "full_name_2"')]);
  });

  it("may be asked for as an operation of its type", async () => {
    const started = await start(parent, { fieldDefinitions: JSON.stringify([NAME]) }, "pdf_acroform_apply");
    expect((await made(started)).result.writtenFieldCount).toBe(1);
  });

  it.each<[string, unknown, string]>([
    ["an unknown type", { fieldDefinitions: [NAME, { ...NAME, fieldType: "star" }] }, "/fieldDefinitions/1/fieldType"],
    [
      "a box beside the page",
      { fieldDefinitions: [{ ...NAME, entryBbox: { left: 2 } }] },
      "/fieldDefinitions/0/entryBbox",
    ],
    [
      "a page that there is none of",
      { fieldDefinitions: [{ ...NAME, pageNumber: 2 }] },
      "/fieldDefinitions/0/pageNumber",
    ],
    ["a number that does not fit", { fieldDefinitions: [NAME], minConfidence: 3 }, "/minConfidence"],
  ])("refuses %s by its place", async (_name, body, path) => {
    const { status, json } = await apply(body);
    expect([status, json.errors[0].path]).toEqual([400, path]);
  });

  it("refuses a body that is none", async () => {
    for (const body of [{}, [], { fieldDefinitions: null }]) {
      const { status, json } = await apply(body);
      expect([status, json.message]).toEqual([400, expect.stringContaining('"fieldDefinitions"')]);
    }
    const broken = await target.api.post(`/job/${parent}/pdf-acroform/apply`, { body: "{" });
    expect(broken.status).toBe(400);
  });

  it.skipIf(REMOTE_URL !== undefined)("takes a body of up to 15,000,000 bytes", async () => {
    const body = JSON.stringify({ fieldDefinitions: [NAME, BOX], maxFieldsPerPage: 1 });
    const { result } = await made(await apply(undefined, parent, body.padEnd(15_000_000)));
    expect(result.skippedFields).toEqual([
      { fieldName: "rules", reason: expect.stringContaining("raise maxFieldsPerPage") },
    ]);
    const { status, json } = await apply(undefined, parent, body.padEnd(15_000_001));
    expect([status, json.message]).toEqual([413, expect.stringContaining("15 MB (15,000,000 bytes)")]);
  });

  it("finds neither an unknown job, nor another organization's, nor another job's operation", async () => {
    expect((await apply({ fieldDefinitions: [NAME] }, UNKNOWN)).status).toBe(404);
    const foreign = await target.other.post(`/job/${parent}/pdf-acroform/apply`, {
      json: { fieldDefinitions: [NAME] },
    });
    expect(foreign.status).toBe(404);
    const { status, json } = await apply({ fieldDefinitions: [NAME], sourceOperationGuid: parent });
    expect([status, json.message]).toEqual([404, expect.stringContaining("no pdf-acroform operation")]);
  });

  it("runs once for one Idempotency-Key", async () => {
    const options = { json: { fieldDefinitions: [NAME] }, headers: { "idempotency-key": "apply-1" } };
    const call = () => target.api.post(`/job/${parent}/pdf-acroform/apply`, options);
    const [first, second] = [await call(), await call()];
    expect(second.json.jobGuid).toBe(first.json.jobGuid);
    await made(first);
  });
});

describe("a form made of a flat PDF", () => {
  it("is a template, whose filled copy is read with the same values", async () => {
    const { api } = target;
    const { guid } = await made(await start(parent));
    const { fieldDefinitions } = await definitionsOf(guid);
    const accepted = fieldDefinitions.map((one) => ({ ...one, reviewStatus: "accepted" }));
    const applied = await made(await apply({ fieldDefinitions: accepted, sourceOperationGuid: guid }));
    const { bytes } = await fileOf(applied.guid, "pdf-acroform");
    expect((await api.post("/template/library-card?replace=true", { body: form(bytes) })).status).toBe(200);
    const fields = { full_name: "Ada Lovelace", city: "London" };
    const filled = await api.post("/template/fill/library-card", { json: { fields } });
    expect(filled.status, filled.text).toBe(200);
    const { schema } = (await api.get("/template/schema/library-card")).json;
    const job = await api.processed(filled.bytes, { schema }, { type: PDF });
    expect((await api.get(`/job/result/${job.guid}`)).json).toMatchObject(fields);
  });
});

describe("the files of a form", () => {
  it("are not found of other jobs, by other organizations, and after the deletion of the job", async () => {
    const job = await target.api.processed(await flatForm(), {}, { type: PDF });
    const { guid } = await made(await apply({ fieldDefinitions: [NAME] }, job.guid));
    const names = ["pdf-acroform", "pdf-acroform-field-definitions", "acroform-metadata"];
    for (const name of names) {
      expect((await fileOf(job.guid, name)).status).toBe(404);
      expect((await target.other.get(`/job/result/${guid}/${name}`)).status).toBe(404);
      expect((await fileOf(guid, name)).status).toBe(200);
    }
    expect((await target.api.delete(`/job/${job.guid}`)).status).toBe(200);
    for (const name of names) expect((await fileOf(guid, name)).status).toBe(404);
  });
});
