import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cachePath, sha256Of, takeFile } from "../../../bench/first-sight/cache.ts";
import { openEngine } from "../../../bench/first-sight/engine.ts";
import { figuresOf } from "../../../bench/first-sight/figures.ts";
import { makeForm } from "../../../bench/first-sight/make-form.ts";
import { judgeDocument, measureFile } from "../../../bench/first-sight/measure.ts";
import {
  aboutBlank,
  type DocumentQuestions,
  faultsOfQuestions,
  judgeQuestions,
} from "../../../bench/first-sight/questions.ts";
import { firstSightText } from "../../../bench/first-sight/register.ts";
import { type FirstSightSet, faultsOf, loadSet, type SetFile } from "../../../bench/first-sight/sets.ts";
import type { Json } from "../../../client/json.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(tmpdir(), "first-sight-questions-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

const QUESTIONS: DocumentQuestions = {
  schema: {
    type: "object",
    properties: {
      tenant: { type: "string" },
      rent: { type: "number" },
      pets: { type: "boolean" },
      guarantor: { type: "string" },
      signed: { type: "boolean" },
    },
  },
  values: { tenant: "Ada Byron", rent: 900, pets: false, guarantor: null, signed: true },
  also: { "/tenant": ["A. Byron"], "/pets": [null] },
};

const FILE: SetFile = {
  name: "lease-filled",
  document: "lease",
  language: "en",
  country: "GB",
  kind: "filled form",
  repository: "someone/something",
  commit: "0".repeat(40),
  path: "lease.pdf",
  licence: "MIT",
  sha256: "0".repeat(64),
};

const verdictsOf = (questions: DocumentQuestions, answer: Json): Record<string, string> =>
  Object.fromEntries(judgeQuestions(questions, answer).map(({ field, verdict }) => [field.slice(1), verdict]));

describe("questions about a document", () => {
  it("take numbers as numbers and texts apart from case, and other right answers", () => {
    const answer = { tenant: "a. byron", rent: 900.0, pets: null, guarantor: "Landlord", signed: null };
    expect(verdictsOf(QUESTIONS, answer)).toEqual({
      tenant: "right",
      rent: "right",
      pets: "absent",
      guarantor: "spurious",
      signed: "missing",
    });
    expect(verdictsOf(QUESTIONS, { tenant: "Byron", pets: true })).toMatchObject({ tenant: "wrong", pets: "wrong" });
    expect(verdictsOf(QUESTIONS, { pets: false })).toMatchObject({ pets: "absent" });
  });

  it("have no answer on a blank form, where an open box may be false", () => {
    const blank = aboutBlank(QUESTIONS);
    expect(verdictsOf(blank, { pets: false, signed: true, rent: 1 })).toEqual({
      tenant: "absent",
      rent: "spurious",
      pets: "absent",
      guarantor: "absent",
      signed: "spurious",
    });
  });

  it("are not valid with values that are not asked", () => {
    const values = { landlord: "B" };
    expect(faultsOfQuestions("lease", { ...QUESTIONS, values })).toEqual([
      "lease: landlord is not asked",
      "lease: /tenant has no value",
      "lease: /pets has no value",
    ]);
    expect(faultsOfQuestions("lease", { schema: QUESTIONS.schema, values: {} })).toEqual(["lease: nothing is judged"]);
  });

  it("give figures of sure values and of invented ones", () => {
    const place = { resolution: "word" as const, sourceRefs: [], pageAnchors: [] };
    const sure = { "/tenant": 0.95, "/guarantor": 0.92, "/rent": 0.4 };
    const locations = Object.fromEntries(
      Object.entries(sure).map(([pointer, confidence]) => [pointer, { ...place, confidence }]),
    );
    const sources = { version: 1 as const, granularity: "word" as const, pages: [], locations, unresolved: [] };
    const one = { result: { tenant: "Ada Byron", rent: 900, guarantor: "Landlord" }, sources };
    const judged = judgeDocument(FILE, QUESTIONS, { given: one, read: one });
    const figures = figuresOf([{ file: FILE, ...judged, failed: undefined }]);
    expect(figures).toMatchObject({ fields: 3, recall: { share: 0.667 }, precision: { share: 0.667 } });
    expect(figures).toMatchObject({ sureValues: 2, sure: { share: 0.5 }, auroc: { share: 0.5 } });
    expect(figures).toMatchObject({ unanswered: 1, invented: { share: 1 }, inventedSurely: 1 });
    expect(firstSightText(figures)).toBe("recall 0.667 (0.667–0.667), precision 0.667 (0.667–0.667)");
  });

  it("draw the files of one form as one document", () => {
    const sources = { version: 1 as const, granularity: "word" as const, pages: [], locations: {}, unresolved: [] };
    const measured = (["filled form", "scanned form"] as const).map((kind, at) => {
      const one = { result: at === 0 ? QUESTIONS.values : {}, sources };
      const file = { ...FILE, name: `lease-${at}`, kind };
      return { file, ...judgeDocument(file, QUESTIONS, { given: one, read: one }), failed: undefined };
    });
    expect(figuresOf(measured).recall).toEqual({ share: 0.5, low: 0.5, high: 0.5 });
    const others = measured.map((one) => ({ ...one, file: { ...one.file, document: one.file.name } }));
    expect(figuresOf(others).recall).toEqual({ share: 0.5, low: 0, high: 1 });
  });

  it("are registered for blank forms by the share that was given a value", () => {
    const nothing = { result: { rent: 1 }, sources: { version: 1 as const, granularity: "word" as const } };
    const empty = { ...nothing, sources: { ...nothing.sources, pages: [], locations: {}, unresolved: [] } };
    const judged = judgeDocument(FILE, aboutBlank(QUESTIONS), { given: empty, read: empty });
    expect(firstSightText(figuresOf([{ file: FILE, ...judged, failed: undefined }]))).toBe("values for 0.2 (0.2–0.2)");
  });
});

