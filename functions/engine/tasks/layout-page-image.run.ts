import { NotFound } from "../../ports/errors.ts";
import { parseJsonBytes } from "../../ports/json.ts";
import type { Page } from "../../ports/layout.ts";
import { describeType } from "../../ports/media-types.ts";
import { type PackedPage, unpackPage } from "../layout/packed-pages.ts";
import { layoutPagePicture } from "../readers/layout-page-picture.ts";
import { TEXT_READERS } from "../readers/text-formats.ts";
import { implementTask } from "./define-task.ts";
import { type LayoutPageImageInput, layoutPageImageTask } from "./layout-page-image.ts";
import { VIEW_DPI, withMarks } from "./view-picture.ts";

/** Reads one page of a document. @throws NotFound for a page that it does not have */
async function readPage({ bytes, mimeType }: { bytes: Uint8Array; mimeType: string }, index: number): Promise<Page> {
  const read = TEXT_READERS[mimeType];
  if (read === undefined) throw new NotFound(`The document is ${describeType(mimeType)}, which has no page images`);
  const { pages, pageCount } = await read(bytes, mimeType, [index + 1]);
  const page = pages.find(({ number }) => number === index + 1);
  if (page === undefined) throw new NotFound(`The document has ${pageCount} pages; there is none at index ${index}`);
  return page;
}

function wantedPage({ page, document, options }: LayoutPageImageInput): Page | Promise<Page> {
  if (page !== undefined) return unpackPage(parseJsonBytes<PackedPage>(page));
  if (document === undefined) throw new TypeError("A page is drawn from its layout or from its document");
  return readPage(document, options.pageIndex);
}

export const run = implementTask(layoutPageImageTask, async (input) =>
  withMarks(await layoutPagePicture(await wantedPage(input), VIEW_DPI), input.options),
);
