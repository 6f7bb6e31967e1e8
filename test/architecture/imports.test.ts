/** Imports go down only. Reads the source, so that a wrong arrow fails early. */
import { describe, expect, it } from "vitest";
import { circlesIn, filesBelow, graphOf, type Import, importsOf, sourceOf } from "../support/import-graph.ts";

const TOP = ["bin", "lib", "functions", "statemachines", "client", "console", "bench"];

/** The room that a path belongs to; undefined for packages. */
function roomOf(path: string): string | undefined {
  // It stands on templates, which stand on the rest of forms.
  if (path.startsWith("functions/engine/forms/write/")) return "engine/forms/write";
  const part = /^functions\/(?:(?:engine|service)\/[\w-]+|ports|api|steps|adapters)\//.exec(path)?.[0];
  if (part !== undefined) return part.slice("functions/".length, -1);
  return TOP.find((room) => room !== "functions" && path.startsWith(`${room}/`));
}

/** The engine's rooms, lowest first; a row names the rooms that it may import beside itself and the ports. */
const ENGINE: Record<string, string[]> = {
  "engine/layout": [],
  "engine/values": ["engine/layout"],
  "engine/structure": ["engine/layout", "engine/values"],
  "engine/passages": ["engine/layout", "engine/values", "engine/structure"],
  "engine/exports": ["engine/layout", "engine/structure"],
  "engine/imaging": ["engine/layout", "engine/structure", "engine/values"],
  "engine/ocr": ["engine/layout", "engine/values", "engine/structure", "engine/imaging"],
  "engine/readers": [
    "engine/layout",
    "engine/values",
    "engine/structure",
    "engine/exports",
    "engine/imaging",
    "engine/ocr",
  ],
  "engine/schema": ["engine/values"],
  "engine/forms": ["engine/layout", "engine/values", "engine/structure", "engine/imaging", "engine/readers"],
  "engine/templates": ["engine/forms", "engine/readers", "engine/imaging"],
  "engine/forms/write": ["engine/layout", "engine/forms", "engine/templates"],
  "engine/extraction": ["engine/layout", "engine/values", "engine/structure", "engine/schema"],
  "engine/grounding": [
    "engine/layout",
    "engine/values",
    "engine/structure",
    "engine/schema",
    "engine/forms",
    "engine/extraction",
  ],
  "engine/confidence": [
    "engine/layout",
    "engine/values",
    "engine/structure",
    "engine/schema",
    "engine/extraction",
    "engine/grounding",
  ],
  "engine/completeness": ["engine/layout", "engine/values", "engine/structure", "engine/schema", "engine/extraction"],
  "engine/analysis": [
    "engine/layout",
    "engine/values",
    "engine/structure",
    "engine/schema",
    "engine/extraction",
    "engine/grounding",
    "engine/confidence",
  ],
  "engine/nodes": ["engine/layout", "engine/values", "engine/ocr", "engine/schema", "engine/forms", "statemachines"],
};
const ENGINE_ROOMS = Object.keys(ENGINE);

/** The service's rooms, lowest first: each may import those before it, the engine, the ports and the state machines. */
const SERVICE = [
  "service/billing",
  "service/extraction",
  "service/organizations",
  "service/audit",
  "service/providers",
  "service/charges",
  "service/payments",
  "service/queue",
  "service/runs",
  "service/recognition",
  "service/configurations",
  "service/cases",
  "service/knowledge",
  "service/templates",
  "service/batches",
  "service/operations",
  "service/pipelines",
  "service/webhooks",
  "service/lifecycle",
];

/** Rooms that a room may import from, besides itself. */
const ALLOWED: Record<string, string[]> = {
  statemachines: [],
  client: [],
  ports: [],
  ...Object.fromEntries(Object.entries(ENGINE).map(([room, others]) => [room, ["ports", ...others]])),
  "engine/tasks": ["ports", ...ENGINE_ROOMS],
  ...Object.fromEntries(
    SERVICE.map((room, at) => [
      room,
      ["ports", "engine/tasks", ...ENGINE_ROOMS, "statemachines", ...SERVICE.slice(0, at)],
    ]),
  ),
  api: ["ports", "engine/tasks", ...ENGINE_ROOMS, "statemachines", ...SERVICE],
  steps: ["ports", "engine/tasks", ...ENGINE_ROOMS, "statemachines", ...SERVICE],
  // Structure for the reading order of recognised lines; passages for the form of their terms' file.
  adapters: [
    "ports",
    "engine/tasks",
    "engine/passages",
    "engine/layout",
    "engine/imaging",
    "engine/ocr",
    "engine/structure",
    "statemachines",
  ],
  lib: ["ports", "api", "statemachines"],
  bin: ["ports", "engine/tasks", "api", "steps", "adapters", "statemachines", "client", "lib", ...SERVICE],
  console: ["client"],
  bench: [
    "ports",
    "engine/tasks",
    ...ENGINE_ROOMS,
    ...SERVICE,
    "api",
    "steps",
    "adapters",
    "statemachines",
    "client",
    "bin",
  ],
};

