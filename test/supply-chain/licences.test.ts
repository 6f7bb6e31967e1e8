/** Licences of all locked packages are allowed, NOTICE is up to date, and a forbidden licence is found. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkLicences, licencesOf, noticeOf } from "../../.ci/supply-chain/licences.ts";
import type { Lockfile } from "../../.ci/supply-chain/lockfile.ts";
import lockfile from "../../package-lock.json" with { type: "json" };

const lock: Lockfile = lockfile;
const withPackage = (path: string, entry: Lockfile["packages"][string]): Lockfile => ({
  ...lock,
  packages: { ...lock.packages, [path]: entry },
});

describe("checkLicences", () => {
  it("accepts the project's packages", () => {
    expect(checkLicences(lock).found).toEqual([]);
  });

  it.each([
    "GPL-3.0-only",
    "AGPL-3.0",
    "SSPL-1.0",
    "UNLICENSED",
    "MIT AND GPL-3.0-only",
    "SEE LICENSE IN LICENSE.md",
    undefined,
  ])("refuses a package under %s", (license) => {
    const entry = { version: "1.0.0", ...(license === undefined ? {} : { license }) };
    const [sentence] = checkLicences(withPackage("node_modules/bad", entry)).found;
    expect(sentence).toMatch(/^bad 1\.0\.0 (is under .*|states no licence), which .*licence-policy\.ts does not allow/);
  });

  it("refuses an exception's licence in other packages, and in a deployment where it is for development", () => {
    const other = withPackage("node_modules/bad", { version: "1.0.0", license: "LGPL-3.0-or-later" });
    expect(checkLicences(other).found).toEqual([expect.stringMatching(/^bad 1\.0\.0 is under LGPL/)]);
    const deployed = withPackage("node_modules/lightningcss", { version: "1.0.0", license: "MPL-2.0" });
    expect(checkLicences(deployed).found).toEqual([expect.stringMatching(/^lightningcss 1\.0\.0 is under MPL/)]);
  });

  it("names exceptions that no package needs", () => {
    const found = checkLicences({ ...lock, packages: {} }).found.join("\n");
    expect(found).toMatch(/No package needs the exception .*lightningcss/);
    expect(found).toMatch(/jstat needs no stated licence/);
  });
});

describe("licencesOf", () => {
  const accepts = (licence: string) => licence === "MPL-2.0";
  it.each([
    ["MIT", []],
    ["(MIT OR GPL-3.0-or-later)", []],
    ["GPL-3.0-only OR MIT", []],
    ["MIT or MPL-2.0", []],
    ["MPL-2.0", ["MPL-2.0"]],
    ["Apache-2.0 AND MPL-2.0 AND MIT", ["MPL-2.0"]],
    ["(MIT OR Apache-2.0) AND MPL-2.0", ["MPL-2.0"]],
    ["MIT AND (GPL-3.0-only OR ISC)", []],
    ["MIT AND GPL-3.0-only", undefined],
    ["GPL-2.0-only WITH Classpath-exception-2.0", undefined],
    ["MIT OR", undefined],
    ["MIT)", undefined],
    ["(MIT", undefined],
    ["", undefined],
  ])("keeps of %j: %j", (expression, kept) => {
    expect(licencesOf(expression, accepts)).toEqual(kept);
  });
});

describe("NOTICE", () => {
  const notice = readFileSync(new URL("../../NOTICE", import.meta.url), "utf8");

  it("is the one that the lockfile makes (npm run supply-chain -- --write-notice)", () => {
    expect(notice).toBe(noticeOf(lock));
  });

  it("lists libvips of all platforms, and changes with its version", () => {
    expect(notice).toMatch(/LGPL-3\.0-or-later: libvips[\s\S]*@img\/sharp-libvips-linux-x64 \d/);
    const path = "node_modules/@img/sharp-libvips-linux-x64";
    const newer = withPackage(path, { ...lock.packages[path], version: "99.0.0" });
    expect(noticeOf(newer)).toContain("@img/sharp-libvips-linux-x64 99.0.0");
  });
});
