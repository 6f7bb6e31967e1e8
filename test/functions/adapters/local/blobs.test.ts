import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBlobs } from "../../../../functions/adapters/local/blobs.ts";
import { fileOf } from "../../../../functions/adapters/local/blobs-keys.ts";
import { BadRequest } from "../../../../functions/ports/errors.ts";
import { manualClock } from "../../../support/clock.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sheaf-blobs-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const presign = { secret: Buffer.alloc(32, 1), baseUrl: () => "http://127.0.0.1:8080/" };
const clock = manualClock();
const open = () => openBlobs(root, { clock, presign });
const text = (value: string) => Buffer.from(value, "utf8");
const pathOf = (key: string) => relative(root, fileOf(root, key)).split(sep).join("/");

describe("fileOf", () => {
  test.each([
    ["org/1/jobs/source", "org/1/jobs/source="],
    ["Übung.pdf", "%c3%9cbung.pdf="],
    ["a/b", "a/b="],
    [".tmp/x", "%2etmp/x="],
    ["con/nul.txt/com1", "%63on/%6eul.txt/%63om1="],
    ["end./x y", "end%2e/x%20y="],
    ["100%", "100%25="],
    ["a=/b,/c", "a%3d/b%2c/c="],
  ])("maps %s to %s", (key, path) => {
    expect(pathOf(key)).toBe(path);
  });

  test("continues a long segment in further directories, and no name is too long", () => {
    expect(pathOf("s".repeat(450))).toBe(`${"s".repeat(200)},/${"s".repeat(200)},/${"s".repeat(50)}=`);
    const names = pathOf(`${"🧾".repeat(120)}/${"É".repeat(130)}..`).split("/");
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(210);
  });

  test("maps keys to paths that differ in more than case, Unicode form or dots", () => {
    const keys = ["a", "A", "É", "é", "e\u0301", "E\u0301", "a.", "ﬁ", "fi", "ß", "ss", "K", "\u212a", "k"];
    const folded = keys.map((key) => pathOf(key).normalize("NFKC").toLowerCase());
    expect(new Set(folded).size).toBe(keys.length);
  });
});

describe("openBlobs", () => {
  test("makes files and directories readable by their owner only", { skip: process.platform === "win32" }, async () => {
    await open().put("org/1/a", text("x"));
    expect(statSync(join(root, "org/1/a=")).mode & 0o777).toBe(0o600);
    for (const directory of ["org", "org/1", ".tmp"]) expect(statSync(join(root, directory)).mode & 0o777).toBe(0o700);
  });

  test("stores the content unchanged at the beginning of its file", async () => {
    await open().put("a", text("content"), { contentType: "text/plain" });
    expect(readFileSync(join(root, "a="), "latin1")).toMatch(/^content\{"v":1,.*"contentType":"text\/plain".*\}/);
  });

  test("accepts the longest type, and takes the time from the clock", async () => {
    const contentType = `text/${'"'.repeat(250)}`;
    await open().put("a", text("x"), { contentType });
    expect(await open().head("a")).toMatchObject({ contentType, lastModified: new Date(clock.now()).toISOString() });
  });

  test("ignores files that are truncated or foreign", async () => {
    const blobs = open();
    await blobs.put("a/cut", noiseOf(5000));
    const whole = readFileSync(join(root, "a/cut="));
    for (const damaged of [whole.subarray(0, 4000), whole.subarray(1), whole.subarray(0, -1), Buffer.alloc(0)]) {
      writeFileSync(join(root, "a/cut="), damaged);
      await expect(blobs.get("a/cut")).rejects.toThrow(/stored file/);
    }
    rmSync(join(root, "a/cut="));
    for (const name of [".DS_Store", "Thumbs.db", "plain", "%zz="]) writeFileSync(join(root, "a", name), "x");
    mkdirSync(join(root, "a", "directory="));
    expect(await blobs.list("")).toEqual({ blobs: [] });
  });

  test("removes emptied directories, but not others nor the root", async () => {
    const blobs = open();
    await blobs.put("a/b/c/d", text("x"));
    await blobs.put("a/e", text("x"));
    await blobs.put(`a/${"s".repeat(500)}/x`, text("x"));
    await blobs.delete(`a/${"s".repeat(500)}/x`);
    await blobs.delete("a/b/c/d");
    expect(readdirSync(join(root, "a"))).toEqual(["e="]);
    await blobs.delete("a/e");
    expect(readdirSync(root)).toEqual([".tmp"]);
  });

  test("leaves nothing in .tmp after a write, a refusal or a broken source", async () => {
    const blobs = open();
    await blobs.put("a", text("x"), { ifAbsent: true });
    const unread = Readable.from([text("y")]);
    await expect(blobs.put("a", unread, { ifAbsent: true })).rejects.toThrow(/there already/);
    expect(unread.destroyed, "a body that is not wanted is let go").toBe(true);
    const race = Array.from({ length: 5 }, () => blobs.put("b", noiseOf(1000), { ifAbsent: true }));
    await Promise.allSettled(race);
    const broken = Readable.from(
      (async function* () {
        yield text("part");
        throw new Error("broken");
      })(),
    );
    await expect(blobs.put("c", broken)).rejects.toThrow("broken");
    expect(readdirSync(join(root, ".tmp"))).toEqual([]);
  });

  test("removes parts older than an hour at opening, and keeps younger ones", () => {
    open();
    const seconds = clock.now() / 1000;
    for (const [name, age] of [
      ["old", 3700],
      ["young", 3500],
    ] as const) {
      writeFileSync(join(root, ".tmp", name), "x");
      utimesSync(join(root, ".tmp", name), seconds - age, seconds - age);
    }
    open();
    expect(readdirSync(join(root, ".tmp"))).toEqual(["young"]);
  });

  test("refuses a cursor of another prefix", async () => {
    const blobs = open();
    for (const key of ["a/1", "a/2", "b/1"]) await blobs.put(key, text("x"));
    const { cursor = "" } = await blobs.list("a/", { limit: 1 });
    await expect(blobs.list("", { cursor })).rejects.toThrow(BadRequest);
    await expect(blobs.list("a/", { cursor: "a/1" })).rejects.toThrow(BadRequest);
    expect((await blobs.list("a/", { cursor })).blobs.map(({ key }) => key)).toEqual(["a/2"]);
  });

  test("keeps an open blob unchanged during later writes and deletions", {
    skip: process.platform === "win32",
  }, async () => {
    const blobs = open();
    await blobs.put("a", text("old"), { contentType: "text/plain" });
    const blob = await blobs.open("a");
    await blobs.put("a", text("newer"), { contentType: "image/png" });
    await blobs.delete("a");
    expect(blob?.head).toMatchObject({ key: "a", size: 3, contentType: "text/plain" });
    expect((await blob?.read())?.toString()).toBe("old");
    await blob?.close();
  });

  test("refuses a short secret", () => {
    const secret = Buffer.alloc(31);
    expect(() => openBlobs(root, { clock, presign: { ...presign, secret } })).toThrow(RangeError);
  });
});

const noiseOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, n) => (n * 31) % 251));
