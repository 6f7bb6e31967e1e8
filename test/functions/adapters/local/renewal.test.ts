import { expect, test } from "vitest";
import { renewalOf } from "../../../../functions/adapters/local/pool/renewal.ts";

const LIMITS = { memoryLimitBytes: 1_000, recycleAfter: 20_000 };

test.each([
  [
    "keeps a process that has served thousands of tasks and holds little",
    { served: 19_999, residentBytes: 390 },
    "keep",
  ],
  ["keeps a process whose memory is unknown", { served: 200, residentBytes: undefined }, "keep"],
  ["starts a successor for a process that holds much", { served: 1, residentBytes: 410 }, "succeed"],
  ["starts a successor after the share of tasks", { served: 20_000, residentBytes: 100 }, "succeed"],
  ["ends a process that would not leave the next task its limit", { served: 1, residentBytes: 510 }, "end"],
])("renewalOf %s", (_name, use, renewal) => {
  expect(renewalOf(use, LIMITS)).toBe(renewal);
});
