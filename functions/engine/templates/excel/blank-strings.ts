/** Shared strings of the template that no cell of the filled workbook has: texts of tags, and of rows that went. */
import { cellAttribute, cellElement, type SourceCell } from "./sheet-source.ts";
import { STRING, type TemplateWorkbook, targetOf, typeOf } from "./workbook-source.ts";

/** Kinds of sheets whose cells are not read here. */
const OTHER_CELLS = /^(?:dialogsheet|xlMacrosheet|xlIntlMacrosheet)$/;

const indexOf = (cell: SourceCell): number =>
  cellAttribute(cell, "t") === "s" ? Number(cellElement(cell.content, "v")?.text ?? -1) : -1;

/** Places of the strings that cells have lost. */
function lostStrings({ sheets }: TemplateWorkbook, kept: ReadonlyMap<string, ReadonlySet<SourceCell>>): Set<number> {
  const [lost, used] = [new Set<number>(), new Set<number>()];
  for (const { key, source } of sheets) {
    const own = kept.get(key);
    for (const { cells } of source.rows) {
      for (const cell of cells) {
        const index = indexOf(cell);
        if (index >= 0) (own === undefined || own.has(cell) ? used : lost).add(index);
      }
    }
  }
  for (const index of used) lost.delete(index);
  return lost;
}

/**
 * Empties the strings that cells have lost; others keep their places, so that sheets without changes keep their bytes.
 * @param kept cells with their texts of before, by the sheet's name in lower case; none for a sheet that keeps them all
 */
export function blankStrings(workbook: TemplateWorkbook, kept: ReadonlyMap<string, ReadonlySet<SourceCell>>): void {
  const { office, relationships, stringsXml } = workbook;
  const part = targetOf(relationships, "sharedStrings");
  if (part === undefined || relationships.some((one) => OTHER_CELLS.test(typeOf(one)))) return;
  const lost = lostStrings(workbook, kept);
  if (lost.size === 0) return;
  let at = -1;
  const blanked = stringsXml.replace(STRING, (string: string, prefix: string) => {
    at += 1;
    return lost.has(at) ? `<${prefix}si><${prefix}t/></${prefix}si>` : string;
  });
  office.write(part, blanked);
}
