import { describe, expect, it } from "vitest";
import {
  dayOf,
  isExact,
  isNear,
  isNormalised,
  normalise,
  type Scalar,
  similarity,
} from "../../../client/eval/values.ts";

describe("comparison of values", () => {
  it.each<[Scalar, Scalar, exact: boolean, same: boolean]>([
    ["ACME Ltd.", "ACME Ltd.", true, true],
    ["ACME\n  Ltd.", "ACME Ltd.", true, true],
    ["ACME Ltd.", "Acme Ltd", false, true],
    ["Zürich", "Zu\u0308rich", true, true],
    ["Zürich", "Zurich", false, false],
    ["1998–2004", "1998-2004", false, true],
    ["“A”", '"a"', false, true],
    ["ﬁne", "fine", false, true],
    ["co\u00adoperate", "cooperate", false, true],
    [12.5, 12.5, true, true],
    [12.5, "12.50", false, true],
    ["007", "7", false, false],
    [7, "007", false, true],
    [0.1 + 0.2, 0.3, false, true],
    [true, "true", false, true],
    [null, "", false, true],
    [null, 0, false, false],
    ["--", "-", false, false],
    ["#", "", false, false],
  ])("is exact or normalised: %o and %o", (a, b, exact, same) => {
    expect([isExact(a, b), isNormalised(a, b)]).toEqual([exact, same]);
    expect([isExact(b, a), isNormalised(b, a)]).toEqual([exact, same]);
    expect(similarity(a, b) === 1).toBe(same);
  });

  it("gives the share of letters that need no edit", () => {
    expect(similarity("kitten", "sitting")).toBeCloseTo(1 - 3 / 7);
    expect(similarity("abc", "xyz")).toBe(0);
    expect(similarity("abc", null)).toBe(0);
    expect(similarity("Max Muster & Söhne", "MAX MUSTER")).toBeCloseTo(10 / 18);
  });

  // Letter by letter this would exceed the timeout.
  it("compares long texts word by word", () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `word${at}`).join(" ");
    expect(similarity(text, `${text} and two`)).toBeCloseTo(1, 3);
    expect(similarity(text, text.replaceAll("word", "other"))).toBe(0);
  });

  it("ignores punctuation only at the ends", () => {
    expect(normalise("(A.B)")).toBe("a.b");
    expect(normalise("...")).toBe("...");
  });

  it("has absolute and relative tolerances", () => {
    expect(isNear(100, 100.005, { absolute: 0.005 })).toBe(true);
    expect(isNear(100, 100.006, { absolute: 0.005 })).toBe(false);
    expect(isNear(200, 198, { relative: 0.01 })).toBe(true);
    expect(isNear(200, 197.9, { relative: 0.01 })).toBe(false);
    expect(isNear(1e12, 1e12 + 0.0001)).toBe(true);
  });

  it.each([
    ["2026-03-09", undefined, "2026-03-09"],
    ["2026-03-09T10:00:00Z", undefined, "2026-03-09"],
    ["20260309", undefined, "2026-03-09"],
    ["9.3.2026", undefined, "2026-03-09"],
    ["31/12/2026", undefined, "2026-12-31"],
    ["12/31/2026", undefined, "2026-12-31"],
    ["03/03/2026", undefined, "2026-03-03"],
    ["09/03/2026", undefined, undefined],
    ["09/03/2026", "dmy", "2026-03-09"],
    ["09/03/2026", "mdy", "2026-09-03"],
    ["2026-02-30", undefined, undefined],
    ["soon", undefined, undefined],
    ["9/3-2026", "dmy", undefined],
  ] as const)("%s (%s) is the day %s", (text, order, day) => expect(dayOf(text, order)).toBe(day));
});
