/** Measures ink on a picture, so that labels cover nothing. */

/** Pixels of a picture in one channel. */
export interface GrayData {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Pixels, from the top left corner. */
export interface PixelArea {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Gray levels between ink and its paper: JPEG noise and the grain of scans stay below. */
const INK_CONTRAST_LEVELS = 48;

/** The level of gray that half of the pixels are not above. */
function medianOf(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const level of data) counts[level] = (counts[level] ?? 0) + 1;
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen * 2 >= data.length;
  });
}

/** Share of an area that is inked, by a table of sums (F. Crow, 1984): one look-up an area. */
export function inkMeter({ width, height, data }: GrayData): (area: PixelArea) => number {
  const paper = medianOf(data);
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += Math.abs((data[y * width + x] ?? paper) - paper) > INK_CONTRAST_LEVELS ? 1 : 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  const sumTo = (x: number, y: number): number => sums[y * (width + 1) + x] ?? 0;
  return (area) => {
    const [left, right] = [Math.max(Math.floor(area.left), 0), Math.min(Math.ceil(area.right), width)];
    const [top, bottom] = [Math.max(Math.floor(area.top), 0), Math.min(Math.ceil(area.bottom), height)];
    if (right <= left || bottom <= top) return 1;
    const inked = sumTo(right, bottom) - sumTo(left, bottom) - sumTo(right, top) + sumTo(left, top);
    return inked / ((right - left) * (bottom - top));
  };
}
