import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fill } from "../../../functions/api/template-fills.ts";
import { metadata } from "../../../functions/api/templates.ts";
import { BadRequest, Conflict } from "../../../functions/ports/errors.ts";
import { detectQueued } from "../../../functions/service/templates/detect-fields.ts";
import { uploadTemplate } from "../../../functions/service/templates/templates.ts";
import { templatePdf } from "../../support/form-pdf.ts";
import { type TestPlatform, testPlatform } from "../../support/platform.ts";

const text = (value: string): Uint8Array => Buffer.from(value);
let at: TestPlatform;
let guid: string;
beforeEach(async () => {
  at = testPlatform({
    templateFields: async () => ({ fields: text("[1]"), schema: text("{}"), signed: false, dropsRestrictions: false }),
    templateRequest: async () => ({ fields: text("{}"), images: [] }),
    templateFill: async ({ mimeType }) => ({
      bytes: Buffer.alloc(2_000),
      contentType: mimeType,
      unknownFields: Array.from({ length: 2_000 }, (_, index) => `unknown ${index}`),
      restrictionsDropped: true,
    }),
  });
  guid = at.org.engines.clock.guid();
  const bytes = await templatePdf();
  await uploadTemplate(at.org, {
    name: "one",
    guid,
    replace: false,
    file: { bytes, mimeType: undefined, fileName: undefined },
  });
});
afterEach(() => at.close());

const call = (route: typeof metadata, config = at.org.config) => {
  const input = { params: { name: "one" }, query: {}, body: text("{}") };
  return route.run(input as never, { org: { ...at.org, config } } as never);
};

describe("the fields of a template", () => {
  it("are 202 with an empty list and Retry-After until they are detected", async () => {
    expect(await call(metadata)).toEqual({ kind: "json", status: 202, body: [], headers: { "Retry-After": "1" } });
    await detectQueued(at.org, guid);
    expect(await call(metadata)).toMatchObject({ kind: "blob", status: 200 });
  });
});

it("A fill that the template cannot take is refused with the engine's words and members", async () => {
  const errors = [{ path: "/fields/a", message: "Another" }];
  for (const error of [new Conflict("The PDF is signed"), new BadRequest("The field a takes a number", { errors })]) {
    const documents = { ...at.org.engines.documents, run: () => Promise.reject(error) };
    const org = { ...at.org, engines: { ...at.org.engines, documents } };
    const input = { params: { name: "one" }, query: { flatten: true }, body: text("{}") };
    await expect(fill.run(input as never, { org } as never)).rejects.toBe(error);
  }
});

describe("a filled document", () => {
  it("is the answer, with headers that are never too long", async () => {
    const reply = await call(fill);
    expect(reply).toMatchObject({ kind: "bytes", status: 200, fileName: "one.pdf", contentType: "application/pdf" });
    const headers = (reply as { headers: Record<string, string> }).headers;
    expect(headers["X-Sheaf-Restrictions"]).toBe("dropped");
    expect(headers["X-Sheaf-Unknown-Fields"]).toMatch(/^unknown%200,unknown%201,/);
    expect(headers["X-Sheaf-Unknown-Fields"]?.length).toBeLessThanOrEqual(4_000);
  });

  it("is stored for a while where an answer's body cannot have it", async () => {
    const reply = await call(fill, { ...at.org.config, inlineAnswerBytes: 1_000 });
    const { key } = (reply as { blob: { key: string } }).blob;
    expect(await at.org.blobs.head(key)).toMatchObject({ size: 2_000, contentType: "application/pdf" });
    // Its deletion is work of the queue, due when the address has expired.
    const kinds = async () =>
      (await at.platform.queue.receive("work", { max: 10 })).map(({ body }) => (body as { kind: string }).kind);
    expect(await kinds()).not.toContain("delete-filled");
    at.pass(901);
    expect(await kinds()).toContain("delete-filled");
  });
});
