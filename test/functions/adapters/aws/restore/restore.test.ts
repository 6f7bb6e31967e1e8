/** Parts of a restore: the version of a file at a moment, exported records, and jobs that agree with their files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseWish } from "../../../../../bin/restore.ts";
import type { Item } from "../../../../../functions/adapters/aws/records-items.ts";
import { compareJobs } from "../../../../../functions/adapters/aws/restore/check-restored.ts";
import { type FileVersion, versionAt } from "../../../../../functions/adapters/aws/restore/restore-files.ts";
import { exportedItems } from "../../../../../functions/adapters/aws/restore/restore-records.ts";
import { collect } from "../../../../support/collect.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sheaf-restore-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const version = (at: number, versionId: string, more: Partial<FileVersion> = {}): FileVersion => ({
  key: "org/1/jobs/a/source",
  at: at * 1000,
  versionId,
  deletion: false,
  latest: false,
  ...more,
});

describe("versionAt", () => {
  const versions = [
    version(50, "deleted", { deletion: true, latest: true }),
    version(40, "third"),
    version(30, "gone", { deletion: true }),
    version(20, "second"),
    version(10, "first"),
  ];

  it.each([
    [9, undefined],
    [10, "first"],
    [25, "second"],
    [35, undefined],
    [49, "third"],
    [99, undefined],
  ])("at %d s is %s", (at, expected) => {
    expect(versionAt(versions, at * 1000)?.versionId).toBe(expected);
    expect(versionAt([...versions].reverse(), at * 1000)?.versionId).toBe(expected);
  });

  it("is a file rather than its deletion within one second, unless the deletion is the last of all", () => {
    const both = [version(10, "file"), version(10, "deletion", { deletion: true })];
    expect(versionAt(both, 10_000)?.versionId).toBe("file");
    const last = [version(10, "file"), version(10, "deletion", { deletion: true, latest: true })];
    expect(versionAt(last, 10_000)).toBeUndefined();
  });
});

const item = (partition: string, sort: string, value: object): Item => ({
  pk: { S: partition },
  sk: { S: sort },
  value: { S: JSON.stringify({ v: 1, ...value }) },
  version: { N: "1" },
});
async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items;
}

describe("exportedItems", () => {
  const lines = [item("org/1/job/a", "job", {}), item("sys/keys", "k", {})].map((Item) => JSON.stringify({ Item }));

  it.each([
    ["plain", "a.json", (text: string) => Buffer.from(text)],
    ["compressed", "a.json.gz", gzipSync],
  ])("are the lines of a %s file", async (_name, name, write) => {
    const file = join(folder, name);
    writeFileSync(file, write(`${lines.join("\n")}\n\n`));
    expect((await collect(exportedItems(file))).map(({ sk }) => sk?.S)).toEqual(["job", "k"]);
  });

  it.each(["{", "{}", '{"Item":{}}', "[]"])("refuse the line %s", async (line) => {
    const file = join(folder, "wrong.json");
    writeFileSync(file, `${lines[0]}\n${line}\n`);
    await expect(collect(exportedItems(file))).rejects.toThrow("is no export of the table");
  });
});

describe("compareJobs", () => {
  const job = (more: object) => item("org/1/job/a", "job", { guid: "a", ...more });
  const source = { key: "jobs/a/source", sha256: "x" };

  it("finds every file that a job names and that is not there, and counts files of no job", async () => {
    const jobs = [
      job({ source, runs: [{ commandKey: "jobs/a/commands/1", layoutKey: "jobs/a/1/layout", error: "jobs/" }] }),
      item("org/1/job/b", "job", { source: { key: "jobs/b/source", sha256: null } }),
      item("org/1/job/c", "job", { source: { key: "jobs/c/source", sha256: "x" }, deleted: true }),
      item("org/1/job/a", "run/000001/step/read", { output: { layoutKey: "jobs/a/1/other" } }),
    ];
    const files = new Set(["org/1/jobs/a/source", "org/1/jobs/a/commands/1", "org/2/jobs/a/source", "org/1/jobs/c/x"]);
    expect(await compareJobs(each(jobs), files)).toEqual({
      jobs: 2,
      missing: ["org/1/jobs/a/1/layout"],
      unowned: 2,
    });
  });

  it("finds every document of a template that is not there", async () => {
    const revision = (template: string, number: number, guid: string) =>
      item(`org/1/template/${template}`, `revision/00000${number}`, { revision: number, guid });
    const records = [
      revision("t", 1, "a"),
      revision("t", 2, "b"),
      item("org/1/templates", "form", { guid: "t" }),
      // Being deleted.
      revision("gone", 1, "c"),
    ];
    expect(await compareJobs(each(records), new Set(["org/1/templates/a/document"]))).toEqual({
      jobs: 0,
      missing: ["org/1/templates/b/document"],
      unowned: 0,
    });
  });
});

describe("parseWish", () => {
  const NOW = Date.UTC(2026, 0, 2);
  const keepers = { TableName: "t", BucketName: "b", ServerKeySecret: "s", ApiKeysSecret: "a", ModelSecret: "m" };
  const outputs = () => {
    const file = join(folder, "outputs.json");
    writeFileSync(file, JSON.stringify({ Sheaf: keepers, other: { ...keepers, TableName: "t2" }, half: {} }));
    return ["--outputs", file];
  };

  it("reads both stacks from the outputs", () => {
    const wish = parseWish(["--at", "2026-01-01T10:00:00Z", "--to", "other", ...outputs()], NOW);
    expect(wish).toMatchObject({ from: { table: "t", secrets: ["s", "a", "m"] }, to: { table: "t2" } });
    expect(wish.at.toISOString()).toBe("2026-01-01T10:00:00.000Z");
  });

  it.each([
    [["--to", "other"], "--at and --to are needed"],
    [["--to", "other", "--at", "yesterday"], "is no moment in the past"],
    [["--to", "other", "--at", "2026-01-01T10:00:00"], "is no moment in the past"],
    [["--to", "other", "--at", "2027-01-01T10:00:00Z"], "is no moment in the past"],
    [["--to", "half", "--at", "2026-01-01T10:00:00Z"], "has no outputs of the stack half"],
  ])("refuses %j", (given, sentence) => {
    expect(() => parseWish([...given, ...outputs()], NOW)).toThrow(sentence);
  });
});
