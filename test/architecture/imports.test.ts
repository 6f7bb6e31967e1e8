/** Imports go down only. Reads the source, so that a wrong arrow fails before anyone relies on it. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const ROOMS = ["bin", "lib", "functions", "statemachines", "client", "console", "bench"];

const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mts|mjs|cjs|tsx)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  } catch {
    return [];
  }
};

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What a file imports: packages by name, files by their path from the root. */
function importsOf(file: string, source = readFileSync(join(ROOT, file), "utf8")): string[] {
  return [...source.matchAll(IMPORT)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? "";
    return target.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), target)) : target;
  });
}

/** The room that a path belongs to; undefined for packages. */
function roomOf(path: string): string | undefined {
  const functionsRoom = /^functions\/(api|steps|core|adapters)\//.exec(path)?.[0];
  if (functionsRoom !== undefined) return functionsRoom.slice(0, -1);
  return ROOMS.find((room) => path.startsWith(`${room}/`));
}

/** Which rooms a room may import from, besides itself. */
const ALLOWED: Record<string, string[]> = {
  bin: ["lib", "functions/api", "functions/steps", "functions/adapters", "functions/core", "statemachines", "client"],
  lib: ["functions/api", "functions/core", "statemachines"],
  "functions/api": ["functions/core", "statemachines"],
  "functions/steps": ["functions/core", "statemachines"],
  "functions/adapters": ["functions/core", "statemachines"],
  "functions/core": ["statemachines"],
  statemachines: [],
  client: [],
  console: ["client"],
  bench: ["bin", "functions/api", "functions/steps", "functions/adapters", "functions/core", "statemachines", "client"],
};

function faultsOf(file: string, imports: string[], source: string): string[] {
  const room = roomOf(file);
  if (room === undefined) return [`${file} is in no room`];
  const faults: string[] = [];
  for (const target of imports) {
    const targetRoom = roomOf(target);
    if (targetRoom !== undefined && targetRoom !== room && !ALLOWED[room]?.includes(targetRoom)) {
      faults.push(`${file} imports ${target}`);
    }
    if (/^(\.\.\/)?test\//.test(target)) faults.push(`${file} imports a test's ${target}`);
    const sdk = /^(@aws-sdk|@smithy)\//.test(target);
    if (sdk && !file.startsWith("functions/adapters/aws/")) faults.push(`${file} imports the SDK ${target}`);
    if (target.startsWith("aws-cdk-lib") && room !== "lib" && file !== "bin/cloud.ts")
      faults.push(`${file} imports ${target}`);
    const driver = /^node:(sqlite|fs|http|https|net|child_process|worker_threads)/.test(target);
    const allowedFs = target === "node:fs" || target === "node:fs/promises";
    if (room === "functions/core" && driver && !(allowedFs && file.startsWith("functions/core/documents/"))) {
      faults.push(`${file} imports ${target}`);
    }
    // A hash is a pure function; nothing else from outside is.
    const pure = target.startsWith("statemachines/") || target === "node:crypto";
    if (room === "statemachines" && !pure) faults.push(`${file} imports ${target}`);
  }
  if (room === "functions/core" || room === "statemachines") {
    if (/\bprocess\.env\b/.test(source)) faults.push(`${file} reads the environment`);
    if (/\bDate\.now\(\)|\bnew Date\(\)/.test(source)) faults.push(`${file} reads a clock that is not the port's`);
    if (/\bMath\.random\(\)/.test(source)) faults.push(`${file} draws random numbers`);
  }
  return faults;
}

const FILES = ROOMS.flatMap(filesBelow);

describe("the house", () => {
  it("has only the arrows that the design draws", () => {
    expect(FILES.length).toBeGreaterThan(50);
    const faults = FILES.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), "utf8");
      return faultsOf(file, importsOf(file, source), source);
    });
    expect(faults).toEqual([]);
  });

  it("would notice a wrong arrow", () => {
    const wrong = (file: string, source: string): string[] => faultsOf(file, importsOf(file, source), source);
    expect(wrong("functions/core/jobs/x.ts", 'import { a } from "../../adapters/local/records.ts";')).toHaveLength(1);
    expect(wrong("functions/core/x.ts", 'import {\n  a,\n} from "@aws-sdk/client-s3";')).toHaveLength(1);
    expect(wrong("client/x.ts", 'export * from "../functions/ports/ports.ts";')).toHaveLength(1);
    expect(wrong("functions/core/x.ts", "const now = Date.now();")).toHaveLength(1);
    expect(wrong("statemachines/x.ts", 'const zod = await import("zod");')).toHaveLength(1);
    expect(wrong("functions/api/x.ts", 'import type { Y } from "../ports/ports.ts";')).toEqual([]);
  });
});
