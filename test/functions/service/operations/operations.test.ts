import { describe, expect, it } from "vitest";
import { inFocus } from "../../../../functions/engine/analysis/focus-areas.ts";
import { fieldOf, type Issue } from "../../../../functions/engine/analysis/issue.ts";
import { rankFigures } from "../../../../functions/engine/analysis/rank-figures.ts";
import { BadRequest } from "../../../../functions/ports/errors.ts";
import { LAYOUT_VERSION } from "../../../../functions/ports/layout.ts";
import { withoutFalseCitations } from "../../../../functions/service/operations/generative-task.ts";
import { findOperationType } from "../../../../functions/service/operations/operation-registry.ts";

describe("parameters of operations", () => {
  it("are read from JSON and from strings", () => {
    const read = findOperationType("IMAGE_SELECT").read(
      { prompt: " logo ", topK: "3", useVision: "true", pageRange: "1-2,5", matchMode: "ALL" },
      "",
    );
    expect(read).toEqual({ prompt: "logo", topK: 3, useVision: true, pageRange: [1, 2, 5], matchMode: "all" });
  });

  it("are refused with every fault named", () => {
    expect(() => findOperationType("image-select").read({ topK: 0, useVision: 7 }, "/p")).toThrow(BadRequest);
    try {
      findOperationType("image-select").read({ topK: 0, useVision: 7 }, "/p");
    } catch (error) {
      expect((error as BadRequest).errors?.map(({ path }) => path)).toEqual(["/p/prompt", "/p/topK", "/p/useVision"]);
    }
  });
});

describe("withoutFalseCitations", () => {
  it("removes citations of pages that the document does not have", () => {
    expect(withoutFalseCitations("Paid [p. 2]. Late [p. 9]. Both [p. 1, 3].", 3)).toBe(
      "Paid [p. 2]. Late. Both [p. 1, 3].",
    );
  });
});

describe("focus areas", () => {
  const issue = (pointer: string, kind: Issue["kind"]): Issue => ({
    pointer,
    kind,
    issue: "",
    confidence: 1,
    suggestion: "",
    detail: "",
  });
  const issues = [issue("/totals/grandTotal", "value"), issue("/dueDate", "order"), issue("/lines", "missing-row")];

  it.each<[string[], string[]]>([
    [[], ["totals.grandTotal", "dueDate", "lines"]],
    [["totals"], ["totals.grandTotal"]],
    [["Due date"], ["dueDate"]],
    [["rows"], ["lines"]],
    [["colours"], []],
  ])("%j select %j", (areas, expected) => {
    expect(inFocus(issues, areas).map(({ pointer }) => fieldOf(pointer))).toEqual(expected);
  });
});

describe("rankFigures", () => {
  const figure = (id: string, pageNumber: number, caption: string) => ({
    id,
    pageNumber,
    bbox: null,
    mimeType: "image/png",
    caption,
    description: caption,
  });
  const figures = [
    figure("a", 1, "Figure 1: Floor plan of the house"),
    figure("b", 2, "Figure 2: Front view of the house"),
  ];
  const layout = { v: LAYOUT_VERSION, provider: "t", logicalPages: false, pageCount: 2, pages: [] } as const;
  const ids = (prompt: string, matchMode: "all" | "any", pages?: number[]) =>
    rankFigures(figures, { ...layout, pages: [] }, { prompt, matchMode, ...(pages ? { pages } : {}) }).map(
      ({ id }) => id,
    );

  it("ranks figures by words", () => {
    expect(ids("show me the floor plans", "any")[0]).toBe("a");
    expect(ids("Figure 2", "any")[0]).toBe("b");
    expect(ids("weather", "any")).toEqual([]);
  });

  it("requires all criteria with matchMode all, on the requested pages", () => {
    expect(ids("house, front view", "all")).toEqual(["b"]);
    expect(ids("house", "any", [1])).toEqual(["a"]);
  });
});
