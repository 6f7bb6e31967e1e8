/** Pipelines that grow along their dimensions: nodes, conditions, references, templates, schemas. */
import { SCHEMAS } from "./schemas.ts";
import { type Growing, inside, long, nested, repeated } from "./texts.ts";

const END = '{"id":"end","type":"final","output":"$nodes.a.result"}';
/** A pipeline around nodes. */
const nodes = (grown: Growing, others = ""): Growing => inside(`{"nodes":[${END},${others}`, grown, "]}");
const node = (grown: Growing, type = "extract"): Growing => nodes(inside(`{"id":"a","type":"${type}",`, grown, "}"));
const when = (grown: Growing): Growing => nodes(inside('{"id":"a","type":"extract","when":', grown, "}"));
const output = (grown: Growing): Growing =>
  inside('{"nodes":[{"id":"a","type":"extract"},{"id":"end","type":"final","output":', grown, "}]}");
const eq = (at: number): string => `{"eq":["$document.mimeType","v${at}"]}`;
/** Lists of conditions have at most 200 parts. */
const parts = (unit: (at: number) => string): string =>
  `{"and":[${Array.from({ length: 200 }, (_, at) => unit(at)).join(",")}]}`;
const formula = (expression: string): string => JSON.stringify(expression);

const CONDITIONS: Readonly<Record<string, Growing>> = {
  conditions: when(repeated(() => parts(eq), '{"and":[', "]}")),
  "conditions of many paths": when(
    repeated((at) => parts((own) => `{"exists":"$.metadata.m${at}_${own}"}`), '{"or":[', "]}"),
  ),
  "conditions, all wrong": when(repeated(() => parts(() => "{}"), '{"or":[', "]}")),
  "depth of conditions": when(nested('{"not":', eq(0), "}")),
  "depth of conditions, within the limit": when(
    repeated(() => parts((at) => nested('{"not":', eq(at), "}", 12)(1_000)), '{"and":[', "]}"),
  ),
  "parts of a condition": when(repeated(eq, '{"and":[', "]}")),
  "length of a literal": when(long("a", '{"eq":["$document.guid","', '"]}')),
  "members of a literal": when(repeated((at) => `"m${at}":0`, '{"eq":["$document.guid",{', "}]}")),
  "depth of a literal": when(nested("[", "0", "]", 190)),
  "steps of paths": when(
    repeated(() => parts(() => `{"exists":"$nodes.x.result${".a".repeat(480)}"}`), '{"or":[', "]}"),
  ),
};

const TEMPLATES: Readonly<Record<string, Growing>> = {
  "members of an output": output(repeated((at) => `"m${at}":0`, "{", "}")),
  "references of an output": output(repeated((at) => `"m${at}":"$nodes.a.result.x"`, "{", "}")),
  "wrong references of an output": output(repeated(() => '"$x"', "[", "]")),
  "wrong references below a long name": (size) =>
    output(
      inside(
        `{"${"n".repeat(size / 2)}":`,
        repeated(() => '"$x"', "[", "]"),
        "}",
      ),
    )(size),
  "unknown nodes": output(repeated((at) => `"$nodes.n${at}.result"`, "[", "]")),
  "ids that stay texts": output(repeated(() => '"a"', '{"m":[', "]}")),
  "depth of an output": output(nested("[", "0", "]")),
  "depth of an output, within the limit": output(repeated(() => nested("[", "0", "]", 28)(100), "[", "]")),
  "slots of a text": node(
    repeated(() => "{{$document.guid}}", '"transform":"template","config":{"text":"', '"}', " "),
    "transform",
  ),
  "open slots of a text": node(long("{{", '"transform":"template","config":{"text":"', '"}'), "transform"),
  "unknown slots of a text": node(
    repeated((at) => `{{$nodes.n${at}.result}}`, '"transform":"template","config":{"text":"', '"}', " "),
    "transform",
  ),
};

