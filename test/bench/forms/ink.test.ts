import { expect, it } from "vitest";
import { fieldsWithoutInk } from "../../../bench/forms/ink.ts";
import type { TrueField } from "../../../bench/forms/truth.ts";

const field = (top: number): TrueField => ({
  pageNumber: 1,
  box: { left: 100, right: 200, top, bottom: top + 14 },
  fieldClass: "text",
  tooltip: undefined,
  isCharacter: false,
});

it("fieldsWithoutInk leaves out widgets on a line, in a box, and along dashes, and keeps those on bare paper", () => {
  const [onLine, inBox, onDashes, bare] = [field(100), field(200), field(300), field(400)];
  const page = {
    number: 1,
    ink: {
      horizontal: [
        { at: 116, from: 90, to: 260 },
        ...[0, 1, 2, 3].map((dash) => ({ at: 314, from: 100 + 20 * dash, to: 110 + 20 * dash })),
        // A line that ends where the widget begins is another's.
        { at: 414, from: 20, to: 102 },
      ],
      vertical: [{ at: 98, from: 190, to: 220 }],
    },
    content: { angle: 0 as const, width: 600, height: 800 },
    em: 9,
    candidates: [],
  };
  const truth = { fields: [onLine, inBox, onDashes, bare], readOnly: [], pages: [], leftOut: 0 };
  expect(fieldsWithoutInk({ pages: [page], truth })).toEqual([bare]);
});
