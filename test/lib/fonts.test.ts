import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REFERENCE_SCRIPT } from "../../functions/adapters/reference-script.ts";
import { FALLBACK_FONTS } from "../../functions/engine/templates/pdf/font-files.ts";
import { FONT_FILES, REFERENCE_FILES } from "../../lib/functions.ts";
import { ROOT } from "../support/import-graph.ts";

describe("the fonts beside a function's code", () => {
  it("are those that filling looks for", () => {
    const looked = Object.entries(FALLBACK_FONTS).map(([name, path]) => [name, `node_modules/${path}`]);
    expect(FONT_FILES).toEqual(Object.fromEntries(looked));
    expect(Object.values(FONT_FILES).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("the reference's script beside a function's code", () => {
  it("is the one that the page asks for", () => {
    expect(REFERENCE_FILES).toEqual({ [REFERENCE_SCRIPT.name]: `node_modules/${REFERENCE_SCRIPT.file}` });
    expect(Object.values(REFERENCE_FILES).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
