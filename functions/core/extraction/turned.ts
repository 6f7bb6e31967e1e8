/** Pages whose text runs up or down as they are shown, told by their lines: printed sideways, with nothing that says so. */
import { blockLines, type Page } from "../documents/layout.ts";

/** How many words go on to the right or left, down, and up from the word before them on their line. */
function waysOf(page: Page): { across: number; down: number; up: number } {
  const ways = { across: 0, down: 0, up: 0 };
  for (const { words } of page.blocks.flatMap(blockLines)) {
    for (const [at, { box }] of words.entries()) {
      const before = words[at - 1]?.box;
      if (before === undefined) continue;
      const [x, y] = [
        box.left + box.right - before.left - before.right,
        box.top + box.bottom - before.top - before.bottom,
      ];
      if (Math.abs(x) >= Math.abs(y)) ways.across += 1;
      else if (y > 0) ways.down += 1;
      else ways.up += 1;
    }
  }
  return ways;
}

/**
 * The page with the angle of its text, where its reader told none: degrees clockwise, by quarters. Tables told from the
 * page as shown have its rows for columns then: their lines stay, as text.
 */
export function withAngle(page: Page): Page {
  if (page.angle !== undefined) return page;
  const { across, down, up } = waysOf(page);
  if (Math.max(down, up) <= across + Math.min(down, up)) return page;
  const blocks = page.blocks.map((block) =>
    block.kind === "table" ? { kind: "paragraph" as const, box: block.box, lines: [...blockLines(block)] } : block,
  );
  return { ...page, angle: down > up ? 90 : -90, blocks };
}
