/** Files reach the disk in turns, and what was written for later can be made sure of. */
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openBlobs } from "../../../../functions/adapters/local/blobs.ts";
import { DiskTurns, LatePlaces } from "../../../../functions/adapters/local/blobs-disk.ts";
import { fileOf } from "../../../../functions/adapters/local/blobs-keys.ts";
import { manualClock } from "../../../support/clock.ts";

const root = mkdtempSync(join(tmpdir(), "sheaf-disk-"));
afterAll(() => rmSync(root, { recursive: true }));

describe("DiskTurns", () => {
  it("lets an owner wait for few files of another that has many", async () => {
    const turns = new DiskTurns();
    const done: string[] = [];
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        setTimeout(() => {
          done.push(name);
          resolve();
        }, 1);
      });
    const many = Array.from({ length: 30 }, () => turns.inTurn("many", work("many")));
    await turns.inTurn("one", work("one"));
    expect(done.indexOf("one")).toBeLessThanOrEqual(4);
    await Promise.all(many);
    expect(done).toHaveLength(31);
  });

  it("gives the turn of failed work to the next", async () => {
    const turns = new DiskTurns();
    const failed = Array.from({ length: 5 }, () => turns.inTurn("a", () => Promise.reject(new Error("no"))));
    expect((await Promise.allSettled(failed)).every(({ status }) => status === "rejected")).toBe(true);
    await expect(turns.inTurn("a", async () => "done")).resolves.toBe("done");
  });
});

describe("LatePlaces", () => {
  it("tell a fault of the disk at every keep until the file is there", async () => {
    const places = new LatePlaces(new DiskTurns());
    const file = join(root, "file");
    mkdirSync(file); // A folder cannot be opened for writing.
    places.add("a/b", { owner: "a", file, folders: new Set([root]) });
    await expect(places.keep("a/")).rejects.toMatchObject({ code: "EISDIR" });
    await expect(places.keep("a/")).rejects.toMatchObject({ code: "EISDIR" });
    await expect(places.keep("b/")).resolves.toBeUndefined();
    expect(places.foldersAbove(join(root, "deep", "file"))).toEqual([root]);
    rmdirSync(file);
    writeFileSync(file, "x");
    await expect(places.keep("a/")).resolves.toBeUndefined();
    expect(places.foldersAbove(join(root, "deep", "file")), "its folders are on the disk too").toEqual([]);
  });
});

describe("A blob put for later", () => {
  const presign = { secret: Buffer.alloc(32, 1), baseUrl: () => "http://127.0.0.1:8080/" };
  const blobs = openBlobs(root, { clock: manualClock(), presign });
  const key = "org/1/jobs/x/1/result.json";
  beforeEach(async () => {
    await blobs.put(key, Buffer.from("a".repeat(5_000)), { later: true });
  });

  it("is whole until a power failure takes it, cuts it or empties a part of it", async () => {
    const file = fileOf(root, key);
    expect(await blobs.isWhole(key)).toBe(true);
    await blobs.keep("org/1/");
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([Buffer.alloc(4_096), bytes.subarray(4_096)]));
    expect(await blobs.isWhole(key), "a block of zeros").toBe(false);
    truncateSync(file, 4_096);
    expect(await blobs.isWhole(key), "cut").toBe(false);
    truncateSync(file, 0);
    expect(await blobs.isWhole(key), "empty").toBe(false);
    rmSync(file);
    expect(await blobs.isWhole(key), "missing").toBe(false);
  });

  it("is deleted after all that was recorded before is on the disk", async () => {
    const order: string[] = [];
    const recorded = async (): Promise<void> => {
      order.push((await blobs.head(key)) === undefined ? "deleted first" : "recorded first");
    };
    await openBlobs(root, { clock: manualClock(), presign, recorded }).delete(key);
    expect(order).toEqual(["recorded first"]);
    expect(await blobs.head(key)).toBeUndefined();
  });
});
