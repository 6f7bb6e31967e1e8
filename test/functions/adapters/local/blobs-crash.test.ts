import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBlobs } from "../../../../functions/adapters/local/blobs.ts";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { contentOf, PRESIGN, typeOf } from "../../../support/blobs-writer.ts";
import { runAndKill } from "../../../support/crash.ts";

const ROUNDS = 8;
let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sheaf-crash-"));
});
afterAll(() => rm(root, { recursive: true }));

test(`Blobs keeps every blob whole, the acknowledged one or the next, when killed ${ROUNDS} times while writing`, async () => {
  const acknowledged = new Map<string, number>();
  const onceWritten = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const lines = await runAndKill("blobs-writer.ts", [root], 40 + Math.random() * 200);
    for (const line of lines) {
      const [kind = "", ...rest] = line.split(" ");
      if (kind === "new") onceWritten.add(Number(rest[0]));
      else acknowledged.set(rest[0] ?? "", Number(rest[1]));
    }
    expect(lines.length).toBeGreaterThan(0);

    const blobs = openBlobs(root, { clock: systemClock(), presign: PRESIGN });
    const numberOf = async (key: string): Promise<number> => {
      const head = await blobs.head(key);
      const n = Number(head?.contentType.slice(typeOf(0).length - 1));
      const content = Buffer.from((await blobs.get(key)) ?? []);
      expect(content.equals(contentOf(n)), `${key} is content ${n}, whole`).toBe(true);
      expect(head).toMatchObject({ size: content.length, contentType: typeOf(n) });
      return n;
    };
    for (const [name, n] of acknowledged) expect([n, n + 1]).toContain(await numberOf(name));
    for (const n of onceWritten) expect(await numberOf(`new/${n}`)).toBe(n);
    const { blobs: all } = await blobs.list("");
    for (const { key } of all) {
      expect(key).toMatch(/^(one|two\/Ü|three\/deep\/er|new\/\d+)$/);
      const n = await numberOf(key);
      if (key.startsWith("new/")) onceWritten.add(n);
      else acknowledged.set(key, n);
    }
    expect(all.length - onceWritten.size).toBe(acknowledged.size);
  }
  const hourAgo = Date.now() / 1000 - 3700;
  const leftovers = (await readdir(join(root, ".tmp"))).map((name) => join(root, ".tmp", name));
  expect(leftovers.length, "at most one part is left by each kill").toBeLessThanOrEqual(ROUNDS);
  await Promise.all(leftovers.map((path) => utimes(path, hourAgo, hourAgo)));
  openBlobs(root, { clock: systemClock(), presign: PRESIGN });
  expect(await readdir(join(root, ".tmp"))).toEqual([]);
});
