/** Extraction without a model over all real invoices, pictures included, reaches its goals. */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { scores } from "../../bench/offline-extraction.ts";

const CORPUS = path.join(import.meta.dirname, "../../../shared/corpus");
const there = existsSync(path.join(CORPUS, "MANIFEST.json"));
if (!there) console.warn(`SKIPPED: no corpus of real invoices at ${CORPUS}`);

describe.skipIf(!there)("offline extraction of real invoices, pictures included", () => {
  it("has recall 0.85, precision 0.92 and 0.95 of the boxes at least", { timeout: 600_000 }, async () => {
    const { recall, precision, boxes } = await scores(CORPUS, true);
    expect(recall).toBeGreaterThanOrEqual(0.85);
    expect(precision).toBeGreaterThanOrEqual(0.92);
    expect(boxes).toBeGreaterThanOrEqual(0.95);
  });
});
