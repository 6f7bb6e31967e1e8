/** Requests of the OpenAPI document, each grown along its dimensions. */
import { ANY_VALUES } from "./any-json.ts";
import { PIPELINES } from "./pipelines.ts";
import { SCHEMA_TEXTS, SCHEMAS } from "./schemas.ts";
import { type Growing, inside, long, repeated } from "./texts.ts";

export interface GrowingRequest {
  method: string;
  /** With its `{name}` parts. */
  path: string;
  dimension: string;
  /** Most bytes that the request may have. */
  limit: number;
  make(size: number): { query?: string; parameters?: Record<string, string>; body?: string; type?: string };
}

type Shown = Record<string, unknown> & { properties?: Record<string, Shown>; anyOf?: Shown[]; type?: unknown };

interface Operation {
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: Shown }[];
  requestBody?: {
    "x-max-bytes": number;
    content: Record<string, { schema: Shown; examples?: Record<string, { value: Record<string, unknown> }> }>;
  };
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

/** The server takes 16 KB of address and headers. */
const MAX_ADDRESS_CHARS = 12_000;
const BOUNDARY = "worst-request";
/** Members that hold a schema of the caller. */
const isSchemaMember = (name: string): boolean => name === "schema";
/** Texts for a place in an address. */
const ADDRESS_TEXTS: Readonly<Record<string, Growing>> = {
  length: long("a"),
  digits: long("9"),
  commas: long(","),
  blanks: long("%20"),
  slashes: long("%2F"),
  ranges: repeated(() => "1-9999"),
  pointers: repeated((at) => `/a${at}`),
  dots: long("../"),
};
/** Values by which a text member grows; other members grow by any value. */
const TEXT_DIMENSIONS = ["length of a text", "blanks", "commas", "ranges of pages", "escapes", "line feeds"];
const OTHER_DIMENSIONS = ["depth of lists", "empty lists", "members", "texts", "numbers", "members that are null"];

const dimensionsOf = (shown: Shown): string[] =>
  JSON.stringify(shown).startsWith('{"anyOf":[{"type":"string"') ? [...TEXT_DIMENSIONS, "texts"] : OTHER_DIMENSIONS;

/** An object's text with one more member, whose value grows. */
function withMember(sample: Readonly<Record<string, unknown>>, name: string, grown: Growing): Growing {
  const { [name]: _given, ...others } = sample;
  const text = JSON.stringify(others);
  return inside(`${text.slice(0, -1)}${text === "{}" ? "" : ","}${JSON.stringify(name)}:`, grown, "}");
}

/** Members that were grown before on another route, by name and schema. */
type Seen = Set<string>;

function* jsonBodies(
  schema: Shown,
  sample: Readonly<Record<string, unknown>>,
  path: string,
  seen: Seen,
): Generator<[string, Growing]> {
  for (const [dimension, grown] of Object.entries(ANY_VALUES)) {
    yield [`body, unknown member: ${dimension}`, withMember(sample, "unknown", grown)];
    yield [`body: ${dimension}`, grown];
  }
  if (path === "/pipeline/validate") {
    for (const [dimension, grown] of Object.entries(PIPELINES)) yield [`pipeline: ${dimension}`, grown];
  }
  for (const [name, shown] of Object.entries(schema.properties ?? {})) {
    const key = `${name} ${JSON.stringify(shown)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const dimension of dimensionsOf(shown)) {
      yield [`${name}: ${dimension}`, withMember(sample, name, ANY_VALUES[dimension] as Growing)];
    }
    if (name === "pipeline") {
      for (const [dimension, grown] of Object.entries(PIPELINES)) {
        if (!dimension.startsWith("schema: ")) yield [`pipeline: ${dimension}`, withMember({}, name, grown)];
      }
    }
    if (!isSchemaMember(name)) continue;
    for (const [dimension, grown] of Object.entries(SCHEMAS))
      yield [`schema: ${dimension}`, withMember({}, name, grown)];
    for (const dimension of ["properties", "depth of properties", "formulas"]) {
      yield [`schema as text: ${dimension}`, withMember({}, name, SCHEMA_TEXTS[dimension] as Growing)];
    }
  }
}

const part = (name: string, text: string, more = ""): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const DOCUMENT = part("document", "Total: 12.50 EUR", '; filename="a.txt"');
const form = (grown: Growing): Growing => inside(DOCUMENT, grown, `--${BOUNDARY}--\r\n`);

function forms(names: readonly string[]): Record<string, Growing> {
  const grown: Record<string, Growing> = {
    "document: length": (size) => `${part("document", long("a")(size), '; filename="a.txt"')}--${BOUNDARY}--\r\n`,
    "document: lines": (size) => `${part("document", long("a;b\n")(size), '; filename="a.csv"')}--${BOUNDARY}--\r\n`,
    "document: half boundaries": (size) =>
      `${part("document", long(`\r\n--${BOUNDARY.slice(0, -1)}`)(size), '; filename="a.txt"')}--${BOUNDARY}--\r\n`,
    "document: line feeds": (size) =>
      `${part("document", long("\r\n")(size), '; filename="a.txt"')}--${BOUNDARY}--\r\n`,
    parts: form(repeated((at) => part(`p${at}`, "x"), "", "", "")),
    "length of a part's name": form((size) => part(long("n")(size), "x")),
    "length of a file's name": form((size) => part("other", "x", `; filename="${long("/a")(size)}"`)),
    "headers of a part": form((size) => part("other", "x", long("\r\nX-A: b")(size))),
  };
  for (const name of names.filter((one) => one !== "document")) {
    grown[`${name}: length`] = form((size) => part(name, long("a")(size)));
    grown[`${name}: blanks`] = form((size) => part(name, long(" ")(size)));
    grown[`${name}: depth of lists`] = form((size) => part(name, (ANY_VALUES["depth of lists"] as Growing)(size)));
  }
  return grown;
}

function requestsOf(path: string, method: string, operation: Operation, seen: Seen): GrowingRequest[] {
  const found: GrowingRequest[] = [];
  const base = { method: method.toUpperCase(), path };
  for (const { name, in: place } of operation.parameters) {
    if (place === "header") continue;
    for (const [dimension, grown] of Object.entries(ADDRESS_TEXTS)) {
      const make = (size: number) =>
        place === "query" ? { query: `${name}=${grown(size)}` } : { parameters: { [name]: grown(size) } };
      found.push({ ...base, dimension: `${name}: ${dimension}`, limit: MAX_ADDRESS_CHARS, make });
    }
  }
  const { requestBody } = operation;
  const json = requestBody?.content["application/json"];
  const parts = requestBody?.content["multipart/form-data"];
  const limit = requestBody?.["x-max-bytes"] ?? 0;
  if (json !== undefined) {
    const sample = Object.values(json.examples ?? {})[0]?.value ?? {};
    for (const [dimension, grown] of jsonBodies(json.schema, sample, path, seen)) {
      found.push({ ...base, dimension, limit, make: (size) => ({ body: grown(size), type: "application/json" }) });
    }
  }
  for (const [dimension, grown] of Object.entries(
    parts === undefined ? {} : forms(Object.keys(parts.schema.properties ?? {})),
  )) {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    found.push({ ...base, dimension, limit, make: (size) => ({ body: grown(size), type }) });
  }
  return found;
}

/** All requests of the document that need a key. */
export function growingRequests({ paths }: OpenApi): GrowingRequest[] {
  const seen: Seen = new Set();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      operation.security.length === 0 ? [] : requestsOf(path, method, operation, seen),
    ),
  );
}
