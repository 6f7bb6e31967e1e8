/** A workbook whose pivot table sums up the rows of a list. */
import type { WorkbookInput } from "./excel-workbook.ts";
import { relationships } from "./office-parts.ts";

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const PIVOT_CACHE = "xl/pivotCache/pivotCacheDefinition1.xml";
export const PIVOT_RECORDS = "xl/pivotCache/pivotCacheRecords1.xml";
export const PIVOT_TABLE = "xl/pivotTables/pivotTable1.xml";

export interface PivotInput {
  /** Attributes of the source. */
  source?: string;
  /** Cells of the rows that are summed up, on the sheet Data. */
  data?: WorkbookInput["sheets"][number]["cells"];
  /** Place of the pivot table on its sheet. */
  place?: string;
  location?: string;
  /** Puts it on the sheet of its rows. */
  onData?: boolean;
  more?: Partial<WorkbookInput>;
}

const DATA = { A1: "Region", B1: "Amount", A2: "{{#sales}}{{region}}", B2: "{{amount}}", C2: "{{/sales}}" };
/** What Excel shows for the rows of the template. */
const SHOWN = {
  A3: "Row Labels",
  B3: "Sum of Amount",
  A4: "{{#sales}}{{region}}",
  B4: 0,
  A5: "Grand Total",
  B5: 0,
};

const cacheOf = (source: string): string =>
  `<pivotCacheDefinition ${MAIN} ${OFFICE} r:id="rId1" refreshedBy="Ann" createdVersion="6" refreshedVersion="6" minRefreshableVersion="3" recordCount="1"><cacheSource type="worksheet"><worksheetSource ${source}/></cacheSource>` +
  '<cacheFields count="2"><cacheField name="Region" numFmtId="0"><sharedItems count="1"><s v="{{#sales}}{{region}}"/></sharedItems></cacheField><cacheField name="Amount" numFmtId="0"><sharedItems/></cacheField></cacheFields></pivotCacheDefinition>';

const tableOf = (place: string, location: string): string =>
  `<pivotTableDefinition ${MAIN} name="Sales" cacheId="1" applyNumberFormats="0" dataCaption="Values" updatedVersion="6" minRefreshableVersion="3" createdVersion="6" outline="1" outlineData="1">` +
  `<location ref="${place}" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"${location}/><pivotFields count="2"><pivotField axis="axisRow" showAll="0"><items count="2"><item x="0"/><item t="default"/></items></pivotField><pivotField dataField="1" showAll="0"/></pivotFields>` +
  '<rowFields count="1"><field x="0"/></rowFields><rowItems count="2"><i><x/></i><i t="grand"><x/></i></rowItems><colItems count="1"><i/></colItems><dataFields count="1"><dataField name="Sum of Amount" fld="1" baseField="0" baseItem="0"/></dataFields></pivotTableDefinition>';

/** Rows of the list `sales` on the sheet Data, and a pivot table of them on the sheet Report. */
export function pivotWorkbook(input: PivotInput = {}): WorkbookInput {
  const { source = 'ref="A1:B2" sheet="Data"', data = DATA, place = "A3:B5", location = "", onData = false } = input;
  const links = { pivot: ["pivotTable", "../pivotTables/pivotTable1.xml"] as const };
  const { parts = {}, types = {}, ...more } = input.more ?? {};
  return {
    sheets: [
      { name: "Data", cells: data, ...(onData ? { links } : {}) },
      { name: "Report", cells: onData ? {} : { A1: "Report", ...SHOWN }, ...(onData ? {} : { links }) },
    ],
    links: { cache: ["pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"] },
    afterNames: '<pivotCaches><pivotCache cacheId="1" r:id="cache"/></pivotCaches>',
    ...more,
    parts: {
      [PIVOT_CACHE]: cacheOf(source),
      "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": relationships({
        rId1: ["pivotCacheRecords", "pivotCacheRecords1.xml"],
      }),
      [PIVOT_RECORDS]: `<pivotCacheRecords ${MAIN} count="1"><r><x v="0"/><s v="{{amount}}"/></r></pivotCacheRecords>`,
      [PIVOT_TABLE]: tableOf(place, location),
      "xl/pivotTables/_rels/pivotTable1.xml.rels": relationships({
        rId1: ["pivotCacheDefinition", "../pivotCache/pivotCacheDefinition1.xml"],
      }),
      ...parts,
    },
    types: {
      [PIVOT_CACHE]: `${TYPE}.pivotCacheDefinition+xml`,
      [PIVOT_RECORDS]: `${TYPE}.pivotCacheRecords+xml`,
      [PIVOT_TABLE]: `${TYPE}.pivotTable+xml`,
      ...types,
    },
  };
}
