/** What the tests use of fast-formula-parser, which brings no types. */
declare module "fast-formula-parser" {
  /** A cell of a sheet; rows and columns count from 1. */
  interface CellReference {
    row: number;
    col: number;
  }

  /** `#DIV/0!` and its like: given back where they are a formula's value, thrown where it cannot be read. */
  class FormulaError extends Error {
    /** A value that is not there; it makes every formula that uses it `#N/A`. */
    static readonly NA: FormulaError;
  }

  export default class FormulaParser {
    static readonly FormulaError: typeof FormulaError;
    constructor(config: { onCell(reference: CellReference): number | boolean | FormulaError });
    /** @throws FormulaError for what is no formula */
    parse(formula: string, position: { sheet: string; row: number; col: number }): number | boolean | FormulaError;
  }
}
