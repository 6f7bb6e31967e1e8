/** Keeps what a reader made of each file, for work on what follows reading: recognition takes most of a run's time. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BenchDocument, BenchReader } from "../offline/reading.ts";
import { sha256Of } from "./cache.ts";

type KeptDocument = Omit<BenchDocument, "bytes">;

/**
 * A reader that takes layouts from a folder, and puts those in that are not there. A change of the reader needs another
 * folder: nothing here sees one.
 */
export function keepLayouts(reader: BenchReader, folder: string): BenchReader {
  return {
    ...reader,
    async readBytes(bytes, mimeType) {
      const place = path.join(folder, `${sha256Of(bytes)}.json`);
      const kept = await readFile(place, "utf8").catch(() => undefined);
      if (kept !== undefined) return { bytes, ...(JSON.parse(kept) as KeptDocument) };
      const { bytes: read, ...made } = await reader.readBytes(bytes, mimeType);
      await mkdir(folder, { recursive: true });
      await writeFile(`${place}.part`, JSON.stringify(made));
      await rename(`${place}.part`, place);
      return { bytes: read, ...made };
    },
  };
}
