/**
 * Writes blobs until it is killed: `blobs-writer.ts <root>`. Each line on standard output is an acknowledged write:
 * `put name n` for content n of a blob that is overwritten, `new n` for one that is written once.
 */
import { writeSync } from "node:fs";
import { Readable } from "node:stream";
import { openBlobs } from "../../functions/adapters/local/blobs.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";

export const PRESIGN = { secret: Buffer.alloc(32, 7), baseUrl: () => "http://127.0.0.1:1" };
const NAMES = ["one", "two/Ü", "three/deep/er"];

/** Content n: its number repeated; lengths go up and down, beyond several writes. */
export const contentOf = (n: number): Buffer => Buffer.alloc(1 + ((n * 7919) % 400_000), `${n};`);
export const typeOf = (n: number): string => `application/x-${n}`;

async function writeOn(root: string): Promise<void> {
  const blobs = openBlobs(root, { clock: systemClock(), presign: PRESIGN });
  const heads = await Promise.all(NAMES.map((name) => blobs.head(name)));
  // The lowest number: a kill may interrupt content n, and no number is left out.
  const last = Math.min(...heads.map((head) => Number(head?.contentType.slice(typeOf(0).length - 1) ?? 0)));
  for (let n = last + 1; ; n++) {
    for (const name of NAMES) {
      const content = contentOf(n);
      const half = content.length >> 1;
      const body = n % 2 ? content : Readable.from([content.subarray(0, half), content.subarray(half)]);
      await blobs.put(name, body, { contentType: typeOf(n) });
      writeSync(1, `put ${name} ${n}\n`);
    }
    await blobs.put(`new/${n}`, contentOf(n), { contentType: typeOf(n), ifAbsent: true });
    writeSync(1, `new ${n}\n`);
  }
}

const [, , root] = process.argv;
if (import.meta.main && root !== undefined) await writeOn(root);
