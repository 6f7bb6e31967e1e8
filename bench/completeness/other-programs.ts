/**
 * Lists set by other programs than the generated pages: LibreOffice, a spreadsheet writer, plain text, an SVG renderer
 * whose picture is recognised; and rotated pages of other media types. Programs that are not installed are left out
 * with a warning.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { degrees, PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import sharp from "sharp";
import writeExcelFile from "write-excel-file/node";
import { CSV, DOCX, MARKDOWN, PDF, PLAIN_TEXT, PNG, XLSX } from "../../functions/ports/media-types.ts";
import { degradeLikeScan } from "../ocr/pages.ts";
import { type ListColumn, money, type Row, roundToCents } from "./articles.ts";
import { seededRandom } from "./typeset.ts";

export interface OtherDocument {
  name: string;
  bytes: Uint8Array;
  mimeType: string;
  rows: Row[];
}

export const SHIPMENT: readonly ListColumn[] = [
  { name: "tracking", type: "string" },
  { name: "sent", type: "date" },
  { name: "destination", type: "string" },
  { name: "weight", type: "number" },
  { name: "fee", type: "number" },
];
const HEADINGS = ["Tracking", "Sent", "Destination", "Weight (kg)", "Fee (EUR)"];
const PLACES = "Lyon,Gent,Porto,Turin,Malmö,Leeds,Graz,Brno,Cork,Vigo,Basel,Lille,Tartu,Split".split(",");

function shipments(count: number, seed: number): Row[] {
  const next = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => ({
    tracking: `SH${10_000_000 + Math.floor(next() * 89_999_999)}`,
    sent: new Date(Date.UTC(2024, 1, 1 + Math.floor(at / 4))).toISOString().slice(0, 10),
    destination: `${PLACES[Math.floor(next() * PLACES.length)]} ${["North", "Harbour", "Depot"][at % 3]}`,
    weight: Math.round(5 + next() * 900) / 10,
    fee: roundToCents(2 + next() * 140),
  }));
}

const textsOf = ({ tracking, sent, destination, weight, fee }: Row): string[] => [
  String(tracking),
  String(sent),
  String(destination),
  Number(weight).toFixed(1),
  money(Number(fee)),
];

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function csv(rows: readonly Row[]): Uint8Array {
  const lines = [HEADINGS, ...rows.map((row) => textsOf(row).map((text) => text.replace(",", "").replace(".", ",")))];
  return encode(lines.map((cells) => cells.map((cell) => `"${cell}"`).join(";")).join("\r\n"));
}

const COLUMN_WIDTHS = [12, 12, 18, 12, 12];

function plainText(rows: readonly Row[]): Uint8Array {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at > 2 ? cell.padStart(COLUMN_WIDTHS[at] ?? 0) : cell.padEnd(COLUMN_WIDTHS[at] ?? 0)))
      .join(" ");
  const rule = "-".repeat(COLUMN_WIDTHS.reduce((sum, width) => sum + width + 1, -1));
  return encode(
    ["SHIPMENTS OF THE QUARTER", "", line(HEADINGS), rule, ...rows.map((row) => line(textsOf(row)))].join("\n"),
  );
}

const markdown = (rows: readonly Row[]): Uint8Array =>
  encode(
    [
      "# Shipments",
      "",
      ...[HEADINGS, HEADINGS.map(() => "---"), ...rows.map(textsOf)].map((cells) => `| ${cells.join(" | ")} |`),
    ].join("\n"),
  );

async function workbook(rows: readonly Row[]): Promise<Uint8Array> {
  const cells = rows.map((row) => Object.values(row).map((value) => ({ value })));
  return new Uint8Array(await writeExcelFile([HEADINGS.map((value) => ({ value })), ...cells]).toBuffer());
}

const html = (rows: readonly Row[]): string =>
  `<html><body style="font-family:'DejaVu Serif'"><h2>Shipments of the quarter</h2><table border="1" width="100%"><thead>
<tr>${HEADINGS.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>${rows
    .map(
      (row) =>
        `<tr>${textsOf(row)
          .map((text) => `<td>${text}</td>`)
          .join("")}</tr>`,
    )
    .join("\n")}</tbody></table></body></html>`;

/** Runs a program over a file in a folder of its own. @returns its output file; undefined if it is not installed */
async function runProgram(
  program: string,
  args: readonly string[],
  given: string,
  out: string,
): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), "completeness-"));
  try {
    await writeFile(path.join(folder, "list.html"), given);
    const { error, status } = spawnSync(program, args, {
      cwd: folder,
      timeout: 120_000,
      env: { ...process.env, HOME: folder },
    });
    if (error === undefined && status === 0) return new Uint8Array(await readFile(path.join(folder, out)));
    console.warn(`NOT MEASURED: ${program} does not run here`);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const convertedByOffice = (rows: readonly Row[], kind: "pdf" | "docx"): Promise<Uint8Array | undefined> => {
  const filter = kind === "pdf" ? "pdf:writer_web_pdf_Export" : "docx:MS Word 2007 XML";
  const args = [
    "--headless",
    "--norestore",
    ...(kind === "docx" ? ["--writer"] : []),
    "--convert-to",
    filter,
    "list.html",
  ];
  return runProgram("soffice", args, html(rows), `list.${kind}`);
};

/** Landscape pages as printer drivers write them: portrait, rotated by 90 degrees, word by word. */
async function turnedPdf(rows: readonly Row[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const LEFTS = [50, 160, 260, 470, 570];
  const PAGE_ROWS = 34;
  for (let from = 0; from < rows.length; from += PAGE_ROWS) {
    const page = document.addPage([595, 842]);
    page.setRotation(degrees(90));
    const set = (cells: readonly string[], line: number): void => {
      for (const [at, cell] of cells.entries()) {
        let x = LEFTS[at] ?? 0;
        for (const word of cell.split(" ")) {
          page.drawText(word, { x: 60 + line * 14, y: x, size: 10, font, rotate: degrees(90) });
          x += font.widthOfTextAtSize(`${word} `, 10);
        }
      }
    };
    set(HEADINGS, 0);
    for (const [at, row] of rows.slice(from, from + PAGE_ROWS).entries()) set(textsOf(row), at + 1);
  }
  return document.save();
}

/** A page as a picture, 8.27 inches wide. @param size font size in points @param dpi resolution of the picture */
async function picture(rows: readonly Row[], size: number, dpi: number): Promise<Uint8Array> {
  const unit = dpi / 72;
  const lefts = [50, 150, 240, 410, 500];
  const line = (cells: readonly string[], at: number, weight: string): string =>
    cells
      .map(
        (cell, column) =>
          `<text x="${(lefts[column] ?? 0) * unit}" y="${(70 + at * size * 1.6) * unit}" font-weight="${weight}">${cell}</text>`,
      )
      .join("");
  const height = Math.round((110 + (rows.length + 1) * size * 1.6) * unit);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(595 * unit)}" height="${height}"><rect width="100%" height="100%" fill="white"/>
<g font-family="DejaVu Sans" font-size="${size * unit}">${[line(HEADINGS, 0, "bold"), ...rows.map((row, at) => line(textsOf(row), at + 1, "normal"))].join("")}</g></svg>`;
  return sharp(await degradeLikeScan(await sharp(Buffer.from(svg)).png().toBuffer()))
    .png()
    .toBuffer();
}

/** Each document with its rows. */
export async function* otherDocuments(): AsyncGenerator<OtherDocument> {
  const kinds: [string, string, number, (rows: readonly Row[]) => Promise<Uint8Array | undefined> | Uint8Array][] = [
    ["csv", CSV, 300, csv],
    ["plain text", PLAIN_TEXT, 120, plainText],
    ["markdown", MARKDOWN, 300, markdown],
    ["spreadsheet", XLSX, 300, workbook],
    ["libreoffice pdf", PDF, 120, (rows) => convertedByOffice(rows, "pdf")],
    ["libreoffice docx", DOCX, 120, (rows) => convertedByOffice(rows, "docx")],
    ["turned pages", PDF, 120, turnedPdf],
    ["picture, 10 pt", PNG, 30, (rows) => picture(rows, 10, 150)],
    ["picture, 8 pt", PNG, 40, (rows) => picture(rows, 8, 150)],
  ];
  for (const [at, [name, mimeType, count, make]] of kinds.entries()) {
    const rows = shipments(count, 77 + at);
    const bytes = await make(rows);
    if (bytes !== undefined) yield { name, bytes, mimeType, rows };
  }
}
