import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { scores } from "../../../../../bench/offline-extraction.ts";

const CORPUS = path.join(import.meta.dirname, "../../../../../../shared/corpus");
const there = existsSync(path.join(CORPUS, "MANIFEST.json"));
if (!there) console.warn(`SKIPPED: no corpus of real invoices at ${CORPUS}`);

describe.skipIf(!there)("extractOffline on real invoices", () => {
  // Those in pictures too: test/full.
  it("reaches recall 0.85 and precision 0.92 on those with a text layer, with boxes that hold the values", async () => {
    const { recall, precision, boxes } = await scores(CORPUS, false);
    expect(recall).toBeGreaterThanOrEqual(0.85);
    expect(precision).toBeGreaterThanOrEqual(0.92);
    expect(boxes).toBeGreaterThanOrEqual(0.95);
  });
});
