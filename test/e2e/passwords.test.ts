/** PDFs that open with a password: every way to give it, and no trace of it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { encryptedPdf } from "../support/pdf.ts";
import { startTestService, type TestService } from "../support/service.ts";

const CANARY = 'canary "7f1c" Pässwörd';
const PDF_TYPE = "application/pdf";
/** SQLite has files to look into; the emulator of DynamoDB is no driver of ours. */
const isLocal = process.env.SHEAF_TEST_RECORDS !== "dynamodb";

/** A text as a file or an answer could hold it. */
function formsOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text, "utf8");
  // Base64 depends on the place within three bytes; the outer characters depend on what stands around.
  const base64 = [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), utf8]);
    return [shifted.toString("base64"), shifted.toString("base64url")].map((one) =>
      Buffer.from(one.slice(4, -4).replace(/=/g, "")),
    );
  });
  const wide = Buffer.from(text, "utf16le");
  const written = [JSON.stringify(text).slice(1, -1), encodeURIComponent(text), utf8.toString("hex")];
  return [utf8, wide, Buffer.from(wide).swap16(), ...base64, ...written.map((one) => Buffer.from(one))];
}

const holds = (bytes: Uint8Array, forms: readonly Buffer[]): boolean =>
  forms.some((form) => Buffer.from(bytes).includes(form));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe("a PDF that opens with a password", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-passwords-"));
  const forms = formsOf(CANARY);
  let service: TestService;
  let pdf: Uint8Array;
  const answers: string[] = [];

  beforeAll(async () => {
    pdf = await encryptedPdf({ user: CANARY, owner: "owner" });
    service = await startTestService({ dataDir });
  });
  afterAll(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = async (...[method, path, options]: Parameters<TestService["api"]["call"]>) => {
    const answer = await service.api.call(method, path, options);
    answers.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  };
  const form = (parts: Record<string, string> = {}): FormData => {
    const body = new FormData();
    body.append("document", new Blob([Buffer.from(pdf)], { type: PDF_TYPE }), "secret.pdf");
    for (const [name, value] of Object.entries(parts)) body.append(name, value);
    return body;
  };
  const uploaded = async (): Promise<string> => (await call("POST", "/document/upload", { body: form() })).json.guid;
  const ended = async (guid: string) => {
    await service.api.ended(guid);
    return (await call("GET", `/job/status/${guid}`)).json;
  };
  const filesWith = (wanted: readonly Buffer[]): string[] =>
    filesBelow(dataDir).filter((path) => holds(readFileSync(path), wanted));
  const sealedTexts = (): string[] =>
    filesBelow(dataDir).flatMap((path) =>
      [
        ...readFileSync(path)
          .toString("latin1")
          .matchAll(/"sealed":"(v1\.[\w-]+)"/g),
      ].map(([, sealed = ""]) => sealed),
    );

  it("is sealed while its run is open and gone when it has ended, in clear nowhere", async () => {
    const [guid, first] = [await uploaded(), await uploaded()];
    const json = { extractionMode: "OCR", password: CANARY };
    const headers = { "idempotency-key": "with-a-password" };
    const opened = await call("POST", `/document/process/${guid}?dependsOn=${first}`, { json, headers });
    expect(opened.json).toMatchObject({ status: "PENDING" });
    expect((await call("POST", `/document/process/${guid}?dependsOn=${first}`, { json, headers })).json).toEqual(
      opened.json,
    );
    if (isLocal) expect(sealedTexts()).not.toEqual([]);
    expect(filesWith(forms)).toEqual([]);
    const sealed = sealedTexts();

    await call("POST", `/document/process/${first}`, { json });
    await ended(first);
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED" });
    expect((await call("GET", `/job/result/${guid}`)).text).toContain("Behind a password");
    const params = (await call("GET", `/job/params/${guid}`)).json;
    expect(params).not.toHaveProperty("password");
    await call("GET", "/job/list");
    await call("GET", `/job/result/${guid}/layout`);

    expect(filesWith(forms)).toEqual([]);
    if (isLocal) {
      expect(sealedTexts()).toEqual([]);
      expect(filesWith(sealed.map((one) => Buffer.from(one)))).toEqual([]);
    }
    expect(holds(Buffer.from(service.log() + answers.join("\n")), forms)).toBe(false);
  });

  it("is opened by every way to process it", async () => {
    const reads = async (guid: string): Promise<void> => {
      expect(await ended(guid)).toMatchObject({ status: "COMPLETED", error: null });
    };
    await reads((await call("POST", `/document/ocr/${await uploaded()}`, { json: { password: CANARY } })).json.guid);
    const metadata = JSON.stringify({ password: CANARY, acroFormMetadata: true, extractFigures: true });
    await reads((await call("POST", "/document/upload-files", { body: form({ metadata }) })).json.guid);
    await reads((await call("POST", "/document/analyze", { body: form({ password: CANARY }) })).json.guid);
    await reads((await call("POST", "/document/generate-schema", { body: form({ password: CANARY }) })).json.guid);
    const text = await call("POST", "/document/ocr/sync", { body: form({ password: CANARY }) });
    expect(text.text).toContain("Behind a password");
    const metadataOfForm = await call("POST", "/document/acroform-metadata", { body: form({ password: CANARY }) });
    expect(metadataOfForm.json).toMatchObject({ fields: [] });
    const nodes = [
      { id: "read", type: "extract", schema: { total: "number" } },
      { id: "done", type: "final", output: { sum: "$nodes.read.result.total" } },
    ];
    const pipeline = { nodes, finals: [{ node: "done" }] };
    const wish = { pipeline, password: CANARY };
    await reads((await call("POST", `/document/process/${await uploaded()}`, { json: wish })).json.guid);
    expect(filesWith(forms)).toEqual([]);
  });

  it("is opened in a batch by the batch's password, and only there", async () => {
    const { guid } = (await call("POST", "/document/batch", {})).json;
    for (let index = 0; index < 2; index += 1) {
      await call("POST", `/document/batch/${guid}/upload`, { body: form() });
    }
    const json = { extractionMode: "OCR", password: CANARY };
    await call("POST", `/document/batch/${guid}/process`, { json });
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED", completedDocs: 2 });
    if (isLocal) expect(sealedTexts()).toEqual([]);
  });

  it("fails with a sentence without its password, and with another one", async () => {
    const guid = await uploaded();
    await call("POST", `/document/process/${guid}`, { json: {} });
    expect(await ended(guid)).toMatchObject({
      status: "FAILED",
      error: JOB_SENTENCES.password,
      hint: expect.stringContaining("`password`"),
    });
    await call("POST", `/document/process/${guid}`, { json: { password: `${CANARY}?` } });
    const failed = await ended(guid);
    expect(failed).toMatchObject({ status: "FAILED", error: JOB_SENTENCES.wrongPassword });
    expect(failed).not.toHaveProperty("hint");
    const sync = await call("POST", "/document/ocr/sync", { body: form({ password: "x" }) });
    expect([sync.status, sync.json.message]).toEqual([422, JOB_SENTENCES.wrongPassword]);
    const metadata = await call("POST", "/document/acroform-metadata", { body: form({ password: "x" }) });
    expect([metadata.status, metadata.json.message]).toEqual([
      422,
      JOB_SENTENCES.wrongPassword.replace("Processing failed: ", ""),
    ]);
    if (isLocal) expect(sealedTexts()).toEqual([]);
  });

  it("serves a later run without its password from what was read, and asks for it where the bytes are needed", async () => {
    const guid = await uploaded();
    await call("POST", `/document/process/${guid}`, { json: { extractionMode: "OCR", password: CANARY } });
    expect((await ended(guid)).status).toBe("COMPLETED");
    const image = await call("GET", `/job/image/${guid}/0`);
    expect([image.status, image.json.message]).toEqual([422, expect.stringContaining("opens with a password")]);
    await call("POST", `/document/process/${guid}`, { json: { prompt: "everything" } });
    expect((await ended(guid)).status).toBe("COMPLETED");
    await call("POST", `/document/process/${guid}`, { json: { acroFormMetadata: true } });
    expect(await ended(guid)).toMatchObject({ status: "FAILED", error: JOB_SENTENCES.password });
  });

  it("erases the password of a cancelled run", async () => {
    const [guid, first] = [await uploaded(), await uploaded()];
    await call("POST", `/document/process/${guid}?dependsOn=${first}`, { json: { password: CANARY } });
    if (isLocal) expect(sealedTexts()).not.toEqual([]);
    expect((await call("POST", `/job/${guid}/cancel`)).status).toBe(200);
    if (isLocal) expect(sealedTexts()).toEqual([]);
  });

  it("keeps the password out of refusals, and out of saved configurations", async () => {
    const guid = await uploaded();
    const path = `/document/process/${guid}`;
    const headers = { "content-type": "application/json" };
    for (const options of [
      { json: { password: [CANARY] } },
      { json: { password: CANARY.repeat(100) } },
      { json: { password: CANARY, ocr: "SOMEHOW" } },
      { body: `{"password": "${CANARY}`, headers },
    ]) {
      const refused = await call("POST", path, options);
      expect(refused.status).toBe(400);
    }
    const saved = await call("POST", "/configuration/secret", { json: { password: CANARY, prompt: "p" } });
    expect([saved.status, saved.json.errors]).toEqual([
      400,
      [{ path: "/password", message: "must be left out: a password is not saved; send it with each command" }],
    ]);
    expect((await call("GET", "/configuration/secret", { undocumented: true })).status).toBe(404);
    expect(holds(Buffer.from(service.log() + answers.join("\n")), formsOf(CANARY))).toBe(false);
    expect(filesWith(forms)).toEqual([]);
  });
});

describe.skipIf(!isLocal)("a stop of the service with a password sealed", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-sealed-"));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it("goes on after the next start", async () => {
    const first = await startTestService({ dataDir });
    const body = await encryptedPdf({ user: CANARY, owner: "owner" });
    const [guid, awaited] = [await first.api.upload(body), await first.api.upload(body)];
    const json = { extractionMode: "OCR", password: CANARY };
    await first.api.post(`/document/process/${guid}?dependsOn=${awaited}`, { json });
    await first.close();

    const second = await startTestService({ dataDir });
    await second.api.post(`/document/process/${awaited}`, { json });
    expect(await second.api.ended(guid)).toMatchObject({ status: "COMPLETED", error: null });
    await second.close();
  });
});
