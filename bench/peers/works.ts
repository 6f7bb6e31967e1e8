/** Our own work beside the peers': words, Markdown and tables of a PDF, in this process. */
import { readFile } from "node:fs/promises";
import { transcribe } from "../../functions/engine/exports/transcription/transcribe.ts";
import { lineText, pageWords } from "../../functions/engine/layout/page-words.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import type { Page } from "../../functions/ports/layout.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import { timeWork } from "../text/times.ts";
import type { PeerAnswer, Work } from "./python-peer.ts";

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const readPages = (bytes: Uint8Array, tables: boolean): Promise<Page[]> =>
  withPdf(bytes, ({ pageCount, withPage }) =>
    Array.from({ length: pageCount }, (_, index) =>
      withPage(index, (page) => readPdfPage(page, index + 1, tables ? {} : { tables: false })),
    ),
  );

const WORKS: Readonly<Record<Work, (bytes: Uint8Array) => Promise<string[]>>> = {
  async words(bytes) {
    return (await readPages(bytes, false)).flatMap((page) => pageWords(page).map(({ text }) => text));
  },
  // The whole reading: tables, figures, structure and quality are part of it.
  async markdown(bytes) {
    return wordsOf(transcribe((await readDocument(bytes, { mimeType: PDF })).layout, "markdown"));
  },
  async tables(bytes) {
    const blocks = (await readPages(bytes, true)).flatMap((page) => page.blocks);
    const cells = blocks.flatMap((block) => (block.kind === "table" ? block.cells : []));
    return cells.map(({ lines }) => lines.map(lineText).join(" ")).filter((text) => text.trim() !== "");
  },
};

/** Does a piece of work once, from the file on the disk. */
export async function doOurs(work: Work, file: string): Promise<PeerAnswer> {
  const [words, use] = await timeWork(async () => WORKS[work](new Uint8Array(await readFile(file))));
  return { words, ...use };
}
