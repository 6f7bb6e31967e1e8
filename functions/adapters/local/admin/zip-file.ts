/** Writes a zip entry by entry; continues in another complete zip when one is full. */
import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { Zip, ZipDeflate } from "fflate";

/** The format's limits without its 64-bit form ("APPNOTE.TXT", 4.4), minus room for the central directory. */
const MAX_ENTRIES = 65_000;
const MAX_ZIP_BYTES = 3.9e9;

interface Volume {
  zip: Zip;
  path: string;
  entries: number;
  bytes: number;
}

export class ZipFile {
  readonly #path: string;
  readonly #most: { entries: number; bytes: number };
  readonly #written: string[] = [];
  #volume: Volume | undefined;

  /** @param path `export.zip`; the second file is `export-2.zip` */
  constructor(path: string, most = { entries: MAX_ENTRIES, bytes: MAX_ZIP_BYTES }) {
    this.#path = path;
    this.#most = most;
  }

  add(name: string, content: Uint8Array): void {
    const current = this.#volume;
    const full =
      current !== undefined &&
      (current.entries >= this.#most.entries || current.bytes + content.length > this.#most.bytes);
    if (full) this.#close();
    this.#volume ??= this.#open();
    this.#volume.entries += 1;
    const entry = new ZipDeflate(name, { level: 6 });
    this.#volume.zip.add(entry);
    entry.push(content, true);
  }

  /** @returns the files in order; each got its final name only when complete */
  end(): string[] {
    this.#volume ??= this.#open();
    this.#close();
    return this.#written;
  }

  #open(): Volume {
    const number = this.#written.length + 1;
    const path = number === 1 ? this.#path : this.#path.replace(/(\.[^./\\]*)?$/, `-${number}$1`);
    const file = openSync(`${path}.part`, "w", 0o600);
    const volume: Volume = { path, entries: 0, bytes: 0, zip: new Zip() };
    volume.zip.ondata = (error, chunk, final) => {
      if (error) throw error;
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
      volume.bytes += chunk.length;
      if (final) closeSync(file);
    };
    return volume;
  }

  #close(): void {
    const volume = this.#volume;
    if (volume === undefined) return;
    volume.zip.end();
    renameSync(`${volume.path}.part`, volume.path);
    this.#written.push(volume.path);
    this.#volume = undefined;
  }
}
