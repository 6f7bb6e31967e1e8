/** Lists that are made from folders and imports, so that an addition has no line elsewhere. */
import { describe, expect, it } from "vitest";
import { faultsOfGenerated, generatedFiles } from "../generated/generated-files.ts";
import { inOrder, LANGUAGE_LIST } from "../generated/language-files.ts";

describe("generated files", () => {
  it("are what `npm run generate` writes", () => {
    const files = generatedFiles();
    expect([...files.keys()]).toEqual(expect.arrayContaining([LANGUAGE_LIST, "bin/cloud/tasks/step-extract.ts"]));
    expect(faultsOfGenerated(files)).toEqual([]);
  });

  it("are named with the command when they are old", () => {
    const { [LANGUAGE_LIST]: _, "bin/cloud/tasks/nodes.ts": __, ...others } = Object.fromEntries(generatedFiles());
    const files = new Map([[LANGUAGE_LIST, "export const LANGUAGE_FILES = { en };"], ...Object.entries(others)]);
    const faults = [LANGUAGE_LIST, "bin/cloud/tasks/nodes.ts"].map(
      (file) => `${file} is not what the project's files give: run npm run generate`,
    );
    expect(faultsOfGenerated(files)).toEqual(expect.arrayContaining(faults));
  });

  it("have languages in the order of their files, and those without one after them", () => {
    const last = Number.MAX_SAFE_INTEGER;
    const languages = [
      { code: "pt", order: last },
      { code: "de", order: 2 },
      { code: "cs", order: last },
      { code: "en", order: 1 },
    ];
    expect(inOrder(languages)).toEqual(["en", "de", "cs", "pt"]);
  });
});
