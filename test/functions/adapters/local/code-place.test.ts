import { describe, expect, it } from "vitest";
import {
  CODE_EXTENSION,
  CODE_FOLDER,
  PACKAGE_FOLDER,
  PACKAGE_FOLDERS,
  packageFoldersAbove,
} from "../../../../functions/adapters/local/code-place.ts";
import { ROOT } from "../../../support/import-graph.ts";

describe("code-place", () => {
  it("in the repository the code and its packages are at the root, and nothing above it is read", () => {
    expect([CODE_EXTENSION, CODE_FOLDER, PACKAGE_FOLDER]).toEqual(["ts", ROOT, ROOT]);
    expect(PACKAGE_FOLDERS).toEqual([`${ROOT}/node_modules`]);
  });

  it.each([
    ["/app/node_modules/sheaf", ["/app/node_modules"]],
    ["/app/node_modules/other/node_modules/sheaf", ["/app/node_modules/other/node_modules", "/app/node_modules"]],
    [
      "/app/node_modules/.pnpm/sheaf@0.1.0/node_modules/sheaf",
      ["/app/node_modules/.pnpm/sheaf@0.1.0/node_modules", "/app/node_modules"],
    ],
    ["/home/ada/sheaf", []],
  ])("packageFoldersAbove(%s) are the folders that Node.js looks for packages in", (folder, expected) => {
    expect(packageFoldersAbove(folder)).toEqual(expected);
  });
});
