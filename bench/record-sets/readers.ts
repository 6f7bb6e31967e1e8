/** The readers that are compared: this engine, that of another checkout, and libraries of other projects. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { type BenchReader, openBenchReader } from "../offline/reading.ts";
import { Peer } from "../peers/python-peer.ts";
import { type Grid, type GridCell, gridOf } from "./grid.ts";
import { layoutTables } from "./layout-tables.ts";

export interface TableReader {
  name: string;
  /** False for libraries that see nothing on scans. */
  recognises: boolean;
  /** @param file path of a file with the same bytes */
  read(bytes: Uint8Array, file: string): Promise<Grid[]>;
  close(): Promise<void>;
}

const SCRIPT = path.join(import.meta.dirname, "read_tables.py");

/** Each library with its own ways to look for tables, since none says which fits a page. */
const LIBRARY_WAYS: Readonly<Record<string, readonly string[]>> = {
  camelot: ["lattice", "stream", "network", "hybrid"],
  pdfplumber: ["lines", "text"],
  pymupdf: ["lines", "text"],
};

const engineReader = (name: string, reader: BenchReader): TableReader => ({
  name,
  recognises: true,
  async read(bytes, file) {
    const { mimeType } = sniffDocument(bytes, undefined, file);
    return layoutTables((await reader.readBytes(bytes, mimeType)).layout);
  },
  close: () => reader.close(),
});

/** Opens the engine of another checkout with its own packages. @throws Error for a folder that is none */
async function openOtherEngine(folder: string): Promise<TableReader> {
  const file = path.resolve(folder, "bench/offline/reading.ts");
  if (!existsSync(file)) throw new Error(`--engine ${folder} is not a checkout: ${file} is not there`);
  const other = (await import(pathToFileURL(file).href)) as { openBenchReader: typeof openBenchReader };
  return engineReader(`engine of ${path.basename(path.resolve(folder))}`, other.openBenchReader(true));
}

const libraryReader = (peer: Peer, way: string): TableReader => ({
  name: `${peer.name} ${way}`,
  recognises: false,
  async read(_bytes, file) {
    const { tables, error } = await peer.ask<{ tables: GridCell[][]; error?: string }>({ file, way });
    if (error !== undefined) console.warn(`  ${peer.name} ${way} refuses ${path.basename(file)}: ${error}`);
    return tables.map(gridOf);
  },
  close: async () => peer.close(),
});

async function openLibraries(): Promise<TableReader[]> {
  const readers: TableReader[] = [];
  for (const [name, ways] of Object.entries(LIBRARY_WAYS)) {
    const peer = await Peer.open(name, SCRIPT);
    if (peer !== undefined) readers.push(...ways.map((way) => libraryReader(peer, way)));
  }
  return readers;
}

/** This engine first. @param engine folder of another checkout */
export async function openReaders(engine: string | undefined, libraries: boolean): Promise<TableReader[]> {
  return [
    engineReader("this engine", openBenchReader(true)),
    ...(engine === undefined ? [] : [await openOtherEngine(engine)]),
    ...(libraries ? await openLibraries() : []),
  ];
}
