/** Images of 100 megapixels that cannot be decoded row by row still fit into 512 MB. */
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openEngine } from "../../functions/adapters/local/engine.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import { pictureTask } from "../../functions/engine/tasks/picture.ts";
import { JPEG, PNG } from "../../functions/ports/media-types.ts";

const SIDE_PIXELS = 10_000;

const engine = openEngine({
  clock: systemClock(),
  jobTimeoutSeconds: 300,
  size: 1,
  // The pool kills a process that takes more.
  memoryLimitBytes: 512 * 2 ** 20,
});
afterAll(() => engine.close());

const paper = () => sharp({ create: { width: SIDE_PIXELS, height: SIDE_PIXELS, channels: 3, background: "#c8b45a" } });

it.each([
  ["a progressive JPEG", JPEG, () => paper().jpeg({ progressive: true, chromaSubsampling: "4:2:0" })],
  ["an interlaced PNG", PNG, () => paper().png({ progressive: true })],
])("a %s of 100 megapixels is rendered in 512 MB", async (_name, mimeType, make) => {
  const bytes = new Uint8Array(await make().toBuffer());
  const limits = { deadline: Date.now() + 120_000 };
  expect(await engine.run(inspectTask, { bytes, mimeType }, limits)).toEqual({ pageCount: 1 });
  const options = { mimeType, pageNumber: 1, level: "DEFAULT", maxBytes: 64 * 2 ** 20 } as const;
  const picture = await engine.run(pictureTask, { bytes, options }, limits);
  expect(picture.bytes.length).toBeGreaterThan(1_000);
});
