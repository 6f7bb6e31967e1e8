/** The parts of fast-formula-parser that tests use; it has no types of its own. */
declare module "fast-formula-parser" {
  /** A cell of a sheet; rows and columns count from 1. */
  interface CellReference {
    row: number;
    col: number;
  }

  /** `#DIV/0!` and the like: returned as a formula's value, thrown for an unreadable formula. */
  class FormulaError extends Error {
    /** A missing value; it makes every formula that uses it `#N/A`. */
    static readonly NA: FormulaError;
  }

  export default class FormulaParser {
    static readonly FormulaError: typeof FormulaError;
    constructor(config: { onCell(reference: CellReference): number | boolean | FormulaError });
    /** @throws FormulaError for a malformed formula */
    parse(formula: string, position: { sheet: string; row: number; col: number }): number | boolean | FormulaError;
  }
}
