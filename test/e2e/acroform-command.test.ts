/** The commands that make forms, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { flatForm } from "../support/flat-form.ts";
import { fieldsOf } from "../support/form-pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let files: Record<string, string | Uint8Array>;
beforeAll(async () => {
  target = await sharedTestService();
  files = {
    "/in/flat.pdf": await flatForm(),
    "/in/values.json": JSON.stringify({ "Full name": "Ada Lovelace", City: "London" }),
    "/in/letter.txt": "Dear Sir",
    "/in/none.json": "{}",
  };
});
afterAll(() => target.close());

const command = (...argv: string[]) =>
  sheaf(argv, { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

it("a flat PDF becomes a filled form, whose definitions are reviewed and applied", async () => {
  const out = ["--output", "/out/form.pdf", "--definitions", "/out/fields.json"];
  const made = await command("acroform", "/in/flat.pdf", ...out, "--values", "/in/values.json");
  expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining("form: /out/form.pdf, ")]);
  const { writtenFieldCount, warnings } = JSON.parse(made.stdout);
  expect(warnings).toEqual([]);
  const values = Object.values(await fieldsOf(made.written["/out/form.pdf"] as Uint8Array));
  expect(values).toEqual(expect.arrayContaining(["Ada Lovelace", "London"]));
  const saved = JSON.parse(String(made.written["/out/fields.json"]));
  expect(saved.fieldDefinitions).toHaveLength(writtenFieldCount);

  const [, guid = ""] = /acroform-apply (\S+) /.exec(made.stderr) ?? [];
  const [first, ...others] = saved.fieldDefinitions;
  files["/in/reviewed.json"] = JSON.stringify({
    fieldDefinitions: [
      { ...first, fieldName: "renamed", reviewStatus: "edited" },
      { ...others[0], reviewStatus: "rejected" },
    ],
  });
  const applied = await command("acroform-apply", guid, "/in/reviewed.json", "-o", "/out/reviewed.pdf");
  expect([applied.exitCode, applied.stderr]).toEqual([0, expect.stringContaining("pdf-acroform-apply on")]);
  const { fields } = await describeForm(applied.written["/out/reviewed.pdf"] as Uint8Array);
  expect(fields.map(({ name }) => name)).toEqual(["renamed"]);
  expect(JSON.parse(applied.stdout)).toMatchObject({ writtenFieldCount: 1, skippedFields: [{}] });
});

it("the commands say what is wrong, and save nothing", async () => {
  const letter = await command("acroform", "/in/letter.txt", "-o", "/out/x.pdf");
  expect([letter.exitCode, letter.stderr]).toEqual([1, expect.stringContaining("a form can be made of a PDF only")]);
  const none = await command(
    "acroform-apply",
    "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11",
    "/in/none.json",
    "-o",
    "/out/x.pdf",
  );
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("has no list of fieldDefinitions")]);
  const unsure = await command("acroform", "/in/flat.pdf", "-o", "/out/x.pdf", "--min-confidence", "2");
  expect([unsure.exitCode, unsure.stderr]).toEqual([2, expect.stringContaining("It is a number from 0 to 1")]);
  for (const { written } of [letter, none, unsure]) expect(written).toEqual({});
});