const GRAPHS: Readonly<Record<string, Growing>> = {
  nodes: nodes(repeated((at) => `{"id":"n${at}","type":"extract"}`)),
  "nodes of a hundred": (size) =>
    nodes(repeated((at) => `{"id":"n${at}","type":"extract","prompt":"${"p".repeat(Math.min(99_000, size / 100))}"}`))(
      size,
    ),
  "dependencies of a hundred nodes": () =>
    `{"nodes":[${Array.from({ length: 98 }, (_, at) => {
      const before = Array.from({ length: at }, (_one, other) => `"n${other}"`).join(",");
      return `{"id":"n${at}","type":"extract","dependsOn":[${before}]}`;
    }).join(",")},{"id":"end","type":"final","output":"$nodes.n97.result"}]}`,
  "crossed dependencies": () =>
    `{"nodes":[${Array.from({ length: 98 }, (_, at) => {
      const before = [at - 7, at - 11, at - 13].filter((one) => one >= 0).map((one) => `"n${one}"`);
      return `{"id":"n${at}","type":"extract","dependsOn":[${before.join(",")}]}`;
    }).join(",")},{"id":"end","type":"final","output":"$nodes.n97.result"}]}`,
  "dependencies of one node": node(repeated((at) => `"n${at}"`, '"dependsOn":[', "]")),
  "unknown members": node(repeated((at) => `"m${at}":0`)),
  "length of an unknown member": node(long("m", '"', '":0')),
  inputs: (size) =>
    inside(
      `{"nodes":[${END},{"id":"a","type":"extract"}],"inputs":{`,
      repeated((at) => `"m${at}":0`),
      "}}",
    )(size),
  "length of the names of inputs": (size) =>
    inside(
      `{"nodes":[${END}],"inputs":{`,
      repeated((at) => `"${"n".repeat(size / 50)}${at}":{"kind":"x"}`),
      "}}",
    )(size),
  finals: inside(
    `{"nodes":[${END}],"finals":[`,
    repeated(() => '"end"'),
    "]}",
  ),
  "resources with tools": (size) => {
    const tools = Array.from({ length: 20 }, () => '{"type":"KNOWLEDGE_BASE_SEARCH","resource":"r"}').join(",");
    const users = Array.from({ length: 10 }, (_, at) => `{"id":"t${at}","type":"extract","tools":[${tools}]}`).join(
      ",",
    );
    return inside(
      `{"nodes":[${END},{"id":"a","type":"extract"},${users}],"resources":[{"id":"r","caseId":1,`,
      repeated((at) => `"m${at}":0`),
      "}]}",
    )(size);
  },
  buckets: node(
    repeated((at) => `{"name":"b${at}","min":${at}}`, '"validator":"bucket","input":"$document.guid","buckets":[', "]"),
    "validate",
  ),
  "ranges of pages": node(
    repeated(() => "1-9999", '"operation":"image-select","config":{"prompt":"p","pageRange":"', '"}'),
    "operation",
  ),
  "lists of lists of pages": node(
    inside('"operation":"image-select","config":{"prompt":"p","pageRange":[', nested("[", "1", "]", 150), "]}"),
    "operation",
  ),
  "rows of a lookup": node(
    repeated((at) => `"m${at}":0`, '"transform":"lookup","input":"$document.guid","config":{"table":{', "}}"),
    "transform",
  ),
  formulas: node(
    repeated(
      (at) => `"f${at}":${formula(`{f${at + 1}}`)}`,
      '"transform":"calculate","input":"$ocr","config":{"formulas":{',
      "}}",
    ),
    "transform",
  ),
  "schemas of a hundred nodes": (size) =>
    nodes(
      repeated(
        (at) => `{"id":"n${at}","type":"extract","schema":${SCHEMAS.properties?.(Math.max(50, size / 95)) ?? "{}"}}`,
      ),
    )(size),
  "schemas of a hundred nodes with patterns": (size) =>
    nodes(
      repeated(
        (at) => `{"id":"n${at}","type":"extract","schema":${SCHEMAS.patterns?.(Math.max(60, size / 95)) ?? "{}"}}`,
      ),
    )(size),
};

/** Pipelines by dimension. */
export const PIPELINES: Readonly<Record<string, Growing>> = {
  ...CONDITIONS,
  ...TEMPLATES,
  ...GRAPHS,
  ...Object.fromEntries(
    Object.entries(SCHEMAS).map(([dimension, grown]) => [`schema: ${dimension}`, node(inside('"schema":', grown, ""))]),
  ),
};
