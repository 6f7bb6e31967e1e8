/** Places of leaves that were filled with what a node was given. */
import { describe, expect, it } from "vitest";
import type { SourceLocation, SourceLocations } from "../../../../functions/engine/layout/source-locations.ts";
import { type Origin, placeFilled } from "../../../../functions/engine/nodes/provenance.ts";

const at = (reference: string): SourceLocation => ({
  resolution: "word",
  sourceRefs: [reference],
  pageAnchors: [],
  confidence: 0.9,
});
const places = (
  locations: Record<string, SourceLocation>,
  unresolved: SourceLocations["unresolved"] = [],
): SourceLocations => ({ version: 1, granularity: "word", pages: [], locations, unresolved });

const sources = new Map([
  ["read", places({ "/number": at("p1/w7") }, [{ pointer: "/note", reason: "not-found", confidence: 0.2 }])],
]);
const trail = new Map<string, Origin>([
  ["/a", { node: "read", pointer: "/number" }],
  ["/whole", { node: "read", pointer: "" }],
  ["/b", { node: "gone", pointer: "/number" }],
  ["/c", { reason: "constant" }],
]);

describe("placeFilled", () => {
  const derived = (pointer: string) => ({ pointer, reason: "derived" });

  it("gives a leaf the place of its value in the source node, or that node's reason", () => {
    const own = places({ "/x": at("p1/w1") }, [derived("/y"), derived("/z"), { pointer: "/n", reason: "null-value" }]);
    const filled: [string, string][] = [
      ["/y", "/a"],
      ["/z", "/whole/note"],
    ];
    expect(placeFilled(own, filled, { trail, sources })).toEqual(
      places({ "/x": at("p1/w1"), "/y": at("p1/w7") }, [
        { pointer: "/z", reason: "not-found", confidence: 0.2 },
        { pointer: "/n", reason: "null-value" },
      ]),
    );
  });

  it("marks constants and derived values, and keeps places on the page", () => {
    const own = places({ "/p": at("p1/w2"), "/q": at("p1/w3") }, [derived("/r"), derived("/s")]);
    const filled: [string, string][] = [
      ["/p", "/c"],
      ["/q", "/a"],
      ["/r", "/c"],
      ["/s", "/b"],
    ];
    expect(placeFilled(own, filled, { trail, sources })).toEqual(
      places({ "/p": at("p1/w2"), "/q": at("p1/w7") }, [{ pointer: "/r", reason: "constant" }, derived("/s")]),
    );
  });
});
