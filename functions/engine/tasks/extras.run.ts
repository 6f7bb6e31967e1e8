import type { TaskInput } from "../../ports/engine.ts";
import { encodeJson } from "../../ports/json.ts";
import { IMAGE_TYPES, PDF } from "../../ports/media-types.ts";
import { acroFormMetadata } from "../forms/acroform/acroform-metadata.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { readBarcodes } from "../readers/barcodes/read-barcodes.ts";
import { figurePlaces, findFigures } from "../readers/figures/find-figures.ts";
import type { Figure } from "../structure/figures/figure.ts";
import { attachCaptions, describeFigure } from "../structure/figures/figure-captions.ts";
import { implementTask } from "./define-task.ts";
import { extrasTask } from "./extras.ts";

type Payload = TaskInput<typeof extrasTask>;

const NO_FORM = { pages: [], fields: [] };

/** A figure as GET /job/figures answers it. */
const figureEntry = (figure: Figure) => ({
  id: figure.id,
  pageNumber: figure.pageNumber,
  bbox: figure.bbox,
  width: figure.width,
  height: figure.height,
  mimeType: figure.mimeType,
  caption: figure.caption ?? null,
  description: describeFigure(figure),
});

const rangeOf = ({ pageRange }: Payload["options"]) => (pageRange === undefined ? {} : { pageRange });

async function figuresOf({ bytes, layout, options }: Payload) {
  const parsed = parseLayout(layout);
  const found = await findFigures(bytes, options.mimeType, { ...rangeOf(options), seen: figurePlaces(parsed) });
  const figures = attachCaptions(found, parsed);
  const images = figures.map(({ id, mimeType, bytes: image }) => ({ id, mimeType, bytes: image }));
  return { list: encodeJson({ images: figures.map(figureEntry) }), images };
}

export const run = implementTask(extrasTask, async (payload) => {
  const { bytes, options } = payload;
  const isVisual = options.mimeType === PDF || IMAGE_TYPES.has(options.mimeType);
  const barcodes = isVisual && options.barcodes ? await readBarcodes(bytes, options.mimeType, rangeOf(options)) : [];
  const form = options.acroForm && options.mimeType === PDF ? await acroFormMetadata(bytes) : NO_FORM;
  return {
    ...(options.barcodes ? { barcodes: encodeJson(barcodes) } : {}),
    ...(options.figures ? { figures: await figuresOf(payload) } : {}),
    ...(options.acroForm ? { acroForm: encodeJson(form) } : {}),
  };
});
