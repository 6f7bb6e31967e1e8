/** The committed OpenAPI document. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../../functions/api/http/openapi.ts";
import { ROUTES } from "../../functions/api/routes.ts";
import { ROOT } from "../support/import-graph.ts";

/** Where it lies, from the root. */
export const OPENAPI_FILE = "docs/openapi.json";

/** The document of a deployment with its limits at their defaults, and the service's version, with a final line end. */
export function openApiFile(): Map<string, string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  return new Map([[OPENAPI_FILE, `${JSON.stringify(openApiDocument(ROUTES, version), null, 2)}\n`]]);
}
