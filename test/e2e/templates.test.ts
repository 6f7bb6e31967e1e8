/** Templates as a user sees them; a deployed service shows the same. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import type { Api } from "../support/api.ts";
import { form } from "../support/api.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
/** Names of this run's own: where the service is another's, others have theirs. */
const run = randomBytes(4).toString("hex");
const named = (what: string): string => `${what}-${run}`;

beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

async function uploaded(what: string, bytes?: Uint8Array): Promise<string> {
  const name = named(what);
  const answer = await target.api.post(`/template/${name}`, { body: form(bytes ?? (await templatePdf())) });
  expect(answer.status, answer.text).toBe(200);
  return name;
}

/** The fields, once detection has ended. */
async function metadata(api: Api, name: string, query = "") {
  for (let round = 0; round < 100; round += 1) {
    const answer = await api.get(`/template/metadata/${name}${query}`);
    if (answer.status !== 202) return answer;
    expect([answer.json, answer.headers.get("retry-after")]).toEqual([[], "1"]);
    await sleep(100);
  }
  throw new Error(`The fields of ${name} were not detected`);
}

const fill = (name: string, json: unknown, query = "") => target.api.post(`/template/fill/${name}${query}`, { json });

describe("a template", () => {
  it("is uploaded, listed, described, filled and deleted", async () => {
    const { api } = target;
    const name = await uploaded("first");
    const entry = (await api.get("/template/list")).json.find((one: { name: string }) => one.name === name);
    expect(entry).toMatchObject({ contenttype: "application/pdf", revision: 1, createdAt: entry.updatedAt });
    expect(entry.organization).toEqual({ name: String(target.keys.organizationId) });
    const fields = (await metadata(api, name)).json;
    expect(fields.map((one: { name: string; type: string }) => [one.name, one.type])).toEqual([
      ["applicant.name", "text"],
      ["applicant.city", "text"],
      ["agreed", "checkbox"],
      ["status", "dropdown"],
      ["logo", "button"],
    ]);
    expect(fields[0]).toMatchObject({
      templateName: name,
      tooltip: "Full name",
      flags: [],
      value: null,
      defaultValue: null,
      options: [],
      script: null,
    });

    const filled = await fill(name, {
      fields: { applicant: { name: "Ada Lovelace" }, "applicant.city": 1815, agreed: true, status: "Married" },
    });
    expect([filled.status, filled.headers.get("content-type")], filled.text).toEqual([200, "application/pdf"]);
    expect(filled.headers.get("content-disposition")).toBe(`attachment; filename="${name}.pdf"`);
    expect(await fieldsOf(filled.bytes)).toEqual({
      "applicant.name": "Ada Lovelace",
      "applicant.city": "1815",
      agreed: "true",
      status: "Married",
    });

    const gone = await api.delete(`/template/${name}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    for (const path of [`/template/metadata/${name}`, `/template/schema/${name}`, `/template/${name}/revisions`]) {
      expect((await api.get(path)).status, path).toBe(404);
    }
    expect((await fill(name, { fields: {} })).status).toBe(404);
    expect((await api.delete(`/template/${name}`)).status).toBe(404);
    // The name is free, and the new template has nothing of the first one.
    await uploaded("first");
    expect((await api.get(`/template/${name}/revisions`)).json).toHaveLength(1);
  });

  it("is filled before its fields are known", async () => {
    const name = await uploaded("early");
    const filled = await fill(name, { fields: { applicant: { name: "At once" } } });
    expect(filled.status, filled.text).toBe(200);
    expect(await fieldsOf(filled.bytes)).toMatchObject({ "applicant.name": "At once" });
  });

  it("has its name alone: of two simultaneous uploads one is a 409", async () => {
    const { api } = target;
    const body = await templatePdf();
    for (let round = 0; round < 3; round += 1) {
      const path = `/template/${named(`twice-${round}`)}`;
      const answers = await Promise.all([1, 2, 3].map(() => api.post(path, { body: form(body) })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.json.message).toBe("Template name already exists");
    }
  });

  it("is uploaded once for one Idempotency-Key", async () => {
    const path = `/template/${named("once")}`;
    const headers = { "idempotency-key": `template-${run}` };
    const bytes = await templatePdf();
    const call = () => target.api.post(path, { body: form(bytes), headers });
    const [first, second] = [await call(), await call()];
    expect([first.status, second.status, second.headers.get("idempotency-replayed")]).toEqual([200, 200, "true"]);
  });

  it("keeps its revisions", async () => {
    const { api } = target;
    const before = await templatePdf();
    const name = await uploaded("revised", before);
    const next = await templatePdf({ extra: "comment" });
    const replaced = await api.post(`/template/${name}?replace=true`, { body: form(next) });
    expect(replaced.status, replaced.text).toBe(200);
    const listed = (await api.get(`/template/${name}/revisions`)).json;
    expect(listed.map((one: { revision: number; sizeBytes: number }) => [one.revision, one.sizeBytes])).toEqual([
      [2, next.length],
      [1, before.length],
    ]);
    expect((await metadata(api, name)).json).toHaveLength(6);
    // Each revision has facts of its own.
    expect((await metadata(api, name, "?revision=1")).json).toHaveLength(5);
    const schemaOf = async (revision: number) =>
      (await api.get(`/template/schema/${name}?revision=${revision}`)).json.schema.properties;
    expect([await schemaOf(1), await schemaOf(2)]).toEqual([
      expect.not.objectContaining({ comment: expect.anything() }),
      expect.objectContaining({ comment: expect.anything() }),
    ]);
    for (const facts of ["metadata", "schema"]) {
      const answer = await api.get(`/template/${facts}/${name}?revision=3`);
      expect([answer.status, answer.json.message]).toEqual([404, expect.stringMatching(/has no revision 3/)]);
      const zero = await api.get(`/template/${facts}/${name}?revision=0`);
      expect(zero.json).toMatchObject({ status: 400, errors: [{ path: "/revision" }] });
    }
    const fields = { comment: "New" };
    expect(await fieldsOf((await fill(name, { fields })).bytes)).toMatchObject(fields);
    const first = await fill(name, { fields }, "?revision=1");
    expect([first.status, first.json.message]).toEqual([400, expect.stringContaining("comment")]);
    expect((await fill(name, { fields: {} }, "?revision=3")).json.message).toMatch(/has no revision 3/);
    // A new name may be replaced too.
    expect((await api.post(`/template/${named("new")}?replace=true`, { body: form(next) })).status).toBe(200);
  });

  it("is visible to its organization only", async () => {
    const name = await uploaded("mine");
    await metadata(target.api, name);
    const { other } = target;
    for (const answer of [
      await other.get(`/template/metadata/${name}`),
      await other.get(`/template/schema/${name}`),
      await other.get(`/template/${name}/revisions`),
      await other.delete(`/template/${name}`),
      await other.post(`/template/fill/${name}`, { json: { fields: {} } }),
      await other.post(`/template/${name}/images`, { body: picture("logo", PNG) }),
    ]) {
      expect([answer.status, answer.json.error]).toEqual([404, "NotFound"]);
    }
    expect((await other.get("/template/list")).json.map((one: { name: string }) => one.name)).not.toContain(name);
    const theirs = await other.post(`/template/${name}`, { body: form(await templatePdf({ extra: "theirs" })) });
    expect(theirs.status).toBe(200);
    expect((await metadata(target.api, name)).json).toHaveLength(5);
    expect((await metadata(other, name)).json).toHaveLength(6);
  });

  it.each(["a b", "list", "metadata", "fill", "a%2Cb", "%C3%A4", "x".repeat(129)])("is not named %s", async (name) => {
    const answer = await target.api.post(`/template/${name}`, { body: form(await templatePdf()) });
    expect(answer.json).toMatchObject({ status: 400, errors: [{ path: "/name" }] });
    expect((await target.api.get(`/template/metadata/${name}`)).status).toBe(404);
  });

  it("is a form or an Office document: other formats are refused by name", async () => {
    const { api } = target;
    const path = `/template/${named("other")}`;
    const text = await api.post(path, { body: form("Dear Sir") });
    expect([text.status, text.json.message]).toEqual([
      415,
      "The document is plain text; a template is a PDF form, or a document of Word, PowerPoint or Excel",
    ]);
    const broken = await api.post(path, { body: form("%PDF-1.7\n nothing") });
    expect([broken.status, broken.json.error]).toEqual([422, "UnprocessableEntity"]);
    expect((await api.get(path.replace("/template/", "/template/metadata/"))).status).toBe(404);
  });

  it("without fields is told by its metadata and its fills", async () => {
    const name = await uploaded("formless", await drawInvoice());
    const listed = await metadata(target.api, name);
    expect([listed.status, listed.json]).toEqual([200, []]);
    const filled = await fill(name, { fields: {} });
    expect([filled.status, filled.json.message]).toEqual([422, "The PDF has no fields to fill"]);
  });
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
function picture(key: string, bytes: Uint8Array | string, body = new FormData()): FormData {
  body.append("images", new Blob([typeof bytes === "string" ? bytes : Buffer.from(bytes)]), key);
  return body;
}

describe("a fill", () => {
  it("refuses what the template does not have, or passes over it", async () => {
    const name = await uploaded("strict");
    const fields = { applicant: { name: "Ada", age: 3 }, "größe, m": 1 };
    const refused = await fill(name, { fields });
    expect(refused.json).toMatchObject({
      status: 400,
      message: expect.stringContaining("applicant.age, größe, m"),
      errors: [{ path: "/fields/applicant.age" }, { path: "/fields/größe, m" }],
    });
    const passed = await fill(name, { fields }, "?ignoreUnknown=true");
    expect(passed.status, passed.text).toBe(200);
    expect(passed.headers.get("x-sheaf-unknown-fields")).toBe("applicant.age,gr%C3%B6%C3%9Fe%2C%20m");
    const missing = await fill(name, { fields: { agreed: true } }, "?missing=error");
    expect([missing.status, missing.json.message]).toEqual([400, expect.stringContaining("applicant.name")]);
    expect((await fill(name, { fields: {} }, "?missing=never")).json.errors[0].path).toBe("/missing");
  });

  it("flattens", async () => {
    const name = await uploaded("flat");
    const filled = await fill(name, { fields: { agreed: true } }, "?flatten=true");
    expect(filled.status, filled.text).toBe(200);
    expect(await fieldsOf(filled.bytes)).toEqual({});
  });

  it("takes pictures by the path of their upload", async () => {
    const { api } = target;
    const name = await uploaded("pictures");
    const path = `/template/${name}/images`;
    const stored = await api.post(path, { body: picture("logos/main 1.png", PNG, picture("small", PNG)) });
    expect([stored.status, stored.json]).toEqual([
      200,
      { small: "images/small", "logos/main 1.png": "images/logos%2Fmain%201.png" },
    ]);
    const logo = { _ref: stored.json["logos/main 1.png"], width_mm: 10 };
    const filled = await fill(name, { fields: { logo } });
    expect(filled.status, filled.text).toBe(200);
    const plain = await fill(name, { fields: {} });
    expect(filled.bytes.length).toBeGreaterThan(plain.bytes.length);
    const unknown = await fill(name, { fields: { logo: { _ref: "images/other" } } });
    expect([unknown.status, unknown.json.message]).toEqual([400, expect.stringContaining("images/other")]);

    expect((await api.post(path, { body: picture("small", "GIF89a") })).json).toMatchObject({
      status: 415,
      message: 'The picture "small" is neither PNG nor JPEG; convert it first',
    });
    expect((await api.post(path, { body: form(PNG) })).json.status).toBe(400);
    expect((await api.post(path, { body: picture("x".repeat(201), PNG) })).json.status).toBe(400);
    expect((await api.post(`/template/${named("none")}/images`, { body: picture("a", PNG) })).status).toBe(404);
  });

  it.each([
    ["no JSON", "{fields", /no JSON/],
    ["a list", "[]", /fields/],
    ["no fields", "{}", /fields/],
    ["fields of another type", '{"fields":[1]}', /"fields" takes an object/],
    ["fields and a job", '{"fields":{},"fromJob":"x"}', /both/],
    ["nothing", "", /JSON/],
  ])("refuses %s", async (_what, body, message) => {
    const name = named("body");
    if ((await target.api.get(`/template/${name}/revisions`)).status === 404) await uploaded("body");
    const headers = { "content-type": "application/json" };
    const answer = await target.api.post(`/template/fill/${name}`, { body, headers });
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(message)]);
  });

  // Where each call has a process of its own, as many at once would test the machine below.
  const atOnce = REMOTE_URL === undefined ? 50 : 4;

  it("gives each of 50 at once its own values", async () => {
    const name = await uploaded("many");
    const all = await Promise.all(
      Array.from({ length: atOnce }, async (_, at) => {
        // A caller told to come again does.
        for (;;) {
          const answer = await fill(name, { fields: { applicant: { name: `Person ${at}`, city: `Town ${at}` } } });
          if (![429, 503].includes(answer.status)) return answer;
          await sleep(200);
        }
      }),
    );
    for (const [at, answer] of all.entries()) {
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      expect(await fieldsOf(answer.bytes)).toMatchObject({
        "applicant.name": `Person ${at}`,
        "applicant.city": `Town ${at}`,
      });
    }
  });
});

describe("the body of a fill", () => {
  const body = (bytes: number): string => {
    const [before, after] = ['{"fields":{"agreed":true,"filler":"', '"}}'];
    return before + "x".repeat(bytes - before.length - after.length) + after;
  };
  const send = (name: string, bytes: number) =>
    target.api.post(`/template/fill/${name}?ignoreUnknown=true`, {
      body: body(bytes),
      headers: { "content-type": "application/json" },
    });

  it.skipIf(REMOTE_URL !== undefined)("has up to 15,000,000 bytes", async () => {
    const name = await uploaded("large");
    const filled = await send(name, 15_000_000);
    expect([filled.status, filled.headers.get("x-sheaf-unknown-fields")], filled.text.slice(0, 300)).toEqual([
      200,
      "filler",
    ]);
    expect(await fieldsOf(filled.bytes)).toMatchObject({ agreed: "true" });
    const over = await send(name, 15_000_001);
    expect([over.status, over.json.message]).toEqual([
      413,
      "The body is over 15 MB (15,000,000 bytes), the most that this call takes; send less",
    ]);
  });
});

it("A form that opens only with a password is refused by its metadata and its fills", async () => {
  const name = await uploaded("locked", await templatePdf({ ownerPassword: "owner", userPassword: "user" }));
  const refused = await metadata(target.api, name);
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining("password")]);
  expect((await fill(name, { fields: {} })).json).toMatchObject({ status: 422, message: refused.json.message });
});

describe("a template's schema", () => {
  it("has an example that fills it", async () => {
    const name = await uploaded("example");
    const { schema, example } = (await target.api.get(`/template/schema/${name}`)).json;
    expect(Object.keys(schema.properties)).toEqual(["applicant", "agreed", "status"]);
    const filled = await fill(name, { fields: example }, "?missing=error");
    expect(filled.status, filled.text).toBe(200);
    expect(await fieldsOf(filled.bytes)).toMatchObject({ "applicant.name": example.applicant.name, agreed: "true" });
  });

  it("extracts what fills the template, in two calls", async () => {
    const { api } = target;
    const name = await uploaded("extract", await templatePdf({ names: ["invoice_number", "total", "weather"] }));
    const { schema } = (await api.get(`/template/schema/${name}`)).json;
    const { guid, status } = await api.processed(await drawInvoice(), { schema });
    expect(status).toBe("COMPLETED");
    const filled = await fill(name, { fromJob: guid });
    expect(filled.status, filled.text).toBe(200);
    const found = await fieldsOf(filled.bytes);
    expect(found).toMatchObject({ invoice_number: "SH-2026-0117" });
    // What the document does not have stays as it is.
    expect(found).not.toHaveProperty("weather");

    const theirs = await target.other.upload("Total: 5.00");
    expect((await fill(name, { fromJob: theirs })).status).toBe(404);
    const text = await api.upload("Total: 5.00");
    expect((await fill(name, { fromJob: text })).json.message).toMatch(/no result/);
    await api.post(`/document/ocr/${text}`, { json: {} });
    await api.ended(text);
    expect((await fill(name, { fromJob: text })).json).toMatchObject({ status: 422, message: /is a text/ });
  });
});

describe("/compat", () => {
  it("passes over unknown fields and names them, and answers a deletion with a list", async () => {
    const { api } = target;
    const name = await uploaded("compat");
    const filled = await api.post(`/compat/template/fill/${name}`, {
      json: { fields: { agreed: true, more: 1 } },
      undocumented: true,
    });
    expect([filled.status, filled.headers.get("x-sheaf-unknown-fields")]).toEqual([200, "more"]);
    expect(await fieldsOf(filled.bytes)).toMatchObject({ agreed: "true" });
    const gone = await api.call("DELETE", `/compat/template/${name}`, { undocumented: true });
    expect([gone.status, gone.json]).toEqual([200, []]);
  });
});

describe("a signed form", () => {
  it("is filled, and not flattened", async () => {
    const name = await uploaded("signed", await templatePdf({ signed: true }));
    const filled = await fill(name, { fields: { agreed: true } });
    expect(filled.status, filled.text.slice(0, 300)).toBe(200);
    const flat = await fill(name, { fields: { agreed: true } }, "?flatten=true");
    expect([flat.status, flat.json.message]).toEqual([409, expect.stringContaining("signed")]);
  });
});

it("a template that only its owner may change is filled, and the copy's restrictions are gone", async () => {
  const name = await uploaded("restricted", await templatePdf({ ownerPassword: "owner" }));
  const filled = await fill(name, { fields: { applicant: { name: "Ada" } } });
  expect([filled.status, filled.headers.get("x-sheaf-restrictions")], filled.text).toEqual([200, "dropped"]);
  expect(await fieldsOf(filled.bytes)).toMatchObject({ "applicant.name": "Ada" });
  const forbidden = await uploaded("forbidden", await templatePdf({ ownerPassword: "owner", mayFill: false }));
  const refused = await fill(forbidden, { fields: {} });
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining("owner of the PDF forbids")]);
});
