/** Templates: concurrent calls, limits, and what a crash leaves. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError, ConditionFailed, JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { WORK_QUEUE } from "../../../../functions/ports/queue.ts";
import { processMessage } from "../../../../functions/service/lifecycle/dispatch.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { detectQueued } from "../../../../functions/service/templates/detect-fields.ts";
import { fillTemplate } from "../../../../functions/service/templates/fill-template.ts";
import { findFields, findSchema } from "../../../../functions/service/templates/template-facts.ts";
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  storePictures,
} from "../../../../functions/service/templates/template-pictures.ts";
import { revisionKey, templateKey } from "../../../../functions/service/templates/template-records.ts";
import {
  deleteTemplate,
  listRevisions,
  listTemplates,
  loadTemplate,
  MAX_REVISIONS,
  MAX_TEMPLATES,
  uploadTemplate,
} from "../../../../functions/service/templates/templates.ts";
import { withMethods } from "../../../support/changed.ts";
import type { Fakes } from "../../../support/engines.ts";
import { templatePdf } from "../../../support/form-pdf.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

const text = (value: string): Uint8Array => Buffer.from(value);
const FACTS = { fields: text("[]"), schema: text("{}"), signed: false, dropsRestrictions: false };
const tasks = {
  templateFields: async () => FACTS,
  templateRequest: async () => ({ fields: text("{}"), images: [] }),
  templateFill: async ({ bytes, mimeType }) => ({
    bytes,
    contentType: mimeType,
    unknownFields: [],
    restrictionsDropped: false,
  }),
} satisfies Fakes;

let at: TestPlatform;
let pdf: Uint8Array;
beforeEach(async () => {
  at = testPlatform(tasks);
  pdf = await templatePdf({ names: ["a"] });
});
afterEach(() => at.close());

const upload = (name: string, { replace = false, guid = at.org.engines.clock.guid(), bytes = pdf } = {}) =>
  uploadTemplate(at.org, { name, guid, replace, file: { bytes, mimeType: undefined, fileName: undefined } });
const told = (outcomes: PromiseSettledResult<unknown>[]): string[] =>
  outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.message] : []));

/** Does the work on the queue. @returns the kinds of it */
async function workOff(): Promise<string[]> {
  const kinds: string[] = [];
  for (;;) {
    const messages = await at.platform.queue.receive(WORK_QUEUE, { max: 10 });
    if (messages.length === 0) return kinds;
    for (const message of messages) {
      kinds.push((message.body as { kind: string }).kind);
      await processMessage(at.platform, message);
      await at.platform.queue.done(message);
    }
  }
}

const files = async (): Promise<string[]> => (await at.org.blobs.list("templates/")).blobs.map(({ key }) => key);
const due = async (): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (let shard = 0; shard < 4; shard += 1) {
    found.push(...(await at.system.query({ partition: `sys/due/${shard}` })).items.map(({ value }) => value.kind));
  }
  return found;
};

describe("simultaneous uploads", () => {
  it("of one name store one template, and no file of the others", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => upload("one")));
    expect(told(outcomes)).toEqual(Array(7).fill("Template name already exists"));
    expect(await listTemplates(at.org)).toHaveLength(1);
    expect(await files()).toHaveLength(1);
    expect(await due()).toEqual(["template-fields"]);
  });

  it("that replace make a revision each", async () => {
    const { guid } = await upload("one");
    const entries = await Promise.all(Array.from({ length: 4 }, () => upload("one", { replace: true })));
    expect(entries.map((entry) => entry.guid)).toEqual(Array(4).fill(guid));
    const revisions = await listRevisions(at.org, "one");
    expect(revisions.map(({ revision }) => revision)).toEqual([5, 4, 3, 2, 1]);
    expect(new Set(revisions.map((one) => one.guid)).size).toBe(5);
  });
});

