/** `--output` where more than a file is at stake. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { filesOf } from "../../../client/cli/process-io.ts";
import { sheaf, type World } from "./memory-io.ts";

const MADE = { id: "k2", name: "export", key: "sheaf_1_k2_secret" };
const fetch: typeof globalThis.fetch = async () => Response.json(MADE, { status: 201 });
const create = (world: World = {}) =>
  sheaf(["keys", "create", "--name", "export", "--scopes", "read", "-o", "key.json"], { fetch, ...world });

it("a new key goes to a file of its owner alone", async () => {
  const { exitCode, stdout, written, secrets } = await create();
  expect([exitCode, stdout, secrets]).toEqual([0, "", ["key.json"]]);
  expect(JSON.parse(String(written["key.json"]))).toEqual(MADE);
  expect((await sheaf(["keys", "list", "-o", "keys.json"], { fetch })).secrets).toEqual([]);
});

it("a new key that cannot be written to its file is printed, as nothing shows it again", async () => {
  const { exitCode, stdout, stderr } = await create({ isReadOnly: true });
  expect(JSON.parse(stdout)).toEqual(MADE);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("key.json cannot be written")]);
});

it.skipIf(process.platform === "win32")("a file with a secret is written with the mode 600", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-output-"));
  try {
    const files = filesOf(folder, Readable.from([]), new AbortController().signal);
    await files.write("below/key.json", "{}", { secret: true });
    await files.write("other.json", "[]");
    expect((await stat(join(folder, "below/key.json"))).mode & 0o077).toBe(0);
    expect(await readFile(join(folder, "other.json"), "utf8")).toBe("[]");
  } finally {
    await rm(folder, { recursive: true });
  }
});
