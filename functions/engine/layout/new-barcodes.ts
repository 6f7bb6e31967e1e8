/** Barcodes that are not on a page yet. */
import type { BarcodeBlock, Block } from "../../ports/layout.ts";
import { area, overlapArea } from "./geometry.ts";

/** Two boxes with so much of the smaller one in common are of the same symbol. */
const SAME = 0.5;

const isBarcode = (block: Block): block is BarcodeBlock => block.kind === "barcode";

/** Those of the barcodes that are not among the blocks yet: the same value at the same place is the same. */
export function newBarcodes(blocks: readonly Block[], barcodes: readonly BarcodeBlock[]): BarcodeBlock[] {
  const known = blocks.filter(isBarcode);
  const fresh: BarcodeBlock[] = [];
  for (const one of barcodes) {
    const again = [...known, ...fresh].some(
      ({ value, box }) => value === one.value && overlapArea(box, one.box) > SAME * Math.min(area(box), area(one.box)),
    );
    if (!again) fresh.push(one);
  }
  return fresh;
}
