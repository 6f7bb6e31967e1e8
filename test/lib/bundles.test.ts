/** What becomes of a package's text on its way into a bundle. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { withPlainNames } from "../../lib/bundles.ts";
import { ROOT } from "../support/template.ts";

describe("names of members", () => {
  it("are written where a constant named them, and nothing else is changed", () => {
    const source = [
      'const _h = "http";',
      'const _jN = "jsonName";',
      "const _n = 7;",
      'export const a = [_h, { [_h]: ["POST", _jN], [_jN]: 1 }, { [_n]: [_h] }, { [other]: 2 }, x[_h]];',
    ].join("\n");
    const changed = source.replace('{ [_h]: ["POST", _jN], [_jN]: 1 }', '{ "http": ["POST", _jN], "jsonName": 1 }');
    expect(withPlainNames(source)).toBe(changed);
  });

  it.each(["s3", "lambda"])("computed are none in the schemas of %s", (service) => {
    const path = `node_modules/@aws-sdk/client-${service}/dist-es/schemas/schemas_0.js`;
    const source = readFileSync(resolve(ROOT, path), "utf8");
    expect(withPlainNames(source)).not.toMatch(/[{,]\s*\[\w+\]:/);
    expect(source).toMatch(/[{,]\s*\[\w+\]:/);
  });
});
