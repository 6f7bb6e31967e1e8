import { describe, expect, it } from "vitest";
import {
  factsOfGiven,
  keepUnsure,
  unsureLeaves,
  withCandidates,
  withholdUnsure,
} from "../../../../functions/engine/confidence/withhold-unsure.ts";
import type {
  Candidate,
  SourceLocation,
  SourceLocations,
} from "../../../../functions/engine/layout/source-locations.ts";
import { withoutLocations } from "../../../../functions/engine/nodes/provenance.ts";

const location = (confidence: number, reference = "p1/w1"): SourceLocation => ({
  resolution: "word",
  sourceRefs: [reference],
  pageAnchors: [],
  confidence,
});
const sourcesOf = (
  locations: Record<string, SourceLocation>,
  unresolved: SourceLocations["unresolved"] = [],
): SourceLocations => ({ version: 1, granularity: "word", pages: [], locations, unresolved });

const PLACE: NonNullable<Candidate["place"]> = { resolution: "word", sourceRefs: ["p1/w1"], pageAnchors: [] };

describe("withholdUnsure", () => {
  it("makes a value below the threshold null and lists it with its place and confidence", () => {
    const sources = sourcesOf({ "/a": location(0.49), "/b/0/c": location(0.5) });
    expect(withholdUnsure({ a: 5, b: [{ c: "x" }] }, sources, 0.5)).toEqual({
      result: { a: null, b: [{ c: "x" }] },
      sources: sourcesOf({ "/b/0/c": location(0.5) }, [
        { pointer: "/a", reason: "unsure", candidates: [{ value: 5, place: PLACE, confidence: 0.49 }] },
      ]),
      withheld: 1,
    });
  });

  it("withholds a value that stands nowhere, without a place", () => {
    const sources = sourcesOf({}, [{ pointer: "/a", reason: "not-found", confidence: 0.2 }]);
    expect(withholdUnsure({ a: "x" }, sources, 0.5)).toEqual({
      result: { a: null },
      sources: sourcesOf({}, [{ pointer: "/a", reason: "unsure", candidates: [{ value: "x", confidence: 0.2 }] }]),
      withheld: 1,
    });
  });

  it("leaves values without a confidence alone, and all values at a threshold of 0", () => {
    const unresolved = [
      { pointer: "/sum", reason: "derived" },
      { pointer: "/none", reason: "null-value" },
    ];
    const sources = sourcesOf({ "/a": location(0) }, unresolved);
    const result = { sum: 3, none: null, a: 1 };
    expect(withholdUnsure(structuredClone(result), sources, 0)).toEqual({ result, sources, withheld: 0 });
    const kept = withholdUnsure(structuredClone(result), sources, 1);
    expect(kept.result).toEqual({ ...result, a: null });
    expect(kept.sources.unresolved.slice(0, 2)).toEqual(unresolved);
  });

  it("withholds a result that is one value", () => {
    expect(withholdUnsure("x", sourcesOf({ "": location(0.1) }), 0.5).result).toBeNull();
  });

  it("withholds a member named __proto__ and touches no prototype", () => {
    const { result } = withholdUnsure(
      JSON.parse('{"__proto__":{"a":1}}'),
      sourcesOf({ "/__proto__/a": location(0.1) }),
      0.5,
    );
    expect(JSON.stringify(result)).toBe('{"__proto__":{"a":null}}');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe("factsOfGiven", () => {
  it("counts leaves and judges only the values that are given", () => {
    const { result, sources } = withholdUnsure(
      { a: 1, b: 2 },
      sourcesOf({ "/a": location(0.1), "/b": location(0.9) }),
      0.5,
    );
    expect(factsOfGiven(result, sources)).toEqual({ found: 1, unresolved: 1, confidence: 0.9 });
  });
});

describe("unsure values of a text that was corrected", () => {
  const { result, sources } = withholdUnsure({ a: 1 }, sourcesOf({ "/a": location(0.1) }), 0.5);
  const unsure = unsureLeaves(sources);

  it("are located in the document, and stay unresolved", () => {
    expect(withCandidates(structuredClone(result), unsure)).toEqual({ a: 1 });
    const relocated = keepUnsure(sourcesOf({ "/a": location(0.7, "p2/w4") }), unsure);
    expect(relocated.locations).toEqual({});
    expect(relocated.unresolved).toEqual([
      {
        pointer: "/a",
        reason: "unsure",
        candidates: [{ value: 1, place: { ...PLACE, sourceRefs: ["p2/w4"] }, confidence: 0.1 }],
      },
    ]);
  });

  it("lose their places with all others", () => {
    expect(withoutLocations(sources, "no-source-map").unresolved).toEqual([
      { pointer: "/a", reason: "unsure", candidates: [{ value: 1, confidence: 0.1 }] },
    ]);
  });
});
