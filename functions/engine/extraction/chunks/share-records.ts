/**
 * Shares the records of one reading of a whole document among its chunks. Columns, headings and notation are the
 * document's: a chunk without the headings of its table keeps its rows, and a record that a cut divides stays whole.
 */
import type { ChunkAnswer, FoundRecord } from "./chunk-answer.ts";
import type { Chunk } from "./layout-chunks.ts";

/** The first word of a record: page number, and position in the page's reading order. */
interface Beginning {
  page: number;
  word: number;
}

const isBefore = (one: Beginning, other: Beginning): boolean =>
  one.page === other.page ? one.word < other.word : one.page < other.page;

/** The place where a record begins; undefined without located values. */
function beginningOf({ evidence }: FoundRecord): Beginning | undefined {
  let first: Beginning | undefined;
  for (const { location } of evidence) {
    for (const reference of location?.sourceRefs ?? []) {
      const [, page, word] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
      if (page === undefined) continue;
      const place = { page: Number(page), word: Number(word) };
      if (first === undefined || isBefore(place, first)) first = place;
    }
  }
  return first;
}

const stands = (place: Beginning, { pages, from, to }: Chunk): boolean =>
  pages.includes(place.page) &&
  (from === undefined || !isBefore(place, from)) &&
  (to === undefined || isBefore(place, to));

/**
 * The answer of each chunk: the records that begin in it, in the order of the document. A record without a place stands
 * with the one before it. Members beside the records go to the first chunk.
 * @param whole the records of the whole document
 */
export function shareRecords(whole: ChunkAnswer, chunks: readonly Chunk[]): ChunkAnswer[] {
  const shares = chunks.map(
    (_, at): ChunkAnswer => ({ records: [], rest: at === 0 ? whole.rest : { value: {}, evidence: [] }, faults: [] }),
  );
  let owners: ChunkAnswer[] = [];
  for (const record of whole.records) {
    const place = beginningOf(record);
    if (place !== undefined) owners = shares.filter((_, at) => stands(place, chunks[at] ?? { pages: [] }));
    for (const owner of owners) owner.records.push(record);
  }
  return shares;
}
