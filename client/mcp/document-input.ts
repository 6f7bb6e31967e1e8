/** Documents as tools take them: a file of this machine, or the content in base64. */
import { basename } from "node:path";
import * as z from "zod";
import type { Session } from "./context.ts";
import { FileRefused } from "./local-files.ts";

/** The service refuses larger documents. */
export const MAX_DOCUMENT_BYTES = 10_000_000;
/** Characters of base64 for a document of that size. */
export const MAX_BASE64_CHARACTERS = Math.ceil(MAX_DOCUMENT_BYTES / 3) * 4;
/** Longest path in characters, as Linux has it (PATH_MAX). */
const MAX_PATH_CHARACTERS = 4096;
/** Longest file name in characters, as file systems have it. */
const MAX_NAME_CHARACTERS = 255;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const contentShape = {
  content: z.string().max(MAX_BASE64_CHARACTERS).optional().describe("The document's bytes in base64, up to 10 MB"),
  fileName: z
    .string()
    .min(1)
    .max(MAX_NAME_CHARACTERS)
    .regex(/^[^/\\\0]+$/, "A file name has no folder")
    .optional()
    .describe("Name of the document given as content, such as invoice.pdf; its ending tells the type of text"),
  mimeType: z
    .string()
    .max(MAX_NAME_CHARACTERS)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, "A type such as application/pdf")
    .optional()
    .describe("Default: detected from the content"),
};

/** A path of a file of this machine. */
export const pathText = z.string().min(1).max(MAX_PATH_CHARACTERS);

/** Members that name a document: over HTTP there is no path. */
export const documentShape = ({ files }: Session) =>
  files === undefined
    ? contentShape
    : {
        path: pathText
          .optional()
          .describe(
            `A file of the user's machine, which this tool reads and sends to the service; below ${files.folders.join(" or ")}`,
          ),
        ...contentShape,
      };

export interface DocumentInput {
  path?: string | undefined;
  content?: string | undefined;
  fileName?: string | undefined;
  mimeType?: string | undefined;
}

export interface NamedBytes {
  bytes: Uint8Array;
  fileName?: string | undefined;
  mimeType?: string | undefined;
}

/** Types of text, which content alone does not tell apart, by the ending of a name. */
const TEXT_TYPES: Record<string, string> = { ".txt": "text/plain", ".md": "text/markdown", ".csv": "text/csv" };

/** The document of a call. @throws FileRefused for none, for two, and for one that cannot be read */
export async function readInput({ files }: Session, input: DocumentInput): Promise<NamedBytes> {
  const { path, content, fileName = path === undefined ? undefined : basename(path) } = input;
  const ending = /\.[a-z]+$/i.exec(fileName ?? "")?.[0].toLowerCase() ?? "";
  const mimeType = input.mimeType ?? TEXT_TYPES[ending];
  const members = files === undefined ? "`content`" : "`path` or `content`";
  if ((path === undefined) === (content === undefined)) throw new FileRefused(`Give one document as ${members}`);
  if (content !== undefined) return { bytes: decoded(content), fileName, mimeType };
  if (files === undefined) throw new FileRefused("Over HTTP no file is read by its path; give it as `content`");
  return { bytes: await files.read(path ?? "", MAX_DOCUMENT_BYTES), fileName, mimeType };
}

function decoded(content: string): Uint8Array {
  const text = content.replace(/\s+/g, "");
  if (text.length % 4 !== 0 || !BASE64.test(text)) throw new FileRefused("`content` must be base64 (RFC 4648, 4)");
  return Buffer.from(text, "base64");
}
