/** Zip archives of unknown origin: nothing is inflated past what its directory says, and that is checked first. */
import { unzipSync } from "fflate";

export interface ZipEntry {
  name: string;
  /** Bytes when inflated, as the directory says. No more than this is ever inflated. */
  size: number;
}

/** Entries in the directory; more is no office document. */
export const MOST_ENTRIES = 10_000;

/** The archive's directory; undefined when it cannot be read or lists too many entries. */
export function listZip(bytes: Uint8Array): ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (entries.length === MOST_ENTRIES) throw new RangeError("Too many entries");
        entries.push({ name, size: originalSize });
        return false;
      },
    });
  } catch {
    return undefined;
  }
  return entries;
}

/** Inflates the wanted entries; undefined when one of them is broken. Check their sizes first. */
export function inflate(bytes: Uint8Array, wanted: (name: string) => boolean): Map<string, Uint8Array> | undefined {
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter: ({ name }) => wanted(name) })));
  } catch {
    return undefined;
  }
}
