/** The list of parts is complete and of the format; a faulty one is refused. */
import { describe, expect, it } from "vitest";
import type { Lockfile } from "../../.ci/supply-chain/lockfile.ts";
import { checkSbom, makeSbom } from "../../.ci/supply-chain/sbom.ts";
import manifest from "../../package.json" with { type: "json" };
import lockfile from "../../package-lock.json" with { type: "json" };

const lock: Lockfile = lockfile;
const sbom = makeSbom(manifest, lock);
const [first] = sbom.components;
if (first === undefined) throw new Error("A deployment has packages");

describe("makeSbom", () => {
  it("lists all packages of a deployment with their hashes, and no others", () => {
    expect(checkSbom(sbom, lock)).toEqual([]);
    const names = sbom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["sharp", "zod", "tesseract.js", "@img/sharp-libvips-linux-x64"]));
    for (const name of ["vitest", "typescript", "aws-cdk-lib", "@dynoxide/linux-x64"])
      expect(names).not.toContain(name);
    expect(sbom.metadata.component).toMatchObject({ name: "sheaf", type: "application" });
    const roots = sbom.dependencies.find(({ ref }) => ref === sbom.metadata.component["bom-ref"])?.dependsOn ?? [];
    expect(roots.length).toBe(Object.keys(manifest.dependencies).length);
  });
});

describe("checkSbom", () => {
  it.each([
    ["another format", { ...sbom, bomFormat: "SPDX" }, /bomFormat/],
    ["a missing serial number", { ...sbom, serialNumber: undefined }, /serialNumber/],
    ["a component without a name", { ...sbom, components: [{ ...first, name: "" }] }, /components\.0\.name/],
    ["a component twice", { ...sbom, components: [...sbom.components, first] }, /is there twice/],
    ["a missing component", { ...sbom, components: sbom.components.slice(1) }, /of the lockfile is missing/],
    ["an unknown dependency", { ...sbom, dependencies: [{ ref: "x@1" }] }, /x@1 is no component/],
    [
      "a foreign component",
      { ...sbom, components: [...sbom.components, { ...first, name: "x", "bom-ref": "x" }] },
      /no part/,
    ],
    [
      "another hash",
      { ...sbom, components: [{ ...first, hashes: [{ alg: "SHA-512", content: "0".repeat(128) }] }] },
      /another hash than in the lockfile/,
    ],
  ])("refuses %s", (_fault, faulty, sentence) => {
    expect(checkSbom(faulty, lock).join("\n")).toMatch(sentence);
  });
});
