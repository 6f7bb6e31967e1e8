/** Presentations with tags, part by part. */

import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { openPackage } from "../../functions/engine/readers/office/office-package.ts";
import { readPowerPoint } from "../../functions/engine/readers/office/pptx/read-pptx.ts";
import { fillPowerPoint } from "../../functions/engine/templates/powerpoint/powerpoint-template.ts";
import type { FillRequest } from "../../functions/engine/templates/template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { type SheetInput, workbookOf } from "./excel-workbook.ts";
import { frame, type Parts, relationships, shape } from "./office-parts.ts";

const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A paragraph whose runs have these texts. */
export const paragraph = (...runs: string[]): string =>
  `<a:p>${runs.map((text) => `<a:r><a:rPr lang="en-US" b="1"/><a:t>${text}</a:t></a:r>`).join("")}</a:p>`;

/** A text box with a paragraph for each text. */
export const textBox = (...texts: string[]): string =>
  shape({ at: frame(1, 1, 4, 2), paragraphs: texts.map((text) => paragraph(text)).join("") });

/** A table with one text a cell. @param attributes of cells, by `row,column` */
export const table = (rows: readonly (readonly string[])[], attributes: Record<string, string> = {}): string =>
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Table 3"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' +
  `<p:xfrm><a:off x="914400" y="3000000"/><a:ext cx="4000000" cy="800000"/></p:xfrm><a:graphic>` +
  '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/>' +
  `<a:tblGrid>${(rows[0] ?? []).map(() => '<a:gridCol w="2000000"/>').join("")}</a:tblGrid>` +
  rows
    .map(
      (cells, row) =>
        `<a:tr h="370840">${cells
          .map(
            (text, column) =>
              `<a:tc ${attributes[`${row},${column}`] ?? ""}><a:txBody><a:bodyPr/><a:lstStyle/>${paragraph(text)}</a:txBody><a:tcPr/></a:tc>`,
          )
          .join(
            "",
          )}<a:extLst><a:ext uri="{0D108BD9-81ED-4DB2-BD59-A6C34878D82A}"><a16:rowId xmlns:a16="http://schemas.microsoft.com/office/drawing/2014/main" val="${7000 + row}"/></a:ext></a:extLst></a:tr>`,
    )
    .join("") +
  "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>";

/** A picture with an alternative text, in a box of four by two inches. @param id of the relationship to its image */
export const pictureShape = (description: string, id: string): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="9" name="Logo" descr="${description}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>` +
  `<p:blipFill><a:blip r:embed="${id}"/><a:srcRect l="10000"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>` +
  `<p:spPr>${frame(1, 1, 4, 2)}<a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;

/** Fills a deck with values. */
export const fillDeck = (
  bytes: Uint8Array,
  fields: JsonObject,
  { images = new Map(), ...options }: Partial<FillRequest> = {},
) => fillPowerPoint(bytes, { fields, images, flatten: false, missingIsError: false, ignoreUnknown: false, ...options });

/** The words of each slide, its notes last, as the service reads them. */
export const slideTexts = (bytes: Uint8Array): string[] =>
  readPowerPoint(openPackage(bytes)).pages.map((page) =>
    pageWords(page)
      .map(({ text }) => text)
      .join(" "),
  );

/** A frame that shows a chart. @param id of the relationship to it */
export const chartFrame = (id: string): string =>
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="6" name="Chart 5"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' +
  '<p:xfrm><a:off x="914400" y="3000000"/><a:ext cx="6000000" cy="3000000"/></p:xfrm><a:graphic>' +
  '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">' +
  `<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`;

const CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart";

/** A chart of bars with its workbook, of one sheet. @param ranges of its categories and its values */
export const chartParts = (cells: SheetInput["cells"], [categories, values]: readonly [string, string]): Parts => ({
  "ppt/charts/chart1.xml":
    `<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}"><c:chart><c:plotArea><c:layout/>` +
    '<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:ser><c:idx val="0"/><c:order val="0"/>' +
    `<c:cat><c:strRef><c:f>${categories}</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>old</c:v></c:pt></c:strCache></c:strRef></c:cat>` +
    `<c:val><c:numRef><c:f>${values}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="1"/><c:pt idx="0"><c:v>9</c:v></c:pt></c:numCache></c:numRef></c:val>` +
    '</c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart>' +
    '<c:catAx><c:axId val="1"/><c:scaling/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx>' +
    '<c:valAx><c:axId val="2"/><c:scaling/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart>' +
    '<c:externalData r:id="book"/></c:chartSpace>',
  "ppt/charts/_rels/chart1.xml.rels": relationships({ book: ["package", "../embeddings/book1.xlsx"] }),
  "ppt/embeddings/book1.xlsx": workbookOf({ sheets: [{ name: "Sheet1", cells }] }),
});
