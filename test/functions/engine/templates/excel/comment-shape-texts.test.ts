import { describe, expect, it } from "vitest";
import { describeExcel } from "../../../../../functions/engine/templates/excel/excel-template.ts";
import { BadRequest, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { partText, type WorkbookInput, workbookOf } from "../../../../support/excel-workbook.ts";
import { fillWorkbook, numbered, oneSheet } from "../../../../support/fill-excel.ts";

const COMMENTS = "xl/comments1.xml";
const THREADS = "xl/threadedComments/threadedComment1.xml";
const DRAWING = "xl/drawings/drawing1.xml";

interface Texts {
  /** Content of the comment's text at a cell. */
  comment?: readonly [reference: string, text: string];
  thread?: string;
  /** Paragraphs of a shape. */
  shape?: string;
  cells?: Record<string, string>;
}

const shapeOf = (paragraphs: string): string =>
  '<xdr:wsDr xmlns:xdr="urn:xdr" xmlns:a="urn:a"><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>5</xdr:row></xdr:from><xdr:to><xdr:col>3</xdr:col><xdr:row>8</xdr:row></xdr:to>' +
  `<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="2" name="Box 1"/></xdr:nvSpPr><xdr:txBody><a:bodyPr/>${paragraphs}</xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`;
const run = (text: string, look = ""): string => `<a:r>${look}<a:t>${text}</a:t></a:r>`;

function besideCells({ comment, thread, shape, cells = { A1: "N" } }: Texts): WorkbookInput {
  const [reference, text] = comment ?? ["A1", "<t>plain</t>"];
  return {
    ...oneSheet(cells, {
      links: {
        rId1: ["comments", "../comments1.xml"],
        rId2: ["threadedComment", "../threadedComments/threadedComment1.xml"],
        rId3: ["drawing", "../drawings/drawing1.xml"],
      },
      after: '<drawing r:id="rId3"/>',
    }),
    parts: {
      [COMMENTS]: `<comments><authors><author>{{author}}</author></authors><commentList><comment ref="${reference}" authorId="0"><text>${text}</text></comment></commentList></comments>`,
      [THREADS]: `<ThreadedComments><threadedComment ref="A1" id="{0A}"><text>${thread ?? "plain"}</text></threadedComment></ThreadedComments>`,
      [DRAWING]: shapeOf(shape ?? `<a:p>${run("plain")}</a:p>`),
    },
  };
}

const textOfComment = (filled: Uint8Array): string => /<text>(.*)<\/text>/s.exec(partText(filled, COMMENTS))?.[1] ?? "";
const paragraphsOf = (filled: Uint8Array): string =>
  /<a:bodyPr\/>(.*)<\/xdr:txBody>/s.exec(partText(filled, DRAWING))?.[1] ?? "";

describe("tags in comments", () => {
  it("are listed and filled, whatever runs they stand in", async () => {
    const bold = "<rPr><b/></rPr>";
    const input = besideCells({
      comment: [
        "A1",
        `<r>${bold}<t>By {{na</t></r><r><t xml:space="preserve">me}} &amp; {{#firm}}of {{firm}}{{/firm}}</t></r>`,
      ],
    });
    const { fields } = await describeExcel(workbookOf(input));
    expect(fields.map(({ name }) => name)).toEqual(["name", "firm"]);
    const filled = await fillWorkbook(input, { name: "A <B>\nC", firm: "Acme" });
    const text = (content: string): string => `<t xml:space="preserve">${content}</t>`;
    expect(textOfComment(filled)).toBe(
      `<r>${bold}${text("By ")}</r><r>${bold}${text("A &lt;B&gt;\nC")}</r><r>${text(" &amp; ")}</r><r>${text("of ")}</r><r>${text("Acme")}</r>`,
    );
    expect(partText(filled, COMMENTS)).toContain("<author>{{author}}</author>");
  });

  it("are filled in comments that answer each other", async () => {
    const filled = await fillWorkbook(besideCells({ thread: "Ask {{name}}" }), { name: "Ann & Bob" });
    expect(partText(filled, THREADS)).toContain("<text>Ask Ann &amp; Bob</text>");
    expect(textOfComment(filled)).toBe("<t>plain</t>");
  });

  it("move with their cells below repeated rows", async () => {
    const input = besideCells({ comment: ["A4", "<t>{{name}}</t>"], cells: { A2: "${table:items.n}", A4: "Sum" } });
    const dollar = besideCells({ comment: ["A4", "<t>${name}</t>"], cells: { A2: "${table:items.n}", A4: "Sum" } });
    const filled = await fillWorkbook(dollar, { items: numbered(3), name: "Ann" });
    expect(partText(filled, COMMENTS)).toContain('ref="A6" authorId="0"><text><t xml:space="preserve">Ann</t></text>');
    expect(partText(filled, DRAWING)).toContain("<xdr:row>7</xdr:row>");
    // One style of tags goes for the whole file.
    const { fields } = await describeExcel(workbookOf(input));
    expect(fields.map(({ name }) => name)).toEqual(["name"]);
  });

  it.each([
    [
      "in repeated rows",
      { comment: ["A2", "<t>{{n}}</t>"] as const, cells: { A2: "{{#items}}{{n}}", B2: "{{/items}}" } },
      /\{\{n\}\} in sheet Offer, comment at A2 belongs to rows that are repeated/,
    ],
    [
      "that are never closed",
      { comment: ["A1", "<t>{{n</t>"] as const, cells: { A1: "{{name}}" } },
      /\{\{n in sheet Offer, comment at A1 is never closed/,
    ],
    ["that begin a section alone", { comment: ["A1", "<t>{{#n}}</t>"] as const }, /comment at A1 has no other end/],
    ["that ask for a picture", { shape: `<a:p>${run("{{%n}}")}</a:p>` }, /shape "Box 1" asks for a picture/],
    ["that repeat a row", { shape: `<a:p>${run("${table:items.n}")}</a:p>` }, /shape "Box 1" repeats a row/],
  ])("are refused %s", async (_, texts, sentence) => {
    const refused = describeExcel(workbookOf(besideCells(texts)));
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toBeInstanceOf(UnprocessableEntity);
  });

  it("take no more characters than Excel opens", async () => {
    const input = besideCells({ comment: ["A1", "<t>{{name}}</t>"] });
    const filling = fillWorkbook(input, { name: "x".repeat(32_768) });
    await expect(filling).rejects.toThrow(/holds 32,767 characters/);
    await expect(filling).rejects.toBeInstanceOf(BadRequest);
  });
});

describe("tags in shapes", () => {
  it("are filled in their runs, beside fields and line breaks", async () => {
    const look = '<a:rPr lang="de" b="1"/>';
    const shape = `<a:p><a:pPr algn="ctr"/>${run("For {{na", look)}${run("me}}.")}<a:br/>${run("{{place}}")}<a:fld id="{0B}" type="TxLink"><a:t>{{kept}}</a:t></a:fld><a:endParaRPr/></a:p><a:p>${run("plain")}</a:p>`;
    const input = besideCells({ shape });
    const { fields } = await describeExcel(workbookOf(input));
    expect(fields.map(({ name }) => name)).toEqual(["name", "place"]);
    const filled = await fillWorkbook(input, { name: "A & B\nC" });
    expect(paragraphsOf(filled)).toBe(
      `<a:p><a:pPr algn="ctr"/>${run("For ", look)}${run("A &amp; B", look)}<a:br>${look}</a:br>${run("C", look)}${run(".")}<a:br/><a:fld id="{0B}" type="TxLink"><a:t>{{kept}}</a:t></a:fld><a:endParaRPr/></a:p><a:p>${run("plain")}</a:p>`,
    );
  });

  it("leave the bytes of drawings without tags as they are", async () => {
    const input = besideCells({ cells: { A1: "{{name}}" } });
    const filled = await fillWorkbook(input, { name: "Ann" });
    for (const part of [COMMENTS, THREADS, DRAWING]) expect(partText(filled, part)).toBe(input.parts?.[part]);
  });
});
