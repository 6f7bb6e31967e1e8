/** A client of the API that validates every answer against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { expect } from "vitest";

/** The types of body that fetch accepts. */
export type Body = NonNullable<RequestInit["body"]>;

type JsonObject = Record<string, unknown>;

interface ResponseObject {
  $ref?: string;
  content?: Record<string, { schema?: JsonObject }>;
}

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>>;
  components: { schemas: Record<string, JsonObject>; responses: Record<string, ResponseObject> };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
  /** Parsed JSON, of any shape. */
  json: ReturnType<typeof JSON.parse>;
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Compiles the schemas of one document's answers, and validates answers. */
export class AnswerChecker {
  readonly #document: OpenApi;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();
  checked = 0;

  constructor(document: unknown) {
    this.#document = document as OpenApi;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(this.#ajv);
    this.#ajv.addSchema({ $id: "openapi", components: this.#document.components });
  }

  /** The route that a path belongs to. */
  #template(method: string, path: string): string | undefined {
    const segments = path.split("/");
    const fits = Object.keys(this.#document.paths)
      .filter((template) => this.#document.paths[template]?.[method.toLowerCase()] !== undefined)
      .filter((template) => {
        const parts = template.split("/");
        return (
          parts.length === segments.length &&
          parts.every((part, index) => part.startsWith("{") || part === segments[index])
        );
      });
    return fits.sort((a, b) => a.split("{").length - b.split("{").length)[0];
  }

  check(method: string, path: string, answer: Answer): void {
    this.checked += 1;
    expect(answer.headers.get("x-request-id"), "every answer names its request").toBeTruthy();
    const template = this.#template(method, path);
    if (template === undefined) {
      expect([404, 405], `${method} ${path} is not in the document`).toContain(answer.status);
      return;
    }
    const name = `${method} ${template} ${answer.status}`;
    const response = this.#response(template, method, String(answer.status));
    if (response === undefined) throw new Error(`${name} is not documented: ${answer.text.slice(0, 300)}`);
    if (answer.status === 204) return;
    const type = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
    const content = response.content?.[type];
    if (content === undefined) throw new Error(`${name} does not document ${type}`);
    if (type !== "application/json" || content.schema === undefined) return;
    const validate = this.#compile(`${name} ${type}`, content.schema);
    if (!validate(answer.json)) {
      throw new Error(
        `${name} does not fit its schema: ${this.#ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 600)}`,
      );
    }
  }

  #response(template: string, method: string, status: string): ResponseObject | undefined {
    const response = this.#document.paths[template]?.[method.toLowerCase()]?.responses[status];
    const shared = response?.$ref?.replace("#/components/responses/", "");
    return shared === undefined ? response : this.#document.components.responses[shared];
  }

  #compile(name: string, schema: JsonObject): ValidateFunction {
    let validate = this.#compiled.get(name);
    if (validate === undefined) {
      const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'));
      validate = this.#ajv.compile(rooted);
      this.#compiled.set(name, validate);
    }
    return validate;
  }
}

export interface CallOptions {
  /** True for an answer that the document does not have. */
  undocumented?: boolean;
  key?: string | null;
  json?: unknown;
  body?: Body;
  headers?: Record<string, string>;
}

/** Calls one service, with one key by default. */
export class Api {
  readonly url: string;
  readonly key: string;
  readonly checker: AnswerChecker;

  constructor(url: string, key: string, checker: AnswerChecker) {
    this.url = url;
    this.key = key;
    this.checker = checker;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers };
    const key = options.key === undefined ? this.key : options.key;
    if (key !== null) headers.authorization = `Bearer ${key}`;
    let body = options.body;
    if (options.json !== undefined) {
      headers["content-type"] = "application/json";
      body = JSON.stringify(options.json);
    }
    const response = await fetch(this.url + path, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = Buffer.from(bytes).toString("utf8");
    const json =
      /^application\/json(;|$)/.test(response.headers.get("content-type") ?? "") && text !== ""
        ? JSON.parse(text)
        : undefined;
    const answer: Answer = { status: response.status, headers: response.headers, text, bytes, json };
    if (options.undocumented !== true) this.checker.check(method, path.split("?")[0] ?? path, answer);
    return answer;
  }

  get = (path: string, options?: CallOptions) => this.call("GET", path, options);
  post = (path: string, options?: CallOptions) => this.call("POST", path, options);
  delete = (path: string, options?: CallOptions) => this.call("DELETE", path, options);

  /** Uploads a document and returns its GUID. */
  async upload(bytes: Uint8Array | string, file: { name?: string; type?: string } = {}): Promise<string> {
    const answer = await this.post("/document/upload", { body: form(bytes, file) });
    expect(answer.status, answer.text).toBe(201);
    return answer.json.guid;
  }

  /** Waits for the end of a job's open run. */
  async ended(guid: string): Promise<Answer["json"]> {
    for (let round = 0; round < 8; round++) {
      const { json } = await this.get(`/job/status/${guid}?waitSeconds=10`);
      if (!["PENDING", "PROCESSING"].includes(json.status)) return json;
    }
    throw new Error(`Job ${guid} did not end`);
  }

  /** Uploads, processes and waits. */
  async processed(
    bytes: Uint8Array | string,
    command: unknown,
    file: { name?: string; type?: string } = {},
  ): Promise<Answer["json"]> {
    const guid = await this.upload(bytes, file);
    const answer = await this.post(`/document/process/${guid}`, { json: command });
    expect(answer.status, answer.text).toBe(200);
    return this.ended(guid);
  }
}

/** A multipart body with the part `document` and further text parts. */
export function form(
  bytes: Uint8Array | string,
  file: { name?: string; type?: string } = {},
  texts: Record<string, string> = {},
): FormData {
  const body = new FormData();
  const part = new Blob(
    [typeof bytes === "string" ? bytes : Buffer.from(bytes)],
    file.type === undefined ? {} : { type: file.type },
  );
  body.append("document", part, file.name ?? "omitted");
  for (const [name, text] of Object.entries(texts)) body.append(name, text);
  return body;
}