describe("a set with questions", () => {
  it("takes those of another set for its blank forms only", async () => {
    const manifest = { about: "", heldBack: true, files: [FILE] };
    writeFileSync(path.join(folder, "filled.json"), JSON.stringify(manifest));
    writeFileSync(
      path.join(folder, "filled.truth.json"),
      JSON.stringify({ questions: { lease: QUESTIONS, other: QUESTIONS } }),
    );
    writeFileSync(path.join(folder, "blank.json"), JSON.stringify(manifest));
    writeFileSync(path.join(folder, "blank.truth.json"), JSON.stringify({ questionsOf: "filled" }));
    const blank = await loadSet("blank", folder);
    expect(blank).toMatchObject({ heldBack: true, questions: { lease: { values: { tenant: null } } } });
    expect(faultsOf(blank)).toEqual([]);
    expect(faultsOf(await loadSet("filled", folder))).toEqual(["other: is a truth without a file"]);
  });

  it("is not valid with a form whose values are missing", () => {
    const made = { as: "filled" as const, fill: "lease", sourceSha256: "0".repeat(64) };
    const set = { files: [{ ...FILE, made }], truths: {}, questions: { lease: QUESTIONS } };
    expect(faultsOf(set)).toEqual(["lease-filled: has no values to fill in"]);
    expect(faultsOf({ ...set, fills: { lease: {} } })).toEqual([]);
  });
});

