/** Templates of Word, PowerPoint and Excel as a user sees them. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../functions/ports/json.ts";
import { form } from "../support/api.ts";
import { textBox } from "../support/deck-template.ts";
import { presentation } from "../support/office-parts.ts";
import { OFFICE_TEMPLATES, officeText } from "../support/office-templates.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
const run = randomBytes(4).toString("hex");
const named = (what: string): string => `${what}-${run}`;

beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

async function uploaded(what: string, bytes: Uint8Array): Promise<string> {
  const name = named(what);
  const answer = await target.api.post(`/template/${name}`, { body: form(bytes) });
  expect(answer.status, answer.text).toBe(200);
  return name;
}

const fill = (name: string, json: unknown, query = "") => target.api.post(`/template/fill/${name}${query}`, { json });

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const VALUES: JsonObject = {
  number: 117,
  "customer.name": "Ada & Co",
  paid: true,
  items: [
    { title: "Oak chair", price: 120 },
    { title: "Pine table", price: 99.5 },
  ],
};

describe.each(OFFICE_TEMPLATES)("a template of .$extension", ({ extension, mediaType, bytes }) => {
  it("is uploaded with its fields, filled in its own format, and deleted", async () => {
    const { api } = target;
    const name = named(`whole-${extension}`);
    const upload = await api.post(`/template/${name}`, { body: form(bytes) });
    expect(upload.status, upload.text).toBe(200);
    const fields = upload.json as { name: string; type: string; fields: { name: string }[] }[];
    const byName = new Map(fields.map((field) => [field.name, field]));
    expect(byName.get("customer.name")).toMatchObject({ templateName: name, type: "text", fields: [] });
    expect(byName.get("items")?.type).toBe("loop");
    expect(byName.get("items")?.fields.map((field) => field.name)).toEqual(["title", "price"]);
    expect((await api.get(`/template/metadata/${name}`)).json).toEqual(fields);

    const fieldNames = new Set(byName.keys());
    const values = Object.fromEntries(Object.entries(VALUES).filter(([field]) => fieldNames.has(field)));
    const filled = await fill(name, { fields: values });
    expect([filled.status, filled.headers.get("content-type")], filled.text).toEqual([200, mediaType]);
    expect(filled.headers.get("content-disposition")).toBe(`attachment; filename="${name}.${extension}"`);
    const text = officeText(filled.bytes);
    for (const value of ["117", "Ada & Co", "Oak chair", "Pine table", "120", "99.5"]) expect(text).toContain(value);
    expect(text).not.toMatch(/[{}]/);
    // Tags leave no field to flatten.
    expect((await fill(name, { fields: values }, "?flatten=true")).bytes).toEqual(filled.bytes);
    expect((await api.delete(`/template/${name}`)).status).toBe(204);
  });

  it("prints nothing for absent fields, and refuses others by pointer", async () => {
    const name = await uploaded(`strict-${extension}`, bytes);
    const empty = await fill(name, { fields: {} });
    expect(empty.status, empty.text).toBe(200);
    expect(officeText(empty.bytes)).not.toMatch(/[{}]|undefined|null/);
    const refused = await fill(name, { fields: { items: [{ title: "a" }, { colour: "red" }] } });
    expect(refused.json).toMatchObject({ status: 400, errors: [{ path: "/fields/items/1/colour" }] });
    const passed = await fill(name, { fields: { items: [{ title: "a", colour: "red" }] } }, "?ignoreUnknown=true");
    expect(passed.headers.get("x-sheaf-unknown-fields")).toBe("items.0.colour");
    const missing = await fill(name, { fields: { items: [{ title: "a" }] } }, "?missing=error");
    expect([missing.status, missing.json.message]).toEqual([400, expect.stringContaining("items.0.price")]);
  });

  it("has a schema with a list for each loop, whose example fills it", async () => {
    const name = await uploaded(`schema-${extension}`, bytes);
    const { schema, example } = (await target.api.get(`/template/schema/${name}`)).json;
    expect(schema.properties.items).toMatchObject({
      type: "array",
      items: { type: "object", properties: { title: { type: "string" }, price: { type: "number" } } },
    });
    expect(schema.properties.customer.properties.name).toEqual({ type: "string" });
    const filled = await fill(name, { fields: example });
    expect(filled.status, filled.text).toBe(200);
    expect(officeText(filled.bytes)).toContain("Example");
    const { status, error } = await target.api.processed("Offer for Ada", { schema });
    expect([status, error ?? null]).toEqual(["COMPLETED", null]);
  });

  // Where each call has a process of its own, as many at once would test the machine below.
  it("gives each of 50 fills at once its own values", async () => {
    const name = await uploaded(`many-${extension}`, bytes);
    const atOnce = REMOTE_URL === undefined ? 50 : 4;
    const all = await Promise.all(
      Array.from({ length: atOnce }, async (_, at) => {
        const fields = { "customer.name": `Person ${at} end`, items: [{ title: `Thing ${at} end`, price: at }] };
        for (;;) {
          const answer = await fill(name, { fields });
          if (![429, 503].includes(answer.status)) return answer;
          await sleep(200);
        }
      }),
    );
    for (const [at, answer] of all.entries()) {
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      const text = officeText(answer.bytes);
      expect([text.match(/Person \d+ end/g), text.match(/Thing \d+ end/g)]).toEqual([
        [`Person ${at} end`],
        [`Thing ${at} end`],
      ]);
    }
  });
});

describe("an Office template", () => {
  it("with a fault in a tag is refused at its upload, by tag and place", async () => {
    const path = `/template/${named("fault")}`;
    const answer = await target.api.post(path, { body: form(presentation([{ shapes: textBox("Dear {name") }])) });
    expect([answer.status, answer.json.message]).toEqual([422, 'The tag {name in slide 1, "x" is never ended with }']);
    expect((await target.api.get(path.replace("/template/", "/template/metadata/"))).status).toBe(404);
  });

  it("with macros is refused", async () => {
    const macros = { "ppt/vbaProject.bin": new Uint8Array([1]) };
    const bytes = presentation([{ shapes: textBox("{name}") }], "", "", "", macros);
    const answer = await target.api.post(`/template/${named("macros")}`, { body: form(bytes) });
    expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining("has macros")]);
  });

  it("that is damaged is refused", async () => {
    const whole = presentation([{ shapes: textBox("{name}") }, { shapes: '<!DOCTYPE x [<!ENTITY a "b">]>' }]);
    const answer = await target.api.post(`/template/${named("damaged")}`, { body: form(whole) });
    expect([answer.status, answer.json.message]).toEqual([422, "The document appears to be corrupted"]);
  });

  it("takes pictures by the path of their upload, and the values of a job", async () => {
    const { api } = target;
    const [deck] = OFFICE_TEMPLATES.filter(({ extension }) => extension === "pptx");
    const name = await uploaded("pictures", deck?.bytes ?? new Uint8Array());
    const body = new FormData();
    body.append("images", new Blob([PNG]), "logo.png");
    const stored = await api.post(`/template/${name}/images`, { body });
    const filled = await fill(name, { fields: { logo: { _ref: stored.json["logo.png"] } } });
    expect(filled.status, filled.text).toBe(200);
    expect(Buffer.from(filled.bytes).includes(PNG)).toBe(true);

    const plain = await uploaded("job", presentation([{ shapes: textBox("Invoice {invoice_number}, {weather}.") }]));
    const { schema } = (await api.get(`/template/schema/${plain}`)).json;
    const { guid, status } = await api.processed("Invoice number: SH-2026-0117", { schema });
    expect(status).toBe("COMPLETED");
    const fromJob = await fill(plain, { fromJob: guid });
    expect([fromJob.status, officeText(fromJob.bytes)]).toEqual([200, expect.stringContaining("SH-2026-0117")]);
  });
});
