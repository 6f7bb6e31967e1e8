import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { addressOf, cachePath, sha256Of, takeFile } from "../../../bench/first-sight/cache.ts";
import { figuresOf } from "../../../bench/first-sight/figures.ts";
import { judgeAnswer, type RatedValue, schemaOf } from "../../../bench/first-sight/measure.ts";
import { readRegister, registerFirstRun } from "../../../bench/first-sight/register.ts";
import { faultsOf, loadSet, type SetFile, setNames, type Truth } from "../../../bench/first-sight/sets.ts";
import type { SureExtraction } from "../../../bench/offline/sure.ts";
import type { Json } from "../../../client/json.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const names = await setNames();
const register = await readRegister();
const folder = mkdtempSync(path.join(tmpdir(), "first-sight-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

const BYTES = new TextEncoder().encode("a document");
const FILE: SetFile = {
  name: "a-bill",
  language: "en",
  country: "GB",
  kind: "scan",
  repository: "someone/something",
  commit: "0".repeat(40),
  path: "samples/a bill.PDF",
  licence: "MIT",
  sha256: sha256Of(BYTES),
};

/** An answer in which every value is as sure as stated. */
function answered(result: { [name: string]: Json }, sure: Record<string, number>): SureExtraction {
  const place = { resolution: "word" as const, sourceRefs: [], pageAnchors: [] };
  const locations = Object.fromEntries(
    Object.entries(sure).map(([pointer, confidence]) => [pointer, { ...place, confidence }]),
  );
  const one = {
    result,
    sources: { version: 1 as const, granularity: "word" as const, pages: [], locations, unresolved: [] },
  };
  return { given: one, read: one };
}

const TRUTH: Truth = {
  invoice_number: "7",
  due_date: null,
  gross_total: 12,
  lines: [{ description: "Tea", quantity: null }],
};

describe("a set of documents for a first sight", () => {
  it.each(names)("%s: every file has its source, commit, licence, hash and truth", async (name) => {
    const set = await loadSet(name);
    expect(set.files.length).toBeGreaterThanOrEqual(set.questions === undefined ? 20 : 10);
    expect(faultsOf(set)).toEqual([]);
  });

  it("is not valid with a member missing, a file twice, or a truth missing", () => {
    const faults = faultsOf({ files: [FILE, { ...FILE, licence: "" }], truths: { other: {} } });
    expect(faults).toEqual([
      'a-bill: licence is ""',
      "a-bill: two files have this name",
      "a-bill: a file is there twice",
      "a-bill: has no truth",
      "a-bill: has no truth",
      "other: is a truth without a file",
    ]);
  });

  it("asks for the members of its truths only", () => {
    expect(schemaOf({ a: { invoice_number: "7" }, b: { lines: [] } })).toMatchObject({
      properties: { invoice_number: { type: "string" }, lines: { type: "array" } },
    });
    expect(Object.keys((schemaOf({ a: { seller: null } }) as { properties: object }).properties)).toEqual(["seller"]);
  });
});

describe("the register of first sights", () => {
  it("has every set that is not held back, and every list of files that it names is there", async () => {
    const sets = await Promise.all(names.map((name) => loadSet(name)));
    const open = sets.filter(({ heldBack }) => !heldBack).map(({ name }) => name);
    expect(register.map(({ set }) => set)).toEqual(expect.arrayContaining(open));
    for (const { manifest } of register)
      if (manifest !== null) expect(readFileSync(path.join(ROOT, manifest), "utf8")).toContain("sha256");
  });

  it("is in the documentation, each entry with its figure at first sight", () => {
    const text = readFileSync(path.join(ROOT, "docs/benchmarks.md"), "utf8");
    const untold = register.filter(
      ({ set, firstSight }) => !(text.includes(`| ${set} |`) && text.includes(firstSight)),
    );
    expect(untold).toEqual([]);
  });

  it("takes the first run of a set and no later one", async () => {
    const file = path.join(folder, "register.json");
    writeFileSync(file, "[]");
    const figures = figuresOf([]);
    expect(await registerFirstRun("new", "bills", figures, new Date("2026-01-02"), file)).toBe(true);
    expect(await registerFirstRun("new", "bills", { ...figures, files: 9 }, new Date("2026-02-02"), file)).toBe(false);
    expect(await readRegister(file)).toMatchObject([{ set: "new", run: "2026-01-02", figures: { files: 0 } }]);
  });
});

describe("a file of a set", () => {
  it("is taken at its commit, with its name encoded", () => {
    expect(addressOf(FILE)).toBe(
      `https://raw.githubusercontent.com/someone/something/${"0".repeat(40)}/samples/a%20bill.PDF`,
    );
  });

  it("is taken from the cache when its hash is right, and refused otherwise", async () => {
    expect(await takeFile(folder, FILE, false)).toMatchObject({ missing: expect.stringContaining("--fetch") });
    writeFileSync(cachePath(folder, FILE), BYTES);
    expect(await takeFile(folder, FILE, false)).toMatchObject({ bytes: Buffer.from(BYTES) });
    writeFileSync(cachePath(folder, FILE), "another document");
    expect(await takeFile(folder, FILE, false)).toMatchObject({ missing: expect.stringContaining("refused") });
  });

  it("is fetched once, and neither kept with another hash nor missed silently", async () => {
    const cache = path.join(folder, "fetched");
    const reply = vi.fn();
    vi.stubGlobal("fetch", reply);
    reply.mockResolvedValueOnce(new Response("another document"));
    expect(await takeFile(cache, FILE, true)).toMatchObject({ missing: expect.stringContaining("refused") });
    reply.mockResolvedValueOnce(new Response(null, { status: 404 }));
    expect(await takeFile(cache, FILE, true)).toMatchObject({ missing: expect.stringContaining("answers 404") });
    reply.mockRejectedValueOnce(new TypeError("no network"));
    expect(await takeFile(cache, FILE, true)).toMatchObject({ missing: expect.stringContaining("no network") });
    reply.mockResolvedValueOnce(new Response(BYTES));
    expect(await takeFile(cache, FILE, true)).toMatchObject({ bytes: BYTES });
    expect(await takeFile(cache, FILE, true)).toMatchObject({ bytes: Buffer.from(BYTES) });
    expect(reply).toHaveBeenCalledTimes(4);
  });

  it("has judged values and cells, with nulls of the truth and the confidence of each", () => {
    const answer = answered(
      { invoice_number: "7", due_date: "2026-01-02", gross_total: null, lines: [{ description: "Tea", quantity: 3 }] },
      { "/invoice_number": 0.9, "/due_date": 0.2 },
    );
    const { values, cells, read } = judgeAnswer(FILE, TRUTH, answer);
    const verdicts = (all: RatedValue[]): string[] => all.map(({ field, verdict }) => `${field} ${verdict}`);
    expect(verdicts(values)).toEqual(["/invoice_number right", "/due_date spurious", "/gross_total missing"]);
    expect(verdicts(cells)).toEqual(["/lines/*/description right", "/lines/*/quantity spurious"]);
    const figures = figuresOf([{ file: FILE, values, cells, read, failed: undefined }]);
    expect(figures).toMatchObject({ files: 1, fields: 2, cells: 1, recall: { share: 0.5 }, precision: { share: 0.5 } });
    expect(figures).toMatchObject({ cellPrecision: { share: 0.5 }, auroc: { share: 1 } });
  });

  it("has no judged cells where its truth states no list", () => {
    const { cells } = judgeAnswer(FILE, { seller: "A" }, answered({ lines: [{ description: "Tea" }] }, {}));
    expect(cells).toEqual([]);
  });
});
