import type { ExtrasOptions } from "../../ports/engine.ts";
import { acroFormMetadata } from "../forms/acroform/acroform-metadata.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { readBarcodes } from "../readers/barcodes/read-barcodes.ts";
import { IMAGE_TYPES, PDF } from "../readers/media-types.ts";
import type { Figure } from "../structure/figures/figure.ts";
import { attachCaptions, describeFigure } from "../structure/figures/figure-captions.ts";
import { figurePlaces, findFigures } from "../structure/figures/find-figures.ts";
import { type Answer, toJson } from "./task.ts";

export interface ExtrasTask {
  bytes: Uint8Array;
  /** As `read` wrote it. */
  layout: Uint8Array;
  options: ExtrasOptions;
}

export interface AcroFormTask {
  bytes: Uint8Array;
}

const NO_FORM = { pages: [], fields: [] };

/** As GET /job/figures answers it. */
const listed = (figure: Figure) => ({
  id: figure.id,
  pageNumber: figure.pageNumber,
  bbox: figure.bbox,
  width: figure.width,
  height: figure.height,
  mimeType: figure.mimeType,
  caption: figure.caption ?? null,
  description: describeFigure(figure),
});

async function figuresOf({ bytes, layout, options }: ExtrasTask) {
  const read = parseLayout(layout);
  const found = await findFigures(bytes, options.mimeType, { ...pagesOf(options), seen: figurePlaces(read) });
  const figures = attachCaptions(found, read);
  const images = figures.map(({ id, mimeType, bytes: image }) => ({ id, mimeType, bytes: image }));
  return { list: toJson({ images: figures.map(listed) }), images };
}

const pagesOf = ({ pageRange }: ExtrasOptions) => (pageRange === undefined ? {} : { pageRange });

export const extrasTasks = {
  async extras(task: ExtrasTask): Answer<"extras"> {
    const { bytes, options } = task;
    const drawn = options.mimeType === PDF || IMAGE_TYPES.has(options.mimeType);
    const barcodes = drawn && options.barcodes ? await readBarcodes(bytes, options.mimeType, pagesOf(options)) : [];
    const form = options.acroForm && options.mimeType === PDF ? await acroFormMetadata(bytes) : NO_FORM;
    return {
      ...(options.barcodes ? { barcodes: toJson(barcodes) } : {}),
      ...(options.figures ? { figures: await figuresOf(task) } : {}),
      ...(options.acroForm ? { acroForm: toJson(form) } : {}),
    };
  },

  async acroForm({ bytes }: AcroFormTask): Answer<"acroForm"> {
    return toJson(await acroFormMetadata(bytes));
  },
};
