/** Barcodes that are not on a page yet. */
import type { BarcodeBlock, Block } from "../../ports/layout.ts";
import { area, overlapArea } from "./geometry.ts";

/** Two boxes that share this much of the smaller one belong to the same symbol. */
const SAME_SYMBOL_OVERLAP_SHARE = 0.5;

const isBarcode = (block: Block): block is BarcodeBlock => block.kind === "barcode";

/** The barcodes that are not among the blocks yet. The same value at the same place is the same barcode. */
export function newBarcodes(blocks: readonly Block[], barcodes: readonly BarcodeBlock[]): BarcodeBlock[] {
  const known = blocks.filter(isBarcode);
  const added: BarcodeBlock[] = [];
  for (const one of barcodes) {
    const isKnown = [...known, ...added].some(
      ({ value, box }) =>
        value === one.value &&
        overlapArea(box, one.box) > SAME_SYMBOL_OVERLAP_SHARE * Math.min(area(box), area(one.box)),
    );
    if (!isKnown) added.push(one);
  }
  return added;
}
