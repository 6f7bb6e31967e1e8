import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../functions/api/http/openapi.ts";
import { ROUTES } from "../../../functions/api/routes.ts";

type Parsed = ReturnType<typeof JSON.parse>;
const document: Parsed = JSON.parse(JSON.stringify(openApiDocument(ROUTES, "1.2.3")));

const operations: [string, Parsed][] = Object.entries<Parsed>(document.paths).flatMap(([path, item]) =>
  Object.entries<Parsed>(item).map(([method, operation]): [string, Parsed] => [`${method} ${path}`, operation]),
);

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1 by an independent validator", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toBe("3.1.0");
  });

  it("contains every route of the table and nothing else", () => {
    expect(operations.map(([name]) => name).sort()).toEqual(
      ROUTES.map((route) => `${route.method.toLowerCase()} ${route.path}`).sort(),
    );
    const ids = operations.map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(operations)("%s names its path's parameters, its scope and its errors", (name, operation) => {
    const placeholders = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const inPath = operation.parameters.filter((one: Parsed) => one.in === "path").map((one: Parsed) => one.name);
    expect(inPath).toEqual(placeholders);
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.some((status) => status < 300)).toBe(true);
    expect(statuses).toContain(500);
    if (operation.security.length > 0) {
      expect(statuses).toEqual(expect.arrayContaining([401, 403]));
      expect(["read", "write", "billing", "admin"]).toContain(operation["x-scope"]);
    }
  });

  it("links answers that make something to the calls that go on with it", () => {
    const parametersOf = new Map(
      operations.map(([, { operationId, parameters }]) => [
        operationId,
        parameters.filter((one: Parsed) => one.in === "path").map((one: Parsed) => one.name),
      ]),
    );
    for (const [name, link] of Object.entries<Parsed>(document.components.links)) {
      expect(Object.keys(link.parameters), name).toEqual(parametersOf.get(link.operationId));
    }
    const linked = (path: string, status: number) => Object.keys(document.paths[path].post.responses[status].links);
    for (const id of ["getJobStatusGuid", "getJobResultGuidJson", "getJobImageGuidPageIndex", "deleteJobGuid"]) {
      expect(linked("/document/upload", 201)).toContain(id);
      expect(linked("/operation", 200)).toContain(id);
    }
    expect(linked("/document/process/{guid}", 200)).toContain("postJobGuidCancel");
    expect(linked("/document/batch", 200)).toContain("postDocumentBatchGuidProcess");
    expect(linked("/configuration/{name}", 201).sort()).toEqual([
      "deleteConfigurationName",
      "getConfigurationName",
      "getConfigurationNameDiff",
      "getConfigurationNameRevisions",
      "getConfigurationNameRevisionsN",
      "postConfigurationName",
      "postConfigurationNameRevisionsNRestore",
    ]);
  });

  it("describes every parameter, and every member of requests and answers", () => {
    const undescribed: string[] = [];
    let members = 0;
    const walk = (value: Parsed, where: string): void => {
      if (value === null || typeof value !== "object") return;
      for (const [name, inner] of Object.entries<Parsed>(value)) {
        if (name !== "properties" || Array.isArray(value)) walk(inner, `${where}/${name}`);
        else for (const [member, schema] of Object.entries<Parsed>(inner)) look(member, schema, where);
      }
    };
    const look = (member: string, schema: Parsed, where: string): void => {
      members += 1;
      const inner = [schema, ...(schema.anyOf ?? [])].some((one: Parsed) => "description" in one || "$ref" in one);
      if (!inner) undescribed.push(`${where}: ${member}`);
      walk(schema, `${where}.${member}`);
    };
    for (const [name, operation] of operations) {
      for (const parameter of operation.parameters) look(parameter.name, parameter, name);
      walk(operation.requestBody?.content, name);
      for (const response of Object.values<Parsed>(operation.responses)) walk(response.content, name);
    }
    walk(document.components.schemas, "components");
    expect(undescribed).toEqual([]);
    expect(members).toBeGreaterThan(1_000);
  });

  it("has no dangling reference", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(
      (match) => match[1]?.split("/") ?? [],
    );
    expect(new Set(references.map(([room]) => room))).toEqual(new Set(["schemas", "responses", "headers", "links"]));
    for (const path of references) expect(document.components).toHaveProperty(path);
  });

  it("gives examples that match its own schemas", () => {
    const ajv = new Ajv2020({ strict: false });
    let checked = 0;
    for (const [name, operation] of operations) {
      const content = operation.requestBody?.content?.["application/json"];
      for (const [label, example] of Object.entries<Parsed>(content?.examples ?? {})) {
        expect(ajv.validate(content.schema, example.value), `${name} ${label}: ${ajv.errorsText()}`).toBe(true);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThanOrEqual(3);
  });

  it("allows null for members that may be absent, at any depth, and for no required one", () => {
    const schemaFor = (path: string) => document.paths[path].post.requestBody.content["application/json"].schema;
    const ajv = new Ajv2020({ strict: false });
    const process = ajv.compile(schemaFor("/document/process/{guid}"));
    expect(process({ schema: null, mapReduce: { enabled: true, pagesPerChunk: null, header: { prompt: null } } })).toBe(
      true,
    );
    const start = ajv.compile(schemaFor("/operation"));
    expect(start({ jobGuid: "a", type: "error-analysis", parameters: null })).toBe(true);
    expect([start({ jobGuid: null, type: "x" }), start({ jobGuid: "a", type: null })]).toEqual([false, false]);
  });

  it("names what each operation needs, and nothing that it refuses", () => {
    const { schema } = document.paths["/operation"].post.requestBody.content["application/json"];
    const start = new Ajv2020({ strict: false }).compile(schema);
    const given = (type: string, customParameters?: unknown, more = {}) =>
      start({
        jobGuid: "a",
        type,
        ...more,
        ...(customParameters === undefined ? {} : { parameters: { customParameters } }),
      });
    expect(given("Error_Analysis")).toBe(true);
    expect(given("image-select", { prompt: "plan", topK: null, page_range: "1-3" })).toBe(true);
    expect(given("error-analysis", {}, { batchIndex: null })).toBe(true);
    expect(given("image-select")).toBe(false);
    expect(given("image-select", { topK: 3 })).toBe(false);
    expect(given("generative-task", { prompt: " " })).toBe(false);
    expect(given("generative-task", { prompt: "Sum up", maxTokens: "63" })).toBe(false);
    expect(given("error-analysis", { confidence_threshold: 2 })).toBe(false);
    expect(given("translate")).toBe(false);
  });

  it("has the same bounds for a generative task's members as the operation", () => {
    const path = "/operation/{parentJobId}/generative-task";
    const task = new Ajv2020({ strict: false }).compile(
      document.paths[path].post.requestBody.content["application/json"].schema,
    );
    expect(task({ prompt: "Sum up", maxTokens: "64", temperature: "1.5" })).toBe(true);
    expect(task({ prompt: "Sum up", maxTokens: null })).toBe(true);
    expect([{}, { prompt: null }, { prompt: "\t" }].map((one) => task(one))).toEqual([false, false, false]);
    expect(task({ prompt: "Sum up", maxTokens: "32001" })).toBe(false);
    expect(task({ prompt: "Sum up", temperature: "2.1" })).toBe(false);
  });

  it("has a pipeline with its mode and without map-reduce, unless a saved configuration says more", () => {
    const ajv = new Ajv2020({ strict: false });
    const of = (path: string) => ajv.compile(document.paths[path].post.requestBody.content["application/json"].schema);
    const [process, save] = [of("/document/process/{guid}"), of("/configuration/{name}")];
    const pipeline = { version: "1", nodes: [] };
    const good = [
      {},
      { extractionMode: "steps" },
      { extractionMode: null, pipeline: null, mapReduce: { enabled: true } },
      { pipeline, extractionMode: null },
      { pipeline, extractionMode: "Pipeline", mapReduce: { enabled: false } },
    ];
    const bad = [
      { pipeline, extractionMode: "OCR" },
      { pipeline, mapReduce: { enabled: true } },
      { pipeline: [] },
      { extractionMode: "PIPELINE" },
      { extractionMode: "PIPELINE", pipeline: null },
      { extractionMode: "PIPELINE", configuration: " " },
    ];
    for (const one of good) expect([process(one), save(one)], JSON.stringify(one)).toEqual([true, true]);
    for (const one of bad) expect([process(one), save(one)], JSON.stringify(one)).toEqual([false, false]);
    const named = { extractionMode: "PIPELINE", configuration: "pipelines" };
    expect([process(named), save(named)]).toEqual([true, false]);
  });

  it("has no members that a call refuses whatever they say", () => {
    const ajv = new Ajv2020({ strict: false });
    const of = (path: string) => ajv.compile(document.paths[path].post.requestBody.content["application/json"].schema);
    const names = ["/document/process/{guid}", "/document/ocr/{guid}", "/configuration/{name}"];
    const [process, ocr, save] = [of(names[0] ?? ""), of(names[1] ?? ""), of(names[2] ?? "")];
    for (const name of ["excelTemplate", "lookupFile"]) {
      expect([process, ocr, save].map((takes) => takes({ [name]: "a" }))).toEqual([false, false, false]);
      expect([process, ocr, save].map((takes) => takes({ [name]: null }))).toEqual([true, true, true]);
    }
    const rows: [object, boolean][] = [
      [{ configuration: null, password: null }, true],
      [{ configuration: " " }, true],
      [{ configuration: "other" }, false],
      [{ password: "secret" }, false],
    ];
    for (const [command, fits] of rows) expect([process(command), save(command)]).toEqual([true, fits]);
  });

  it("describes the parts of a layout as the service takes them", () => {
    const { parameters } = document.paths["/job/result/{guid}/layout"].get;
    const { pattern } = parameters.find(({ name }: Parsed) => name === "include").schema;
    expect(["words", "Lines, tables", "words,pages", ""].map((text) => new RegExp(pattern).test(text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("describes no body of an answer that has none", () => {
    const empty = operations.flatMap(([, { responses }]) => responses["204"] ?? []);
    expect(empty.length).toBeGreaterThan(2);
    expect(empty.filter((one: Parsed) => one.content !== undefined)).toEqual([]);
  });

  it("accepts enumeration values in any case", () => {
    const schema = document.paths["/document/process/{guid}"].post.requestBody.content["application/json"].schema;
    const { pattern } = schema.properties.ocr;
    expect(new RegExp(pattern).test("Premium")).toBe(true);
    expect(new RegExp(pattern).test("BEST")).toBe(false);
  });
});
