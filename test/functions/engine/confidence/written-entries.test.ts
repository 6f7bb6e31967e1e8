import { describe, expect, it } from "vitest";
import { capOfWritten } from "../../../../functions/engine/confidence/written-entries.ts";
import { buildContext } from "../../../../functions/engine/extraction/rules/document-context.ts";
import { PageMaker } from "../extraction/page.ts";

describe("capOfWritten", () => {
  it("keeps what recognition read in a place below 0.9, and drawn text as it is", () => {
    const { view } = buildContext(new PageMaker().text(1, 1, "Harbour Works").layout(), new Map(), []);
    const tokens = view.segments.flatMap((segment) => segment.tokens);
    expect(tokens).toHaveLength(2);
    expect(capOfWritten({ tokens })).toBe(1);
    const recognised = tokens.map((token) => ({ ...token, recognised: true }));
    expect(capOfWritten({ tokens: recognised })).toBeLessThan(0.9);
  });
});
