/** Stands in each file that `npm run generate` writes. */
export const WRITTEN_BY = "`npm run generate` writes this file.";
