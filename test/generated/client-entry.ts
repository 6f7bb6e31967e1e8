/** The module that `sheaf/client` names: it exports what the client's main file does, from the sources or the build. */
import * as client from "../../client/index.ts";
import { WRITTEN_BY } from "./written-by.ts";

export const CLIENT_ENTRY = "client/index.mjs";
/** Biome's. */
const LINE_WIDTH = 120;

/** A list that fits on a line stands on it. */
function listed(names: readonly string[]): string {
  const short = `export const { ${names.join(", ")} } = client;`;
  return short.length <= LINE_WIDTH
    ? short
    : `export const {\n${names.map((name) => `  ${name},\n`).join("")}} = client;`;
}

/** @param names of the values that the client's main file exports; types have none in JavaScript */
export function clientEntry(names = Object.keys(client).sort()): Map<string, string> {
  const text = `/**
 * The typed client for \`sheaf/client\`: TypeScript in the repository, JavaScript in the package, where Node.js runs no
 * TypeScript. ${WRITTEN_BY}
 */
import { existsSync } from "node:fs";

const source = new URL("./index.ts", import.meta.url);
const client = await import(existsSync(source) ? source.href : "../dist/client/index.js");

${listed(names)}
`;
  return new Map([[CLIENT_ENTRY, text]]);
}
