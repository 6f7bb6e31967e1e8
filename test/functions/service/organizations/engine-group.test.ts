/** Engines of an organization carry its group, whichever of them a function has. */
import { describe, expect, it } from "vitest";
import { absentPort } from "../../../../bin/cloud/platform.ts";
import type { OcrEngine } from "../../../../functions/ports/ocr.ts";
import { enginesOf, groupOf } from "../../../../functions/service/organizations/engine-group.ts";
import { testPlatform } from "../../../support/platform.ts";

const { engines } = testPlatform().platform;

describe("enginesOf", () => {
  it("asks nothing of a text recognition that a function does not have", () => {
    const bound = enginesOf({ ...engines, ocr: absentPort<OcrEngine>("text recognition") }, 1);
    expect(bound.ocr).not.toBeNull();
    expect(() => bound.ocr?.name).toThrow("This function has no text recognition");
  });

  it("adds the organization's group to recognition, and keeps the engine's own members", async () => {
    const asked: unknown[] = [];
    const ocr = {
      name: "told",
      maxImageBytes: 5,
      recognize: async (...given: unknown[]) => asked.push(given[2]),
    } as unknown as OcrEngine;
    const bound = enginesOf({ ...engines, ocr }, 7).ocr;
    await bound?.recognize({} as never, "DEFAULT", { deadline: 9 });
    expect(bound).toMatchObject({ name: "told", maxImageBytes: 5 });
    expect(asked).toEqual([{ deadline: 9, group: groupOf(7) }]);
  });
});
