/** Places in a bundle as places in the sources, by the bundle's source map. */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** A place of a stack: file, line and column from 1. */
const PLACE = /(file:\/\/\/[^\s()]+\.[cm]js):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | undefined>();

/** The map beside a file; it is read at the first error, because few processes have one. */
function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    try {
      maps.set(file, new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), "utf8"))));
    } catch {
      maps.set(file, undefined);
    }
  }
  return maps.get(file);
}

/** Rewrites the place in a line of a stack; a place without a source map stays as it is. */
export function inSources(frame: string): string {
  return frame.replace(PLACE, (place, file: string, line: string, column: string) => {
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !("originalSource" in found) || found.originalSource === undefined) return place;
    const { originalSource, originalLine, originalColumn } = found;
    return `${new URL(originalSource, file).href}:${originalLine + 1}:${originalColumn + 1}`;
  });
}
