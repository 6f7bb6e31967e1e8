/** Faults of the list of requirements: against the tests, against the service's own routes, against the contract. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../../functions/api/http/openapi.ts";
import { ROUTES } from "../../functions/api/routes.ts";
import { ROOT } from "../support/doc-pages.ts";
import { readContract } from "./contract.ts";
import type { Requirement } from "./requirements.ts";
import { readTestTitles, type TestTitle } from "./test-titles.ts";

/** The file of a reference: `e2e/jobs` is e2e/jobs.test.ts, `e2e/model.suite.ts` itself. */
const fileOf = (reference: string): string => {
  const name = reference.split(" > ")[0] ?? "";
  return join(ROOT, "test", name.endsWith(".ts") ? name : `${name}.test.ts`);
};
const titleOf = (reference: string): string => reference.slice(reference.indexOf(" > ") + 3);

/** Requirements without a test, and references to tests that do not exist or are switched off. */
export function faultsOfTests(
  requirements: readonly Requirement[],
  read: (files: readonly string[]) => ReadonlyMap<string, readonly TestTitle[]> = readTestTitles,
): string[] {
  const references = [...new Set(requirements.flatMap(({ tests }) => tests))];
  const files = [...new Set(references.map(fileOf))].filter((file) => existsSync(file));
  const titles = read(files);
  const bare = requirements
    .filter(({ tests, notBuilt }) => tests.length === 0 && notBuilt === undefined)
    .map(({ kind, name }) => `${kind} ${name}: no test`);
  const wrong = references.flatMap((reference) => {
    const found = titles.get(fileOf(reference))?.filter(({ title }) => title === titleOf(reference)) ?? [];
    if (found.length === 0) return [`There is no test ${reference}`];
    return found.every(({ skipped }) => skipped) ? [`The test is switched off: ${reference}`] : [];
  });
  return [...bare, ...wrong];
}

/** The same requirement twice. */
export function doubles(requirements: readonly Requirement[]): string[] {
  const names = requirements.map(({ chapter, section, kind, name }) => `${chapter}, ${section}: ${kind} ${name}`);
  return names.filter((name, at) => names.indexOf(name) !== at);
}

/** Statuses that every route has alike: they are requirements of the interface, not of each route. */
const COMMON_STATUSES = new Set([401, 402, 403, 408, 421, 429, 431, 500, 503, 507]);

interface Operation {
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
}

/** What the service's own routes have: `kind name` of each route, own status, query parameter and member. */
export function servedNames(): string[] {
  const { paths } = openApiDocument(ROUTES, "0") as { paths: Record<string, Record<string, Operation>> };
  return ROUTES.flatMap((route) => {
    const name = `${route.method} ${route.path}`;
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    const own = route.errors.filter((status) => !COMMON_STATUSES.has(status));
    const statuses = [...Object.keys(route.replies).map(Number), ...own];
    const members = Object.values(operation?.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(schema.properties ?? {}),
    );
    const queries = (operation?.parameters ?? []).filter((one) => one.in === "query");
    return [
      `route ${name}`,
      ...[...new Set(statuses)].map((status) => `status ${name} ${status}`),
      ...queries.map((one) => `query ${name} ?${one.name}`),
      ...members.map((member) => `member ${name} ${member}`),
    ];
  });
}

/** What the service has and no requirement names, and what the requirements of built routes name and it has not. */
export function faultsOfRoutes(requirements: readonly Requirement[]): string[] {
  const served = new Set(servedNames());
  const named = new Set(requirements.map(({ kind, name }) => `${kind} ${name}`));
  const unnamed = [...served].filter((name) => !named.has(name)).map((name) => `No requirement names ${name}`);
  const gone = requirements
    .filter(({ chapter }) => chapter === "Routes")
    .map(({ kind, name }) => `${kind} ${name}`)
    .filter((name) => !served.has(name))
    .map((name) => `The service has no ${name}`);
  const there = requirements
    .filter(({ kind, name, notBuilt }) => notBuilt !== undefined && served.has(`${kind} ${name}`))
    .map(({ kind, name }) => `Named as not built, but the service has it: ${kind} ${name}`);
  return [...unnamed, ...gone, ...there];
}

/** Names of the contract that no requirement has; undefined where the contract is not at hand. */
export function faultsOfContract(requirements: readonly Requirement[]): string[] | undefined {
  const contract = readContract();
  if (contract === undefined) return undefined;
  const text = ` ${requirements.map(({ name }) => name).join(" ")} `;
  const plain = text.replaceAll(/\{\w+\}/g, "{}");
  const words = new Set(text.split(/[^\w$.-]+|\.(?=\s)/).flatMap((word) => [word, ...word.split(/[.$]+/)]));
  return [
    ...contract.routes.filter((route) => !plain.includes(` ${route} `)).map((route) => `route ${route}`),
    ...contract.statuses.filter((status) => !words.has(status)).map((status) => `status ${status}`),
    ...contract.words.filter((word) => !words.has(word)).map((word) => `option ${word}`),
  ];
}