const hasTool = (tool: string): boolean => {
  try {
    execFileSync(tool, [tool === "qpdf" ? "--version" : "-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

describe("a made form", () => {
  let blank: Uint8Array;
  const fills = { lease: { tenant: "Ada Byron", pets: true, term: "long" } } as const;

  beforeAll(async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([300, 200]);
    const form = document.getForm();
    page.drawText("Tenant", { x: 20, y: 150, size: 12 });
    form.createTextField("tenant").addToPage(page, { x: 90, y: 145, width: 150, height: 20 });
    form.createCheckBox("pets").addToPage(page, { x: 90, y: 100, width: 12, height: 12 });
    const term = form.createRadioGroup("term");
    term.addOptionToPage("short", page, { x: 90, y: 60, width: 12, height: 12 });
    term.addOptionToPage("long", page, { x: 120, y: 60, width: 12, height: 12 });
    blank = await document.save();
  });

  it("has the values in its fields, and comes out the same each time", async () => {
    const recipe = { as: "filled", fill: "lease" } as const;
    const filled = await makeForm(blank, recipe, fills);
    expect(sha256Of(await makeForm(blank, recipe, fills))).toBe(sha256Of(filled));
    const form = (await PDFDocument.load(filled)).getForm();
    expect(form.getTextField("tenant").getText()).toBe("Ada Byron");
    expect(form.getCheckBox("pets").isChecked()).toBe(true);
  });

  it("is made from its fetched source, and refused when it comes out otherwise", async () => {
    const recipe = { as: "filled", fill: "lease" } as const;
    const filled = await makeForm(blank, recipe, fills);
    const made = { ...recipe, sourceSha256: sha256Of(blank) };
    const file = { ...FILE, sha256: sha256Of(filled), made };
    const cache = path.join(folder, "made");
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response(Buffer.from(blank))),
    );
    expect(await takeFile(cache, { ...file, sha256: "0".repeat(64) }, true, fills)).toMatchObject({
      missing: expect.stringContaining("lease-filled as made here has the SHA-256"),
    });
    const unmade = { ...file, made: { ...made, fill: "gone" } };
    expect(await takeFile(cache, unmade, true, { gone: { landlord: "B" } })).toMatchObject({
      missing: expect.stringContaining("lease-filled cannot be made"),
    });
    expect(await takeFile(cache, file, true, fills)).toMatchObject({ bytes: filled });
    expect(sha256Of(readFileSync(cachePath(cache, file)))).toBe(file.sha256);
  });

  it.skipIf(!hasTool("qpdf"))("has them in its page content once it is flattened", async () => {
    const flat = await makeForm(blank, { as: "flattened", fill: "lease" }, fills);
    expect((await PDFDocument.load(flat)).getForm().getFields()).toEqual([]);
    const set: FirstSightSet = {
      name: "leases",
      about: "",
      subject: "",
      heldBack: false,
      files: [FILE],
      fills,
      truths: {},
      questions: { lease: { schema: QUESTIONS.schema, values: { tenant: "Ada Byron" } } },
    };
    const engine = await openEngine(false);
    const measured = await measureFile(set, FILE, flat, engine);
    await engine.reader.close();
    expect(measured).toMatchObject({ failed: undefined, values: [{ field: "/tenant", expected: "Ada Byron" }] });
  });

  it.skipIf(!hasTool("pdftoppm"))("is a picture of the chosen pages once it is scanned", async () => {
    const scanned = await PDFDocument.load(await makeForm(blank, { as: "scanned", pages: [1, 1] }, {}));
    expect(scanned.getPageCount()).toBe(1);
    expect(scanned.getPage(0).getWidth()).toBeCloseTo(300, -1);
    expect(scanned.getForm().getFields()).toEqual([]);
  });
});

describe("the engine of another checkout", () => {
  it("reads and extracts by that checkout's own code", async () => {
    const engine = await openEngine(false, ROOT);
    const { layout } = await engine.reader.readBytes(new TextEncoder().encode("Tenant: Ada Byron"), "text/plain");
    const { read } = engine.extract(layout, QUESTIONS.schema);
    await engine.reader.close();
    expect(engine.name).toBe(`engine of ${ROOT}`);
    expect(Object.keys(read.result as object)).toEqual(Object.keys(QUESTIONS.schema.properties));
  });
});
