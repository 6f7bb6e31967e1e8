/** Writes a zip archive whose untouched entries keep their packed bytes (PKWARE APPNOTE 6.3.10). */
import { crc32, deflateRawSync } from "node:zlib";

/** An entry as packed. */
export interface PackedEntry {
  name: string;
  method: number;
  crc: number;
  /** Inflated bytes. */
  size: number;
  data: Uint8Array;
}

const METHOD_DEFLATED = 8;
const METHOD_STORED = 0;
/** Version 2.0: deflate and folders. */
const VERSION = 20;
/** Names are UTF-8. */
const UTF8_FLAG = 0x0800;
/** The first of January 1980, as Office writes it: the same input gives the same bytes. */
const DOS_DATE = 0x21;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_RECORD_BYTES = 22;

/** Formats that are packed already. */
const PACKED_NAME = /\.(?:png|jpe?g|gif|zip|xlsx|docx|pptx)$/i;

/** Packs a new part. */
export function packEntry(name: string, content: Uint8Array): PackedEntry {
  const stored = PACKED_NAME.test(name);
  return {
    name,
    method: stored ? METHOD_STORED : METHOD_DEFLATED,
    crc: crc32(content),
    size: content.length,
    data: stored ? content : deflateRawSync(content),
  };
}

/** The fields that local and central headers share, from the version on. */
function sharedFields({ method, crc, size, data }: PackedEntry, nameBytes: number): Buffer {
  const fields = Buffer.alloc(LOCAL_HEADER_BYTES - 4);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_FLAG, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(DOS_DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(nameBytes, 22);
  return fields;
}

const signature = (text: string): Buffer => Buffer.from(text, "latin1");

function centralHeader(entry: PackedEntry, nameBytes: number, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES);
  signature("PK\x01\x02").copy(header, 0);
  header.writeUInt16LE(VERSION, 4);
  sharedFields(entry, nameBytes).copy(header, 6);
  header.writeUInt32LE(offset, 42);
  return header;
}

/** An archive of the entries, in their order. They are fewer than 65,536 and have less than 4 GB. */
export function writeZip(entries: readonly PackedEntry[]): Uint8Array {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    directory.push(centralHeader(entry, name.length, offset), name);
    files.push(signature("PK\x03\x04"), sharedFields(entry, name.length), name, entry.data);
    offset += LOCAL_HEADER_BYTES + name.length + entry.data.length;
  }
  const end = Buffer.alloc(END_RECORD_BYTES);
  signature("PK\x05\x06").copy(end, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...files, ...directory, end]));
}
