import { parseJsonBytes } from "../../ports/json.ts";
import { type ListedFigure, listFigures, rankFigures } from "../analysis/rank-figures.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { chooseFiguresTask } from "./choose-figures.ts";
import { implementTask } from "./define-task.ts";

export const run = implementTask(chooseFiguresTask, ({ layout, figures, ...request }) => {
  const parsed = parseLayout(layout);
  const { images } = parseJsonBytes<{ images: ListedFigure[] }>(figures);
  return { ranked: rankFigures(images, parsed, request), all: listFigures(images, parsed, request.pages) };
});
