/**
 * The encoding of an XML part (XML 1.0, appendix F): by its byte order mark, its zeros, its declaration, else UTF-8.
 */
import { TextDecoder } from "node:util";

/** Bytes that hold a declaration, if there is one. */
const DECLARATION_BYTES = 256;

const latin1 = new TextDecoder("latin1");

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = latin1.decode(bytes.subarray(0, DECLARATION_BYTES));
  return /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(start)?.[1];
}

/** A decoder for the part, which drops its byte order mark. Invalid bytes become U+FFFD. */
export function xmlDecoder(bytes: Uint8Array): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  if (first === 0x3c && second === 0) return new TextDecoder("utf-16le");
  if (first === 0 && second === 0x3c) return new TextDecoder("utf-16be");
  const declared = declaredEncoding(bytes);
  // A declaration that reads as single bytes contradicts a wide encoding that it may name.
  if (declared === undefined || /^utf-?(?:8|16|32)/i.test(declared)) return new TextDecoder();
  try {
    return new TextDecoder(declared);
  } catch {
    return new TextDecoder();
  }
}

/** Decodes the start of a part. */
export const decodeXmlStart = (bytes: Uint8Array): string => xmlDecoder(bytes).decode(bytes, { stream: true });
