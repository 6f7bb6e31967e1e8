/** The bundler's rewriting of packages. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { inlineComputedNames } from "../../lib/bundles.ts";
import { ROOT } from "../support/template.ts";

describe("inlineComputedNames", () => {
  it("inlines member names that constants compute, and changes nothing else", () => {
    const source = [
      'const _h = "http";',
      'const _jN = "jsonName";',
      "const _n = 7;",
      'export const a = [_h, { [_h]: ["POST", _jN], [_jN]: 1 }, { [_n]: [_h] }, { [other]: 2 }, x[_h]];',
    ].join("\n");
    const changed = source.replace('{ [_h]: ["POST", _jN], [_jN]: 1 }', '{ "http": ["POST", _jN], "jsonName": 1 }');
    expect(inlineComputedNames(source)).toBe(changed);
  });

  it.each(["s3", "lambda"])("leaves no computed name in the schemas of %s", (service) => {
    const path = `node_modules/@aws-sdk/client-${service}/dist-es/schemas/schemas_0.js`;
    const source = readFileSync(resolve(ROOT, path), "utf8");
    expect(inlineComputedNames(source)).not.toMatch(/[{,]\s*\[\w+\]:/);
    expect(source).toMatch(/[{,]\s*\[\w+\]:/);
  });
});
