/** Bytes to layout, one reader a format. */
import { JOB_SENTENCES, JobFailure } from "../errors.ts";
import type { ReadingFacts, ReadingOptions } from "../ports.ts";
import { LAYOUT_VERSION, type Layout, type Page, pageWords } from "./layout.ts";
import { CSV, DOCX, IMAGE_TYPES, MARKDOWN, PDF, PLAIN_TEXT, PPTX, XLSX } from "./media-types.ts";
import { readOfficeDocument } from "./office-reader.ts";
import { withPdf } from "./pdf/reader.ts";
import { readPage } from "./pdf/text.ts";
import { readText } from "./text.ts";

type Reader = (bytes: Uint8Array, options: ReadingOptions) => Layout | Promise<Layout>;

const readPdf: Reader = (bytes, { pageRange }) =>
  withPdf(bytes, ({ pageCount, withPage }) => {
    const wanted = pageRange === undefined ? undefined : new Set(pageRange);
    const pages: Page[] = [];
    for (let number = 1; number <= pageCount; number += 1) {
      if (wanted === undefined || wanted.has(number))
        pages.push(withPage(number - 1, (page) => readPage(page, number)));
    }
    return { v: LAYOUT_VERSION, provider: "pdf-text", logicalPages: false, pageCount, pages };
  });

const readPlain: Reader = (bytes, { mimeType, pageRange }) => readText(bytes, mimeType, pageRange);

const READERS: Record<string, Reader> = {
  [PDF]: readPdf,
  [DOCX]: (bytes, { pageRange }) => readOfficeDocument(bytes, "docx", pageRange),
  [XLSX]: (bytes, { pageRange }) => readOfficeDocument(bytes, "xlsx", pageRange),
  [PPTX]: (bytes, { pageRange }) => readOfficeDocument(bytes, "pptx", pageRange),
  [PLAIN_TEXT]: readPlain,
  [MARKDOWN]: readPlain,
  [CSV]: readPlain,
};

function measure({ provider, pageCount, pages }: Layout): ReadingFacts {
  let wordCount = 0;
  let characterCount = 0;
  for (const page of pages) {
    const words = pageWords(page);
    wordCount += words.length;
    for (const { text } of words) characterCount += text.length;
  }
  return { provider, pageCount, wordCount, characterCount };
}

/**
 * Reads a document's text. Pages that were not asked for are left out, pages that do not exist ignored; `pageCount` is
 * the whole document's, the counts of words and of their characters (without white space) what was read.
 * @throws JobFailure with the contract's sentence: corrupted (also when one page is), password protected, text
 * extraction failed (images, and whatever has no word in it), format not supported
 */
export async function readDocument(
  bytes: Uint8Array,
  options: ReadingOptions,
): Promise<{ layout: Layout; facts: ReadingFacts }> {
  if (IMAGE_TYPES.has(options.mimeType)) throw new JobFailure(JOB_SENTENCES.noText);
  const read = READERS[options.mimeType];
  if (read === undefined) throw new JobFailure(JOB_SENTENCES.unsupported);
  const layout = await read(bytes, options);
  const facts = measure(layout);
  if (facts.wordCount === 0) throw new JobFailure(JOB_SENTENCES.noText);
  return { layout, facts };
}
