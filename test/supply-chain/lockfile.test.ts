/** The lockfile's lint passes on the project's lockfile, and fails on each planted fault. */
import { describe, expect, it } from "vitest";
import { type Lockfile, lintLockfile, type Project } from "../../.ci/supply-chain/lockfile.ts";
import manifest from "../../package.json" with { type: "json" };
import lockfile from "../../package-lock.json" with { type: "json" };

const lock: Lockfile = lockfile;
const project: Project = manifest;

type Entries = Lockfile["packages"];
/** The lockfile with a package changed. */
const withPackage = (path: string, change: Entries[string]): Lockfile => ({
  ...lock,
  packages: { ...lock.packages, [path]: { ...lock.packages[path], ...change } },
});
const ZOD = "node_modules/zod";

describe("lintLockfile", () => {
  it("accepts the project's lockfile", () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(300);
    expect(lintLockfile(lock, project)).toEqual([]);
  });

  it("accepts an address on the registry", () => {
    const version = lock.packages[ZOD]?.version ?? "";
    const resolved = `https://registry.npmjs.org/zod/-/zod-${version}.tgz`;
    expect(lintLockfile(withPackage(ZOD, { resolved }), project)).toEqual([]);
  });

  it.each([
    [
      "another registry",
      { resolved: "https://registry.example.com/zod/-/zod-4.6.7.tgz" },
      /comes from https:\/\/registry\.example/,
    ],
    ["plain http", { resolved: "http://registry.npmjs.org/zod/-/zod-4.6.7.tgz" }, /comes from http:/],
    ["a repository", { resolved: "git+ssh://git@github.com/colinhacks/zod.git#1" }, /comes from git/],
    ["another package", { resolved: "https://registry.npmjs.org/zob/-/zob-4.6.7.tgz" }, /comes from .*zob/],
    ["no integrity", { integrity: "" }, /zod has no SHA-512 integrity/],
    ["a weak integrity", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, /zod has no SHA-512 integrity/],
    ["an alias", { name: "zob" }, /zod is an alias of zob/],
    ["a range for a version", { version: "^4.0.0" }, /no exact version/],
    ["an older version than asked for", { version: "3.0.0" }, /locked at 3\.0\.0, and package\.json asks for/],
    ["an install script", { hasInstallScript: true }, /zod has an install script/],
    ["a link out of the project", { link: true, resolved: "../zod" }, /links \.\.\/zod/],
  ])("refuses %s", (_fault, change, sentence) => {
    expect(lintLockfile(withPackage(ZOD, change), project).join("\n")).toMatch(sentence);
  });

  it("refuses a lockfile that is out of step with package.json", () => {
    const more = { ...project, dependencies: { ...project.dependencies, "left-pad": "^1.3.0" } };
    expect(lintLockfile(lock, more).join("\n")).toMatch(
      /left-pad is \^1\.3\.0 in package\.json and undefined in the lock/,
    );
    const { zod: _, ...fewer } = project.dependencies ?? {};
    expect(lintLockfile(lock, { ...project, dependencies: fewer }).join("\n")).toMatch(
      /zod is undefined in package\.json/,
    );
    const loose = { ...project, dependencies: { ...project.dependencies, zod: "*" } };
    expect(lintLockfile(lock, loose).join("\n")).toMatch(/package\.json asks for \* \(write 1\.2\.3 or \^1\.2\.3\)/);
    expect(lintLockfile({ ...lock, lockfileVersion: 1 }, project)).toEqual([
      expect.stringMatching(/has the version 1/),
    ]);
    expect(lintLockfile(lock, { ...project, allowScripts: { sharp: true } }).join("\n")).toMatch(
      /esbuild has an install script[\s\S]*allowScripts names sharp/,
    );
  });
});
