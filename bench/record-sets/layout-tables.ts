/** The tables of a layout as the bench compares them: the one place that knows how the engine states them. */
import { lineText } from "../../functions/engine/layout/page-words.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { type Grid, gridOf } from "./grid.ts";

export const layoutTables = ({ pages }: Pick<Layout, "pages">): Grid[] =>
  pages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === "table" ? [block] : []))
    .map(({ cells }) =>
      gridOf(
        cells.map(({ lines, row, column, rowSpan, columnSpan }) => ({
          text: lines.map(lineText).join(" "),
          row,
          column,
          rowSpan,
          columnSpan,
        })),
      ),
    );
