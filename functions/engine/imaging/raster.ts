/** Pictures in memory, in colour. */

/** A picture to be searched: rows from the top, four bytes a pixel, opaque. */
export interface Raster {
  width: number;
  height: number;
  rgba: Uint8Array;
}