it("An upload that is tried again makes one revision", async () => {
  const guid = at.org.engines.clock.guid();
  const first = await upload("one", { guid });
  expect(await upload("one", { guid })).toEqual(first);
  expect(await upload("one", { guid, replace: true })).toEqual(first);
  expect(await listRevisions(at.org, "one")).toHaveLength(1);
});

describe("limits", () => {
  const fillUp = async (count: number, put: (index: number) => Promise<unknown>) => {
    for (let index = 0; index < count; index += 1) await put(index);
  };

  it("of templates are told in a sentence", async () => {
    const { value } = await upload("one").then(() => loadTemplate(at.org, "one"));
    await fillUp(MAX_TEMPLATES - 1, (index) => at.org.records.put(templateKey(`t${index}`), value));
    await expect(upload("more")).rejects.toThrow("An organization keeps at most 500 templates; delete one first");
    expect((await upload("one", { replace: true })).revision).toBe(2);
  });

  it("of revisions are told in a sentence", async () => {
    const entry = await upload("one");
    await at.org.records.put(templateKey("one"), { ...entry, revision: MAX_REVISIONS });
    await expect(upload("one", { replace: true })).rejects.toThrow("A template keeps at most 500 revisions");
  });

  it("of pictures are told in a sentence", async () => {
    await upload("one");
    const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(20)]);
    const many = Array.from({ length: MAX_PICTURES }, (_, index) => ({ key: `p${index}`, bytes: png }));
    expect(Object.keys(await storePictures(at.org, "one", many))).toHaveLength(MAX_PICTURES);
    await expect(storePictures(at.org, "one", [{ key: "more", bytes: png }])).rejects.toThrow("at most 50 pictures");
    const large = Buffer.concat([png, Buffer.alloc(MAX_PICTURE_BYTES)]);
    await expect(storePictures(at.org, "one", [{ key: "p0", bytes: large }])).rejects.toThrow(
      'The picture "p0" is over 5 MB (5,000,000 bytes)',
    );
    const half = Buffer.concat([png, Buffer.alloc(MAX_PICTURE_BYTES - png.length)]);
    const five = many.slice(0, 5).map(({ key }) => ({ key, bytes: half }));
    await expect(storePictures(at.org, "one", five)).rejects.toThrow("at most 20 MB (20,000,000 bytes) together");
    // Another one of a key takes the first one's place, and its file is gone.
    await storePictures(at.org, "one", [{ key: "p0", bytes: png }]);
    expect((await files()).filter((key) => key.includes("/pictures/"))).toHaveLength(MAX_PICTURES);
  });
});

