/** Templates: forms that the service keeps and fills. */
import { jsonBody, parseAnswer, pathSegment } from "./answers.ts";
import { change, postWork, remove } from "./calls.ts";
import { documentPart } from "./documents.ts";
import { type Answer, type Connection, sleep } from "./http.ts";
import type { Json } from "./json.ts";
import { type FormPart, multipart } from "./multipart.ts";
import type { CallOptions, Document, UploadOptions } from "./options.ts";

/** Times are ISO 8601, UTC. */
export interface Template {
  name: string;
  createdAt: string;
  updatedAt: string;
  contenttype: string;
  organization: { name: string };
  /** Number of the newest revision. */
  revision: number;
}

export interface TemplateField {
  templateName: string;
  name: string;
  type:
    | "text"
    | "multiline"
    | "checkbox"
    | "radio"
    | "dropdown"
    | "listbox"
    | "signature"
    | "button"
    | "image"
    | "loop"
    | "condition";
  tooltip: string | null;
  flags: string[];
  value: string | string[] | null;
  defaultValue: string | string[] | null;
  options: string[];
  script: string | null;
  /** The fields of each item of a loop, named relative to the item; `.` is the item itself. */
  fields: TemplateField[];
  /** The kind of value that the format of the field asks for; null for text. */
  valueType: "number" | "date" | null;
}

export interface TemplateRevision {
  revision: number;
  createdAt: string;
  sizeBytes: number;
}

export interface RevisionOptions extends CallOptions {
  /** Default: the newest. */
  revision?: number | undefined;
}

export interface FillOptions extends RevisionOptions {
  /** Leaves values without their fields: part of a PDF's pages, text of a Word document. */
  flatten?: boolean | undefined;
  /** `error`: values that leave fields out are refused. */
  missing?: "ignore" | "error" | undefined;
  /** Passes over values that the template has no field for. */
  ignoreUnknown?: boolean | undefined;
}

export interface Filled {
  bytes: Uint8Array;
  contentType: string;
  /** Names of values that the template has no field for. */
  unknownFields: string[];
  /** True when restrictions of the template's owner are gone from the document. */
  restrictionsDropped: boolean;
}

/** Values by field name, or the job whose result has them. */
export type FillValues = { fields: { [name: string]: Json } } | { fromJob: string };

const TEMPLATE_PATH = "/template";
const DEFAULT_WAIT_SECONDS = 30;
const WAIT_INTERVAL_MS = 500;

/** Methods throw as SheafClient's do. Names: letters A to Z, digits, `.`, `_`, `-`, up to 128 characters. */
export class TemplateCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All templates, by name. */
  async list(options: CallOptions = {}): Promise<Template[]> {
    return parseAnswer(await this.#get("/list", options));
  }

  /**
   * Stores a PDF form, or a document of Word, PowerPoint or Excel with tags; `fields` has its fields. A 409 for a name in use, unless `replace`: then it is the template's next
   * revision.
   */
  async upload(
    name: string,
    document: Document,
    { replace, ...options }: UploadOptions & { replace?: boolean | undefined } = {},
  ): Promise<void> {
    const body = multipart([documentPart(document, options)]);
    await postWork(this.#connection, `${TEMPLATE_PATH}/${pathSegment(name)}`, body, options, { replace });
  }

  /**
   * The fields of a template; waits while they are being detected.
   * @returns undefined when they are not known after so many seconds (default 30)
   */
  async fields(
    name: string,
    {
      timeoutSeconds = DEFAULT_WAIT_SECONDS,
      ...options
    }: RevisionOptions & { timeoutSeconds?: number | undefined } = {},
  ): Promise<TemplateField[] | undefined> {
    const until = performance.now() + timeoutSeconds * 1000;
    for (;;) {
      const answer = await this.#get(`/metadata/${pathSegment(name)}`, options);
      if (answer.status !== 202) return parseAnswer(answer);
      if (performance.now() >= until) return undefined;
      await sleep(WAIT_INTERVAL_MS, options.signal);
    }
  }

  async remove(name: string, { signal }: CallOptions = {}): Promise<void> {
    await remove(this.#connection, `${TEMPLATE_PATH}/${pathSegment(name)}`, { signal });
  }

  /**
   * Stores pictures, PNG or JPEG, for the values of a template. @param pictures by key; another one of a key takes the
   * earlier one's place @returns the path of each, for `{"_ref": path}`
   */
  async uploadImages(
    name: string,
    pictures: Readonly<Record<string, Uint8Array | Blob>>,
    { signal }: CallOptions = {},
  ): Promise<Record<string, string>> {
    const parts = Object.entries(pictures).map(
      ([key, value]): FormPart => ({ name: "images", value, fileName: key, contentType: "application/octet-stream" }),
    );
    const path = `${TEMPLATE_PATH}/${pathSegment(name)}/images`;
    return change(this.#connection, "POST", path, { signal }, multipart(parts));
  }

  /** Fills a template. */
  async fill(
    name: string,
    values: FillValues,
    { flatten, missing, ignoreUnknown, revision, signal }: FillOptions = {},
  ): Promise<Filled> {
    const answer = await this.#connection.send({
      method: "POST",
      path: `${TEMPLATE_PATH}/fill/${pathSegment(name)}`,
      query: { flatten, missing, ignoreUnknown, revision },
      body: jsonBody(values),
      computes: true,
      signal,
    });
    const unknown = answer.header("x-sheaf-unknown-fields") ?? "";
    return {
      bytes: answer.bytes,
      contentType: answer.contentType,
      unknownFields: unknown === "" ? [] : unknown.split(",").map(decodeURIComponent),
      restrictionsDropped: answer.header("x-sheaf-restrictions") === "dropped",
    };
  }

  /** A JSON Schema of the fields, for `process`, and fields that fill the template. */
  async schema(
    name: string,
    options: RevisionOptions = {},
  ): Promise<{ schema: { [member: string]: Json }; example: { [member: string]: Json } }> {
    return parseAnswer(await this.#get(`/schema/${pathSegment(name)}`, options));
  }

  /** The revisions of a template, newest first. */
  async revisions(name: string, options: CallOptions = {}): Promise<TemplateRevision[]> {
    return parseAnswer(await this.#get(`/${pathSegment(name)}/revisions`, options));
  }

  #get(path: string, { revision, signal }: RevisionOptions): Promise<Answer> {
    return this.#connection.send({ method: "GET", path: TEMPLATE_PATH + path, query: { revision }, signal });
  }
}
