/** Charts of slides whose embedded workbook has tags: workbook and chart show the values. */
import { JobFailure, UnprocessableEntity } from "../../../ports/errors.ts";
import { isObject, type JsonObject } from "../../../ports/json.ts";
import { openPackage } from "../../readers/office/office-package.ts";
import { describeExcel, fillChartWorkbook } from "../excel/excel-template.ts";
import { relationshipsOf } from "../office/part-relationships.ts";
import type { TagScope } from "../office/tag-expression.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import {
  childNode,
  childNodes,
  descendants,
  localName,
  ownText,
  parseTree,
  writeTree,
  type XmlNode,
} from "../office/xml-tree.ts";
import type { TemplateField } from "../template.ts";
import { ChartCells, chartNumber } from "./chart-cells.ts";
import { type Deck, relationshipId } from "./deck.ts";

export interface SlideChart {
  /** Part of the chart, and of its workbook. */
  part: string;
  workbook: string;
  fields: TemplateField[];
}

/** Charts by the frame that shows them. */
export type SlideCharts = ReadonlyMap<XmlNode, SlideChart>;

const SPREADSHEET = /\.xlsx$/i;

/** Parts of a workbook that texts of cells stand in. */
const CELL_TEXTS = /^xl\/(?:sharedStrings|worksheets\/[^/]+)\.xml$/i;

/** True for a workbook that may have tags; one that cannot be opened has none. */
function mayHaveTags(bytes: Uint8Array): boolean {
  try {
    const office = openPackage(bytes);
    return office.names.some((name) => CELL_TEXTS.test(name) && Buffer.from(office.read(name) ?? []).includes("{"));
  } catch (error) {
    if (error instanceof JobFailure) return false;
    throw error;
  }
}

async function chartAt(office: TemplatePackage, part: string, place: string): Promise<SlideChart | undefined> {
  const embedded = relationshipsOf(office, part).find(({ type, external }) => type.endsWith("/package") && !external);
  const bytes = embedded === undefined || !SPREADSHEET.test(embedded.target) ? undefined : office.read(embedded.target);
  if (embedded === undefined || bytes === undefined || !mayHaveTags(bytes)) return undefined;
  try {
    const { fields } = await describeExcel(bytes);
    return fields.length === 0 ? undefined : { part, workbook: embedded.target, fields };
  } catch (cause) {
    if (!(cause instanceof UnprocessableEntity)) throw cause;
    throw new UnprocessableEntity(`In the workbook of a chart in ${place}: ${cause.message}`, { cause });
  }
}

/** The charts whose workbook has tags. @throws UnprocessableEntity for a fault of a tag in a workbook */
export async function findCharts({ office, slides }: Deck): Promise<SlideCharts> {
  const charts = new Map<XmlNode, SlideChart>();
  for (const { slide } of slides) {
    const targets = new Map(
      relationshipsOf(office, slide.name)
        .filter(({ type, external }) => type.endsWith("/chart") && !external)
        .map(({ id, target }) => [id, target]),
    );
    if (targets.size === 0) continue;
    for (const frame of descendants(slide.root, "graphicFrame")) {
      const [shown] = [...descendants(frame, "chart")];
      const target = shown === undefined ? undefined : targets.get(relationshipId(shown) ?? "");
      const chart = target === undefined ? undefined : await chartAt(office, target, slide.place);
      if (chart !== undefined) charts.set(frame, chart);
    }
  }
  return charts;
}

/** All values that a scope sees, the inner ones first. */
function visibleValues(scope: TagScope): JsonObject {
  const scopes: JsonObject[] = [];
  for (let at: TagScope | undefined = scope; at !== undefined; at = at.parent) {
    if (isObject(at.value)) scopes.unshift(at.value);
  }
  return Object.fromEntries(scopes.flatMap((one) => Object.entries(one)));
}

const CACHES = new Set(["numCache", "strCache", "multiLvlStrCache"]);

const node = (
  like: XmlNode,
  name: string,
  attributes: Record<string, string>,
  children: (XmlNode | string)[] = [],
) => ({
  name: like.name.slice(0, like.name.indexOf(":") + 1) + name,
  attributes,
  children,
});

const points = (cache: XmlNode, texts: readonly (string | undefined)[]): XmlNode[] =>
  texts.flatMap((text, index) =>
    text === undefined ? [] : [node(cache, "pt", { idx: String(index) }, [node(cache, "v", {}, [text])])],
  );

type Columns = NonNullable<ReturnType<ChartCells["columnsOf"]>>;

/** The values that a chart keeps of its cells. */
function newCache(cache: XmlNode, columns: Columns): XmlNode {
  const isNumber = localName(cache) === "numCache";
  const textOf = (cell: Columns[number][number]): string | undefined => {
    if (cell === undefined) return undefined;
    return isNumber ? chartNumber(cell)?.toString() : String(cell.value);
  };
  const flat = columns.flat().map(textOf);
  const length = localName(cache) === "multiLvlStrCache" ? (columns[0]?.length ?? 0) : flat.length;
  const count = node(cache, "ptCount", { val: String(length) });
  const format = childNode(cache, "formatCode");
  const values =
    localName(cache) === "multiLvlStrCache"
      ? // The innermost level is the last column.
        columns.toReversed().map((column) => node(cache, "lvl", {}, points(cache, column.map(textOf))))
      : points(cache, flat);
  return { ...cache, children: [...(format === undefined ? [] : [format]), count, ...values] };
}

/** Moves the ranges of a chart, and shows the values that are in them now. */
function fillChartPart(root: XmlNode, cells: ChartCells, rangeNow: (formula: string) => string): void {
  const visit = (parent: XmlNode): void => {
    const formula = childNode(parent, "f");
    if (formula !== undefined && childNodes(parent).some((one) => CACHES.has(localName(one)))) {
      const now = rangeNow(ownText(formula));
      formula.children = [now];
      const columns = cells.columnsOf(now);
      parent.children = childNodes(parent).map((one) =>
        CACHES.has(localName(one)) && columns !== undefined ? newCache(one, columns) : one,
      );
    } else for (const child of childNodes(parent)) visit(child);
  };
  visit(root);
}

/**
 * Fills a chart's workbook with the values of its slide, and the chart with what the workbook has then.
 * @param chart parts of the slide as it is filled @throws BadRequest for values that a cell does not take
 */
export async function fillChart(
  office: TemplatePackage,
  { part, workbook }: Pick<SlideChart, "part" | "workbook">,
  scope: TagScope,
): Promise<void> {
  const [chart, data] = [office.read(part), office.read(workbook)];
  if (chart === undefined || data === undefined) return;
  const request = { fields: visibleValues(scope), images: new Map<string, Uint8Array>() };
  const options = { flatten: false, missingIsError: false, ignoreUnknown: true };
  const { bytes, rangeNow } = await fillChartWorkbook(data, { ...request, ...options });
  office.write(workbook, bytes);
  const root = parseTree(chart);
  fillChartPart(root, new ChartCells(bytes), rangeNow);
  office.write(part, writeTree(root));
}