const isPure = (room: string): boolean => /^(engine|service|ports|statemachines)(\/|$)/.test(room);

/** Rooms that load files beside packages: engines and fonts. */
const LOADING = new Set(["engine/readers", "engine/imaging", "engine/templates"]);

/** Modules of Node.js for drivers only. */
const isDriver = (target: string, room: string): boolean =>
  /^node:(sqlite|fs|http|https|net|child_process|worker_threads)/.test(target) &&
  !(/^node:fs(\/promises)?$/.test(target) && LOADING.has(room));

function faultOf(file: string, room: string, { target }: Import): string | undefined {
  const other = roomOf(target);
  if (other !== undefined && other !== room && !ALLOWED[room]?.includes(other)) return `${file} imports ${target}`;
  if (/^(\.\.\/)?test\//.test(target)) return `${file} imports a test's ${target}`;
  if (/^(@aws-sdk|@smithy)\//.test(target) && !file.startsWith("functions/adapters/aws/")) {
    return `${file} imports the SDK ${target}`;
  }
  if (target.startsWith("aws-cdk-lib") && room !== "lib" && file !== "bin/cloud.ts") return `${file} imports ${target}`;
  if (isPure(room) && isDriver(target, room)) return `${file} imports ${target}`;
  // A hash is a pure function; other modules are not.
  if (room === "statemachines" && !target.startsWith("statemachines/") && target !== "node:crypto") {
    return `${file} imports ${target}`;
  }
  // A task's code is loaded only where it runs.
  const runs = /^functions\/engine\/tasks\/.*\.run\.ts$/.test(target);
  const mayRun = /^(bin\/cloud\/|functions\/adapters\/local\/|bench\/)/.test(file);
  if (runs && !mayRun) return `${file} imports the code of a task, ${target}`;
  return undefined;
}

function faultsOf(file: string, source: string): string[] {
  const room = roomOf(file);
  if (room === undefined || ALLOWED[room] === undefined) return [`${file} is in no room`];
  const faults = importsOf(file, source).flatMap((one) => faultOf(file, room, one) ?? []);
  if (isPure(room)) {
    if (/\bprocess\.env\b/.test(source)) faults.push(`${file} reads the environment`);
    if (/\bDate\.now\(\)|\bnew Date\(\)/.test(source)) faults.push(`${file} reads a clock that is not the port's`);
    if (/\bMath\.random\(\)/.test(source)) faults.push(`${file} draws random numbers`);
  }
  return faults;
}

const FILES = TOP.flatMap(filesBelow);

describe("the import graph", () => {
  it("has only the arrows of the design", () => {
    expect(FILES.length).toBeGreaterThan(700);
    expect(FILES.flatMap((file) => faultsOf(file, sourceOf(file)))).toEqual([]);
  });

  it("has no import circle, types included", () => {
    const rooms = ["functions", "statemachines", "client", "lib", "bin"];
    expect(circlesIn(graphOf(rooms.flatMap(filesBelow)))).toEqual([]);
  });

  it("detects a circle", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ]);
    expect(circlesIn(graph)).toEqual([["a", "b", "c"]]);
  });

  it("has each file name once in the engine and the service", () => {
    const places = new Map<string, string[]>();
    for (const file of FILES.filter((one) => /^functions\/(ports|engine|service)\//.test(one))) {
      // A task is named like the function it calls.
      if (file.startsWith("functions/engine/tasks/")) continue;
      const name = file.slice(file.lastIndexOf("/") + 1);
      places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect([...places.values()].filter((files) => files.length > 1)).toEqual([]);
  });

  it.each([
    [
      "a service that knows a page's reader",
      "functions/service/runs/x.ts",
      'import { a } from "../../adapters/local/records.ts";',
    ],
    [
      "an engine that knows an organization",
      "functions/engine/schema/x.ts",
      'import type { A } from "../../service/runs/b.ts";',
    ],
    ["a room that imports one above it", "functions/engine/layout/x.ts", 'import { a } from "../readers/b.ts";'],
    ["an SDK outside of its adapters", "functions/service/runs/x.ts", 'import {\n  a,\n} from "@aws-sdk/client-s3";'],
    ["a client that knows the service", "client/x.ts", 'export * from "../functions/ports/records.ts";'],
    ["a clock of its own", "functions/engine/values/x.ts", "const now = Date.now();"],
    ["a compiler that is not pure", "statemachines/x.ts", 'const zod = await import("zod");'],
    [
      "a step that loads a task's code",
      "functions/steps/x.ts",
      'import { run } from "../../functions/engine/tasks/read.run.ts";',
    ],
    ["a file outside of all rooms", "functions/core/x.ts", ""],
  ])("refuses %s", (_what, file, source) => {
    expect(faultsOf(file, source)).toHaveLength(1);
  });

  it("allows the types of a port", () => {
    expect(faultsOf("functions/api/x.ts", 'import type { Y } from "../ports/records.ts";')).toEqual([]);
  });
});
