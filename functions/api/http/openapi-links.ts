/** Links of the OpenAPI document: from a call that makes or starts something to the calls that go on with it. */
import type { MadeResource, Route } from "./route.ts";

type JsonObject = Record<string, unknown>;

interface Target {
  /** The place in the answer that names the made resource. */
  from: string;
  /** The path parameters that take it. */
  parameters: readonly string[];
  /** Other path parameters that the answer names too. */
  also?: Readonly<Record<string, string>>;
  goesOn(path: string): boolean;
}

const isOfBatches = (path: string): boolean => path.startsWith("/document/batch/");
const GUIDS = ["guid", "jobGuid", "parentJobId"];

const TARGETS: Readonly<Record<MadeResource, Target>> = {
  job: { from: "$response.body#/guid", parameters: GUIDS, goesOn: (path) => !isOfBatches(path) },
  batch: {
    from: "$response.body#/guid",
    parameters: GUIDS,
    goesOn: (path) => isOfBatches(path) || path.startsWith("/job/"),
  },
  operation: { from: "$response.body#/jobGuid", parameters: ["guid"], goesOn: (path) => path.startsWith("/job/") },
  configuration: {
    from: "$response.body#/name",
    parameters: ["name"],
    goesOn: (path) => path.startsWith("/configuration/"),
  },
  template: {
    from: "$request.path.name",
    parameters: ["name"],
    goesOn: (path) => path.startsWith("/template/"),
  },
  case: { from: "$response.body#/id", parameters: ["caseId"], goesOn: (path) => path.startsWith("/cases/") },
  caseDocument: {
    from: "$response.body#/documentId",
    parameters: ["documentId"],
    also: { caseId: "$response.body#/caseId" },
    // A summary is there once the document is read.
    goesOn: (path) => path.startsWith("/cases/") && !path.endsWith("/summary"),
  },
};

/** Values of a link's other path parameters: a call that needs another one has no link. */
const CONSTANTS: Readonly<Record<string, string>> = { pageIndex: "0", n: "1", type: "error-analysis" };

const nameOf = (made: MadeResource, operationId: string): string => `${made}-${operationId}`;

function linkTo(made: MadeResource, route: Route, operationId: string): JsonObject | undefined {
  const { from, parameters, also = {}, goesOn } = TARGETS[made];
  const needed = Object.keys(route.params.shape);
  const taking = needed.filter((name) => parameters.includes(name));
  if (taking.length === 0 || !goesOn(route.path)) return undefined;
  const valueFor = (name: string): string | undefined =>
    taking.includes(name) ? from : (also[name] ?? CONSTANTS[name]);
  if (needed.some((name) => valueFor(name) === undefined)) return undefined;
  return { operationId, parameters: Object.fromEntries(needed.map((name) => [name, valueFor(name)])) };
}

/** All links, by the names under which answers refer to them. */
export function linksOf(routes: readonly Route[], operationId: (route: Route) => string): Record<string, JsonObject> {
  const kinds = Object.keys(TARGETS) as MadeResource[];
  return Object.fromEntries(
    kinds.flatMap((made) =>
      routes.flatMap((route): [string, JsonObject][] => {
        const link = linkTo(made, route, operationId(route));
        return link === undefined ? [] : [[nameOf(made, operationId(route)), link]];
      }),
    ),
  );
}

/** References to the links of an answer that makes something. */
export function referencesTo(made: MadeResource, links: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = Object.keys(links).filter((name) => name.startsWith(`${made}-`));
  return Object.fromEntries(names.map((name) => [name.slice(made.length + 1), { $ref: `#/components/links/${name}` }]));
}
