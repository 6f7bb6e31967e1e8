/** Real presentations with tags, filled whole and read back from their XML and by LibreOffice. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { distinctValues } from "../../bench/office-templates/distinct-values.ts";
import { openPackage } from "../../functions/engine/readers/office/office-package.ts";
import { describePowerPoint } from "../../functions/engine/templates/powerpoint/powerpoint-template.ts";
import type { TemplateField } from "../../functions/engine/templates/template.ts";
import { fillDeck } from "../support/deck-template.ts";

const FOLDER = resolve(import.meta.dirname, "../../../shared/corpus/office-templates");
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".pptx")) : [];
if (files.length === 0) console.warn(`SKIPPED: the corpus is not at ${FOLDER}; no real presentation was filled`);
const hasOffice = spawnSync("soffice", ["--version"]).status === 0 && spawnSync("pdftotext", ["-v"]).status === 0;
if (!hasOffice) console.warn("SKIPPED: LibreOffice or poppler is not installed; no presentation is read back by it");

/** Share of the values that are to be read back. */
const LEAST_READ_BACK = 0.995;

interface Manifest {
  files: { path: string; facts: { placeholder_examples?: string[] } }[];
}

/** Tags that the manifest names, without those that close a section. */
const tagsInManifest = (name: string): string[] => {
  const manifest = JSON.parse(readFileSync(join(FOLDER, "../MANIFEST.json"), "utf8")) as Manifest;
  const entry = manifest.files.find(({ path }) => path === `office-templates/${name}`);
  return (entry?.facts.placeholder_examples ?? [])
    .map((tag) => tag.replaceAll(/[{}#^]/g, "").trim())
    .filter((tag) => !tag.startsWith("/"));
};

const namesOf = (fields: readonly TemplateField[]): string[] =>
  fields.flatMap(({ name, fields: inner }) => [name, ...namesOf(inner)]);

function textByOffice(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-deck-"));
  try {
    writeFileSync(join(folder, "deck.pptx"), bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, "--headless", "--convert-to", "pdf", "--outdir", folder, join(folder, "deck.pptx")];
    execFileSync("soffice", args, { stdio: "ignore" });
    return execFileSync("pdftotext", [join(folder, "deck.pdf"), "-"]).toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const readBack = (text: string, shown: readonly string[]): number =>
  shown.filter((value) => text.includes(value)).length / shown.length;

describe.skipIf(files.length === 0)("a real presentation", () => {
  it.each(files)("lists the fields that the manifest names, and shows every value: %s", async (name) => {
    const bytes = new Uint8Array(readFileSync(join(FOLDER, name)));
    const { fields } = await describePowerPoint(bytes);
    expect(namesOf(fields)).toEqual(expect.arrayContaining(tagsInManifest(name)));
    const { values, shown } = distinctValues(fields, 3);
    const filled = (await fillDeck(bytes, values)).bytes;
    const office = openPackage(filled);
    const xml = office.names
      .filter((part) => part.startsWith("ppt/slides/"))
      .map((part) => new TextDecoder().decode(office.read(part)))
      .join("");
    expect(shown.length).toBeGreaterThan(0);
    expect(readBack(xml, shown)).toBeGreaterThanOrEqual(LEAST_READ_BACK);
    expect(xml).not.toMatch(/\{[#/]?\w+\}/);
    if (hasOffice) expect(readBack(textByOffice(filled), shown)).toBeGreaterThanOrEqual(LEAST_READ_BACK);
  });
});
