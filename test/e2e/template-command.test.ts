/** The commands of templates, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let files: Record<string, string | Uint8Array>;
beforeAll(async () => {
  target = await startTestService();
  files = {
    "/in/form.pdf": await templatePdf(),
    "/in/next.pdf": await templatePdf({ extra: "comment" }),
    "/in/invoice-form.pdf": await templatePdf({ names: ["invoice_number"] }),
    "/in/request.json": JSON.stringify({ fields: { applicant: { name: "Ada" } }, ours: 1 }),
    "/in/fields.json": JSON.stringify({ "applicant.name": "Grace", agreed: true }),
    "/in/unknown.json": JSON.stringify({ age: 3 }),
    "/in/none.json": "[]",
    "/in/letter.txt": "Dear Sir",
  };
});
afterAll(() => target.close());

const command = (...argv: string[]) =>
  sheaf(argv, { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

it("the commands upload, list, describe, fill and delete templates", async () => {
  const uploaded = await command("upload-template", "form-1", "/in/form.pdf");
  expect([uploaded.exitCode, uploaded.stderr]).toEqual([0, "template form-1: stored\n"]);
  const fields = JSON.parse(uploaded.stdout);
  expect(fields.map((one: { name: string }) => one.name)).toContain("applicant.name");
  expect(JSON.parse((await command("template-metadata", "form-1")).stdout)).toEqual(fields);
  const taken = await command("upload-template", "form-1", "/in/form.pdf");
  expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining("error: Template name already exists\n")]);
  const letter = await command("upload-template", "letter", "/in/letter.txt");
  expect([letter.exitCode, letter.stderr]).toEqual([1, expect.stringContaining("a template is a PDF form")]);
  expect(JSON.parse((await command("upload-template", "form-1", "/in/next.pdf", "--replace")).stdout)).toHaveLength(
    fields.length + 1,
  );
  const earlier = await command("template-metadata", "form-1", "--revision", "1");
  expect(JSON.parse(earlier.stdout)).toEqual(fields);
  const listed = JSON.parse((await command("list-templates")).stdout);
  expect(listed).toMatchObject([{ name: "form-1", revision: 2 }]);

  const filled = await command("fill", "form-1", "/in/request.json", "--output", "/out/a.pdf");
  expect([filled.exitCode, filled.stderr]).toEqual([
    0,
    expect.stringMatching(/^template form-1: \/out\/a.pdf, \d+ bytes\n$/),
  ]);
  expect(await fieldsOf(filled.written["/out/a.pdf"] as Uint8Array)).toMatchObject({ "applicant.name": "Ada" });
  const first = await command("fill", "form-1", "/in/fields.json", "-o", "/out/b.pdf", "--revision", "1", "--flatten");
  expect(await fieldsOf(first.written["/out/b.pdf"] as Uint8Array)).toEqual({});

  const unknown = await command("fill", "form-1", "/in/unknown.json", "-o", "/out/c.pdf");
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining("  /fields/age: ")]);
  expect(unknown.written).toEqual({});
  const passed = await command("fill", "form-1", "/in/unknown.json", "-o", "/out/c.pdf", "--ignore-unknown");
  expect([passed.exitCode, passed.stderr]).toEqual([0, expect.stringContaining("has no field age\n")]);
  const missing = await command("fill", "form-1", "/in/fields.json", "-o", "/out/c.pdf", "--missing");
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining("applicant.city")]);
  expect((await command("fill", "form-1", "/in/none.json", "-o", "/out/c.pdf")).exitCode).toBe(2);
  expect((await command("fill", "form-1", "-o", "/out/c.pdf")).exitCode).toBe(2);

  expect((await command("delete-template", "form-1")).stderr).toBe("template form-1: deleted\n");
  const gone = await command("template-metadata", "form-1");
  expect([gone.exitCode, gone.stderr]).toEqual([6, expect.stringContaining('There is no template "form-1"')]);
});

it("sheaf fill takes the values of a job", async () => {
  const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  await command("upload-template", "invoice", "/in/invoice-form.pdf");
  const { schema } = await client.templates.schema("invoice");
  const { guid } = await client.uploadFiles(await drawInvoice(), { schema });
  await client.wait(guid);
  const filled = await command("fill", "invoice", "--from-job", guid, "-o", "/out/invoice.pdf");
  expect(filled.exitCode, filled.stderr).toBe(0);
  expect(await fieldsOf(filled.written["/out/invoice.pdf"] as Uint8Array)).toEqual({ invoice_number: "SH-2026-0117" });
});

it("the client has the calls for templates", async () => {
  const { templates } = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  const name = "client";
  await templates.upload(name, await templatePdf());
  expect(await templates.fields(name)).toHaveLength(5);
  expect(await templates.revisions(name)).toMatchObject([{ revision: 1 }]);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  const paths = await templates.uploadImages(name, { "a logo": png });
  const fields = { logo: { _ref: paths["a logo"] ?? "" }, agreed: true, other: 1 };
  const filled = await templates.fill(name, { fields }, { ignoreUnknown: true });
  expect(filled).toMatchObject({
    contentType: "application/pdf",
    unknownFields: ["other"],
    restrictionsDropped: false,
  });
  expect(await fieldsOf(filled.bytes)).toMatchObject({ agreed: "true" });
  await templates.remove(name);
  expect((await templates.list()).map((one) => one.name)).not.toContain(name);
});
