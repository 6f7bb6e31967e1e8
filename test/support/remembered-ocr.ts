/** Text recognition that reads no picture twice, for tests that send the same documents to several services. */
import { createHash } from "node:crypto";
import type { OcrEngine } from "../../functions/ports/ocr.ts";

type Reading = ReturnType<OcrEngine["recognize"]>;

/** @param engine of pictures; its answers are kept, and its errors are not */
export function rememberReadings(engine: OcrEngine): OcrEngine {
  const known = new Map<string, Reading>();
  return {
    name: engine.name,
    maxImageBytes: engine.maxImageBytes,
    maxSide: engine.maxSide,
    parallel: engine.parallel,
    async recognize(image, level, limits) {
      const { bytes, pageNumber, frame, strip } = image;
      const picture = createHash("sha256").update(bytes).digest("hex");
      const key = JSON.stringify([picture, pageNumber, frame, strip ?? null, level]);
      const reading = known.get(key) ?? engine.recognize(image, level, limits);
      known.set(key, reading);
      try {
        return structuredClone(await reading);
      } catch (error) {
        known.delete(key);
        throw error;
      }
    },
  };
}
