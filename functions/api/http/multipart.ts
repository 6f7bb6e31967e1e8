/** Reads multipart uploads with a streaming parser and hard limits. */
import type { Hash } from "node:crypto";
import {
  MaxFileSizeExceededError,
  MaxPartsExceededError,
  MultipartParser,
  type MultipartPart,
} from "@remix-run/multipart-parser";
import { BadRequest, PayloadTooLarge, UnprocessableEntity } from "../../ports/errors.ts";
import { MAX_PASSWORD_CHARACTERS } from "../../service/runs/run-password.ts";
import { MAX_JSON_BYTES, partTooLarge, tooLarge } from "./body-limit.ts";

export interface FilePart {
  bytes: Uint8Array;
  /** Undefined when the client sends no name or `omitted`. */
  fileName: string | undefined;
  /** The file name as the client sent it, directories included. */
  sentName: string | undefined;
  /** Undefined when the part declares no type, an empty one, or application/octet-stream. */
  mimeType: string | undefined;
}

const isAbsent = (text: string): boolean => text.trim() === "" || text === "None";

/** All parts by name. A part that is read comes once: a second one would be lost in silence. */
export class Multipart {
  readonly #parts: Map<string, FilePart[]>;

  constructor(parts: Map<string, FilePart[]> = new Map()) {
    this.#parts = parts;
  }

  /**
   * The part `document`; it is a file whatever its headers say.
   * @throws BadRequest when it is missing or repeated; UnprocessableEntity when it is empty
   */
  document(): FilePart {
    const part = this.#find("document");
    if (part === undefined)
      throw new BadRequest("Send the document as the part 'document' of a multipart/form-data body");
    if (part.bytes.length === 0) throw new UnprocessableEntity("The part 'document' is empty");
    return part;
  }

  /** All parts of this name. */
  files(name: string): readonly FilePart[] {
    return this.#parts.get(name) ?? [];
  }

  isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  /** Hashes the parts independently of boundary and order. */
  hashInto(hash: Hash): void {
    for (const [name, parts] of [...this.#parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const { bytes, fileName, mimeType } of parts) {
        hash.update(JSON.stringify([name, fileName ?? null, mimeType ?? null, bytes.length]));
        hash.update(bytes);
      }
    }
  }

  /**
   * A text part, sent as a field or as a file. Blank texts and the text `None` are absent.
   * @throws BadRequest when it is repeated
   */
  text(name: string): string | undefined {
    const part = this.#find(name);
    const text = part && Buffer.from(part.bytes).toString("utf8");
    return text === undefined || isAbsent(text) ? undefined : text;
  }

  /** All text parts but the named ones, as `text` reads them; parts of one name are a list. */
  texts(except: ReadonlySet<string>): Record<string, string | string[]> {
    const found = [...this.#parts].flatMap(([name, parts]): [string, string | string[]][] => {
      const texts = except.has(name) ? [] : parts.map(({ bytes }) => Buffer.from(bytes).toString("utf8"));
      const [first, ...others] = texts.filter((text) => !isAbsent(text));
      return first === undefined ? [] : [[name, others.length === 0 ? first : [first, ...others]]];
    });
    return Object.fromEntries(found);
  }

  /**
   * The part `password` as a member; empty, or the text `None`, it is absent, but blanks may be meant.
   * @throws BadRequest when it is repeated or too long
   */
  password(): { password?: string } {
    const part = this.#find("password");
    const password = Buffer.from(part?.bytes ?? []).toString("utf8");
    if (password.length > MAX_PASSWORD_CHARACTERS) {
      const message = `must be at most ${MAX_PASSWORD_CHARACTERS.toLocaleString("en-US")} characters`;
      throw new BadRequest(`Invalid body: password ${message}`, { errors: [{ path: "/password", message }] });
    }
    return password === "" || password === "None" ? {} : { password };
  }

  #find(name: string): FilePart | undefined {
    const [part, ...others] = this.#parts.get(name) ?? [];
    if (others.length === 0) return part;
    throw new BadRequest(`The part '${name}' came ${others.length + 1} times; send it once`);
  }
}

const MAX_PARTS = 100;
/** Large enough that the parser seldom copies, small enough to refuse early. */
const CHUNK_BYTES = 256 * 1024;

/**
 * @param contentType the request's, with the boundary
 * @param fileParts parts that are files, whatever their headers say; others are texts, which are shorter
 * @throws BadRequest unless it is complete multipart/form-data; PayloadTooLarge for a document over the limit
 */
export function parseMultipart(
  contentType: string | undefined,
  body: Uint8Array,
  maxDocumentBytes: number,
  fileParts: ReadonlySet<string> = new Set(["document"]),
): Multipart {
  const parser = new MultipartParser(boundaryOf(contentType), { maxFileSize: maxDocumentBytes, maxParts: MAX_PARTS });
  const parts = new Map<string, FilePart[]>();
  try {
    for (let start = 0; start < body.length; start += CHUNK_BYTES) {
      for (const part of parser.write(body.subarray(start, start + CHUNK_BYTES))) addPart(parts, part, fileParts);
    }
    parser.finish();
  } catch (error) {
    if (error instanceof PayloadTooLarge) throw error;
    if (error instanceof MaxFileSizeExceededError) throw tooLarge(maxDocumentBytes);
    if (error instanceof MaxPartsExceededError) throw new BadRequest(`A request has at most ${MAX_PARTS} parts`);
    throw new BadRequest("The multipart body is malformed or cut off");
  }
  return new Multipart(parts);
}

/** RFC 2046: 1 to 70 characters, perhaps quoted. */
function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType ?? "");
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) {
    throw new BadRequest("Send a multipart/form-data body with the file as its part 'document'");
  }
  return boundary;
}

function addPart(parts: Map<string, FilePart[]>, part: MultipartPart, fileParts: ReadonlySet<string>): void {
  const { name } = part;
  if (name === undefined) return;
  if (!fileParts.has(name) && part.size > MAX_JSON_BYTES) throw partTooLarge();
  const read: FilePart = {
    bytes: part.bytes,
    fileName: fileNameOf(part.filename),
    sentName: part.filename === undefined ? undefined : unescapeName(part.filename),
    mimeType: typeOf(part.headers["content-type"]),
  };
  const same = parts.get(name);
  if (same) same.push(read);
  else parts.set(name, [read]);
}

/** Signs that clients escape in file names (HTML, "multipart/form-data encoding algorithm"). */
const unescapeName = (name: string): string =>
  name.replaceAll(/%22|%0D|%0A/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)));

/** The last segment of a file name; directories are dropped. */
export function fileNameOf(name: string | undefined): string | undefined {
  const last = name?.replaceAll("%22", '"').split(/[/\\]/).at(-1);
  return last === undefined || last === "" || last === "omitted" ? undefined : last.slice(0, 255);
}

function typeOf(type: string | undefined): string | undefined {
  const plain = type?.split(";")[0]?.trim().toLowerCase();
  return plain === undefined || plain === "" || plain === "application/octet-stream" ? undefined : plain;
}
