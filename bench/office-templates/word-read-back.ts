/** Word templates filled with distinct values, and read back through their XML, through LibreOffice and by this project. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockLines, lineText } from "../../functions/engine/layout/page-words.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { dataRange, listZip } from "../../functions/engine/readers/zip-archive.ts";
import { openTemplatePackage } from "../../functions/engine/templates/office/template-package.ts";
import { openWord } from "../../functions/engine/templates/word/open-word.ts";
import { describeWord, fillWord } from "../../functions/engine/templates/word/word-template.ts";
import { DOCX } from "../../functions/ports/media-types.ts";
import { distinctValues } from "./distinct-values.ts";

export interface ReadBack {
  name: string;
  /** Values that the filled document is to show. */
  values: number;
  /** Values that each way to read it does not find. */
  lost: Record<"xml" | "libreoffice" | "reader", string[]>;
  /** Parts without fields whose packed bytes differ. */
  changedParts: string[];
}

/** True when LibreOffice and poppler are there. */
export const hasLibreOffice = (): boolean =>
  spawnSync("soffice", ["--version"]).error === undefined && spawnSync("pdftotext", ["-v"]).error === undefined;

/** Letters in capitals that a style shows are the same value; so are texts that lines divide. */
const plain = (text: string): string => text.replaceAll(/\s/gu, "").toLowerCase();

/** Texts of documents as LibreOffice lays them out. */
export function libreOfficeTexts(documents: readonly Uint8Array[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-word-"));
  try {
    const files = documents.map((bytes, index) => {
      const file = join(folder, `filled${index}.docx`);
      writeFileSync(file, bytes);
      return file;
    });
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    execFileSync("soffice", [profile, "--headless", "--convert-to", "pdf", "--outdir", folder, ...files], {
      stdio: "ignore",
    });
    return files.map((file) => {
      const pdf = file.replace(/docx$/u, "pdf");
      execFileSync("pdftotext", ["-layout", pdf]);
      return readFileSync(pdf.replace(/pdf$/u, "txt"), "utf8");
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function xmlText(bytes: Uint8Array): string {
  const office = openTemplatePackage(bytes);
  return office.names
    .filter((name) => /^word\/[^/]*\.xml$/u.test(name))
    .map((name) => new TextDecoder().decode(office.read(name)).replaceAll(/<[^>]*>/gu, ""))
    .join("\n");
}

async function ownText(bytes: Uint8Array): Promise<string> {
  const { layout } = await readDocument(bytes, { mimeType: DOCX });
  return layout.pages
    .flatMap(({ blocks }) => blocks.flatMap(blockLines))
    .map(lineText)
    .join("\n");
}

const packedParts = (bytes: Uint8Array): Map<string, Buffer> =>
  new Map(
    (listZip(bytes) ?? []).map((entry) => {
      const { start, end } = dataRange(bytes, entry);
      return [entry.name, Buffer.from(bytes.subarray(start, end))];
    }),
  );

/** Parts that a fill may change: those with fields, data that controls show, and what states the file's type. */
function changedParts(before: Uint8Array, after: Uint8Array): string[] {
  const filled = new Set(openWord(before).parts.map(({ name }) => name));
  const own = packedParts(after);
  return [...packedParts(before)]
    .filter(([name]) => !filled.has(name) && !/^(?:docProps|customXml)\/|^\[Content_Types\]/u.test(name))
    .filter(([name, bytes]) => !own.get(name)?.equals(bytes))
    .map(([name]) => name);
}

/** Fills templates with distinct values and reads them back. @param templates that have fields, by name */
export async function readBack(templates: ReadonlyMap<string, Uint8Array>): Promise<ReadBack[]> {
  const filled: { name: string; before: Uint8Array; bytes: Uint8Array; shown: string[] }[] = [];
  for (const [name, before] of templates) {
    const { values, shown } = distinctValues((await describeWord(before)).fields);
    const request = { fields: values, images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };
    filled.push({ name, before, bytes: (await fillWord(before, request)).bytes, shown });
  }
  const drawn = hasLibreOffice() ? libreOfficeTexts(filled.map(({ bytes }) => bytes)) : undefined;
  const results: ReadBack[] = [];
  for (const [index, { name, before, bytes, shown }] of filled.entries()) {
    const lostIn = (text: string): string[] => shown.filter((value) => !plain(text).includes(plain(value)));
    results.push({
      name,
      values: shown.length,
      lost: {
        xml: lostIn(xmlText(bytes)),
        libreoffice: drawn === undefined ? [] : lostIn(drawn[index] ?? ""),
        reader: lostIn(await ownText(bytes)),
      },
      changedParts: changedParts(before, bytes),
    });
  }
  return results;
}
