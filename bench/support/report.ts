/** Lines of figures that were measured in rounds. */
import { DEFAULT_WIDTH, isNarrow, type Repeated, sayFigure, sayLoad } from "./repeat.ts";

export interface FigureFormat<Name extends string> {
  measure: Name;
  label: string;
  /** Said after the figure. */
  unit?: string;
  digits?: number;
}

/** Column of the figures. */
const LABEL_WIDTH = 48;

/** The load, then a line for each measure: median and interval, or INCONCLUSIVE where that measure's own is too wide. */
export function reportLines<Name extends string>(
  repeated: Repeated<Name>,
  figures: readonly FigureFormat<Name>[],
  width = DEFAULT_WIDTH,
): string[] {
  return [
    sayLoad(repeated),
    ...figures.map(({ measure, label, unit = "", digits = 0 }) => {
      const spread = repeated.spreads[measure];
      return `  ${label.padEnd(LABEL_WIDTH)}${sayFigure(spread, isNarrow(spread, width), digits)}${unit === "" ? "" : ` ${unit}`}`;
    }),
  ];
}
