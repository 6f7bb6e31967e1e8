/** Images of 100 megapixels that cannot be decoded row by row still fit into 512 MB, in the process that a service has. */
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { ENGINE_PROCESS, openServiceBundle } from "../../bin/local/service-bundle.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openEngine } from "../../functions/adapters/local/engine.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import { pictureTask } from "../../functions/engine/tasks/picture.ts";
import { JPEG, PNG } from "../../functions/ports/media-types.ts";

const SIDE_PIXELS = 10_000;

const { bundle, fault } = await openServiceBundle();

/** An engine whose pool kills a process that takes more than 512 MB. */
const smallEngine = () =>
  openEngine({
    clock: systemClock(),
    jobTimeoutSeconds: 300,
    size: 1,
    memoryLimitBytes: 512 * 2 ** 20,
    ...(bundle ? { bundled: bundle.fileOf(ENGINE_PROCESS) } : {}),
  });

const paper = () => sharp({ create: { width: SIDE_PIXELS, height: SIDE_PIXELS, channels: 3, background: "#c8b45a" } });

it("measures the process that a service starts", () => {
  expect(fault).toBeUndefined();
});

it.each([
  ["a progressive JPEG", JPEG, () => paper().jpeg({ progressive: true, chromaSubsampling: "4:2:0" })],
  ["an interlaced PNG", PNG, () => paper().png({ progressive: true })],
])("%s of 100 megapixels is rendered in 512 MB", async (_name, mimeType, make) => {
  const bytes = new Uint8Array(await make().toBuffer());
  const engine = smallEngine();
  onTestFinished(() => engine.close());
  const limits = { deadline: Date.now() + 120_000 };
  expect(await engine.run(inspectTask, { bytes, mimeType }, limits)).toEqual({ pageCount: 1 });
  const options = { mimeType, pageNumber: 1, level: "DEFAULT", maxBytes: 64 * 2 ** 20 } as const;
  const picture = await engine.run(pictureTask, { bytes, options }, limits);
  expect(picture.bytes.length).toBeGreaterThan(1_000);
});
