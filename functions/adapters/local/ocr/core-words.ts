/** Takes words out of Tesseract's WebAssembly core, in the thread that runs it. */

/** Iterator over a page's results, as the core's bindings give it. */
export interface ResultIterator {
  Begin(): void;
  Next(level: number): boolean;
  IsAtBeginningOf(level: number): boolean;
  GetUTF8Text(level: number): string;
  Confidence(level: number): number;
  getBoundingBox(level: number): { x0: number; y0: number; x1: number; y1: number };
}

/** The parts of the core that are used or replaced. */
export interface TesseractCore {
  /** Frees what a binding stands for. */
  destroy(binding: unknown): void;
  TessBaseAPI: { prototype: { GetTSVText(): string; GetIterator(): ResultIterator } };
}

/** Levels of the iterator (tesseract::PageIteratorLevel, publictypes.h). */
const LINE = 2;
const WORD = 3;

/** Makes a core; its options are the thread script's. */
export type CoreFactory = (options: Record<string, unknown>) => Promise<TesseractCore>;

/**
 * The rows of the words in Tesseract's table, without those of blocks, paragraphs and lines. Tesseract's own table asks
 * at each word where its line, paragraph and block end, by iterators that sort the line's words anew.
 */
export function wordRows(words: ResultIterator): string {
  const rows: string[] = [];
  let line = 0;
  words.Begin();
  do {
    if (words.IsAtBeginningOf(LINE)) line += 1;
    const text = words.GetUTF8Text(WORD).replace(/[\t\n]/g, " ");
    const { x0, y0, x1, y1 } = words.getBoundingBox(WORD);
    const confidence = words.Confidence(WORD);
    rows.push([5, 1, 1, 1, line, rows.length + 1, x0, y0, x1 - x0, y1 - y0, confidence.toFixed(6), text].join("\t"));
  } while (words.Next(WORD));
  return rows.join("\n");
}

/**
 * A factory of cores whose table has the rows of words only, and which tell no progress: nobody listens, and each
 * message wakes two threads.
 */
export const withWordsOnly =
  (create: CoreFactory): CoreFactory =>
  async (options) => {
    const core = await create({ ...options, TesseractProgress: () => undefined });
    core.TessBaseAPI.prototype.GetTSVText = function getWordRows(this: { GetIterator(): ResultIterator }): string {
      const words = this.GetIterator();
      try {
        return wordRows(words);
      } finally {
        core.destroy(words);
      }
    };
    return core;
  };
