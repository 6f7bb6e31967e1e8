import { describe, expect, it } from "vitest";
import { run as fields } from "../../../../functions/engine/tasks/template-fields.run.ts";
import { run as fill } from "../../../../functions/engine/tasks/template-fill.run.ts";
import { run as request } from "../../../../functions/engine/tasks/template-request.run.ts";
import { encodeJson, parseJsonBytes } from "../../../../functions/ports/json.ts";
import { PDF } from "../../../../functions/ports/media-types.ts";
import { templatePdf } from "../../../support/form-pdf.ts";

describe("the tasks of templates", () => {
  it("write the fields with their template's name, and a schema with an example", async () => {
    const bytes = await templatePdf({ names: ["a", "b"] });
    const described = await fields.run({ bytes, mimeType: PDF, templateName: "form" });
    expect(described).toMatchObject({ signed: false, dropsRestrictions: false });
    expect(parseJsonBytes(described.fields)).toMatchObject([
      { templateName: "form", name: "a", type: "text" },
      { templateName: "form", name: "b" },
    ]);
    expect(parseJsonBytes(described.schema)).toMatchObject({ example: { a: "Example", b: "Example" } });
  });

  it("read values from a body or from a job's result", async () => {
    const fieldsOf = async (given: Parameters<typeof request.run>[0]) =>
      parseJsonBytes((await request.run(given)).fields ?? new Uint8Array());
    expect(await fieldsOf({ body: encodeJson({ fields: { a: null } }) })).toEqual({ a: null });
    expect(await fieldsOf({ result: encodeJson({ a: null, b: 1 }) })).toEqual({ b: 1 });
    expect(await request.run({ body: encodeJson({ fromJob: "x" }) })).toEqual({ fromJob: "x", images: [] });
  });

  it("tell a thousand unknown names at most", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`unknown ${index}`, index]));
    const filled = await fill.run({
      bytes: await templatePdf({ names: ["a"] }),
      mimeType: PDF,
      request: {
        fields: encodeJson(unknown),
        images: [],
        flatten: false,
        missingIsError: false,
        ignoreUnknown: true,
      },
    });
    expect(filled.unknownFields).toHaveLength(1_000);
    expect(filled.unknownFields[0]).toBe("unknown 0");
  });
});