describe("detection", () => {
  it("is queued work, and a fact of the revision afterwards", async () => {
    await upload("one");
    expect(await findFields(at.org, "one")).toBeUndefined();
    expect(await workOff()).toEqual(["detect-fields"]);
    const { key } = (await findFields(at.org, "one")) ?? {};
    expect(Buffer.from((await at.org.blobs.get(key ?? "")) ?? []).toString()).toBe("[]");
    expect(await due()).toEqual([]);
  });

  it("whose message was lost is swept", async () => {
    const { queue } = at.org;
    const silent = { ...at.org, queue: withMethods(queue, { send: async () => ({ id: "lost" }) }) };
    const guid = at.org.engines.clock.guid();
    await uploadTemplate(silent, {
      name: "one",
      guid,
      replace: false,
      file: { bytes: pdf, mimeType: undefined, fileName: undefined },
    });
    expect(await workOff()).toEqual([]);
    await sweep(at.platform, at.system);
    expect(await workOff()).toEqual(["detect-fields"]);
    expect(await findFields(at.org, "one")).toBeDefined();
    await sweep(at.platform, at.system);
    expect(await workOff()).toEqual([]);
  });

  it("that finds no template tells why, at once and later", async () => {
    await at.close();
    at = testPlatform({
      ...tasks,
      templateFields: async () => {
        throw new JobFailure("The PDF is a dynamic XFA form");
      },
    });
    await upload("one");
    await expect(findSchema(at.org, "one")).rejects.toThrow("The PDF is a dynamic XFA form");
    for (const ask of [findFields, findSchema]) {
      await expect(ask(at.org, "one")).rejects.toMatchObject({ kind: "UnprocessableEntity" });
    }
    const options = { flatten: false, missingIsError: false, ignoreUnknown: false };
    await expect(fillTemplate(at.org, "one", text("{}"), options)).rejects.toThrow("The PDF is a dynamic XFA form");
    expect(await due()).toEqual([]);
  });

  it("that could not start stays open, and is done again", async () => {
    let busy = true;
    await at.close();
    at = testPlatform({
      ...tasks,
      templateFields: async () => {
        if (busy) throw new ServiceUnavailable("All processes are at work");
        return FACTS;
      },
    });
    const { guid } = await upload("one");
    await expect(detectQueued(at.org, guid)).rejects.toThrow(AppError);
    expect(await findFields(at.org, "one")).toBeUndefined();
    busy = false;
    await detectQueued(at.org, guid);
    expect(await findFields(at.org, "one")).toBeDefined();
  });

  it("that ends after a deletion leaves nothing", async () => {
    await at.close();
    at = testPlatform({
      ...tasks,
      templateFields: async () => {
        await deleteTemplate(at.org, "one");
        const [deletion] = (await at.platform.queue.receive(WORK_QUEUE, { max: 10 })).filter(
          ({ body }) => (body as { kind: string }).kind === "delete-template",
        );
        if (deletion !== undefined) await processMessage(at.platform, deletion);
        return FACTS;
      },
    });
    const { guid } = await upload("one");
    await detectQueued(at.org, guid);
    expect([await files(), await due()]).toEqual([[], []]);
  });
});

describe("deletion", () => {
  it("frees the name at once, and deletes every file and record", async () => {
    const { guid } = await upload("one");
    await upload("one", { replace: true });
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
    await storePictures(at.org, "one", [{ key: "logo", bytes: png }]);
    await workOff();
    expect(await files()).toHaveLength(7);
    await deleteTemplate(at.org, "one");
    const next = await upload("one");
    expect(next.guid).not.toBe(guid);
    expect((await listRevisions(at.org, "one")).map(({ revision }) => revision)).toEqual([1]);
    await workOff();
    expect((await files()).every((key) => key.startsWith(`templates/${next.guid}/`))).toBe(true);
    expect(await at.org.records.get(revisionKey(guid, 1))).toBeUndefined();
    expect((await at.org.records.query({ partition: `template/${guid}` })).items).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it("whose message was lost is swept", async () => {
    await upload("one");
    await workOff();
    await deleteTemplate(at.org, "one");
    // As lost as a message can be.
    for (const message of await at.platform.queue.receive(WORK_QUEUE, { max: 10 }))
      await at.platform.queue.done(message);
    expect(await files()).toHaveLength(3);
    await sweep(at.platform, at.system);
    expect(await workOff()).toEqual(["delete-template"]);
    expect([await files(), await due()]).toEqual([[], []]);
  });

  it("that meets other writers again and again gives way", async () => {
    await upload("one");
    const records = withMethods(at.org.records, {
      transact: async () => {
        throw new ConditionFailed("changed");
      },
    });
    await expect(deleteTemplate({ ...at.org, records }, "one")).rejects.toMatchObject({ kind: "Conflict" });
    expect(await listTemplates(at.org)).toHaveLength(1);
  });

  it("happens once", async () => {
    await upload("one");
    const outcomes = await Promise.allSettled([deleteTemplate(at.org, "one"), deleteTemplate(at.org, "one")]);
    expect(told(outcomes)).toEqual(['There is no template "one"']);
  });
});

it("An organization sees its own templates alone", async () => {
  await upload("one");
  expect(await listTemplates(at.other)).toEqual([]);
  await expect(loadTemplate(at.other, "one")).rejects.toThrow("There is no template");
});
