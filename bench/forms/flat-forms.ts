/** The forms of the corpus, made flat, with the candidates that detection finds on their pages. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { JudgedCandidate } from "../../functions/engine/forms/detect/confidence.ts";
import type { FormPageContent } from "../../functions/engine/forms/detect/form-page.ts";
import { judgePage } from "../../functions/engine/forms/detect/judge-page.ts";
import { formPageContent } from "../../functions/engine/forms/detect/pdf-page-content.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { inkOf, type PageInk } from "./ink.ts";
import { scannedPages } from "./scanned-pages.ts";
import { stripForm } from "./strip-form.ts";
import { type FormTruth, readTruth } from "./truth.ts";

/** How the pages reach the detector: as the file is, or as pictures of it. */
export type Rendition = "pdf" | "scan";

export interface JudgedPage {
  /** From 1. */
  number: number;
  ink: PageInk;
  content: Pick<FormPageContent, "angle" | "width" | "height">;
  em: number;
  candidates: readonly JudgedCandidate[];
}

export interface FlatForm {
  name: string;
  flat: Uint8Array;
  truth: FormTruth;
  pages: JudgedPage[];
  /** Time of detection alone: reading the page, finding, judging. */
  seconds: number;
}

interface Entry {
  path: string;
  facts: { multi_page_government_30plus?: boolean };
}

/**
 * Forms of which the author left most of the printed places without a widget, judged by eye: a detection there counts as
 * wrong for want of a widget. They are measured, but nothing is fitted to them, and a second figure leaves them out.
 */
const INCOMPLETE: ReadonlySet<string> = new Set(["mi-dhs1426-health-coverage", "mn-ccap-child-care"]);

export const isComplete = ({ name }: { name: string }): boolean => !INCOMPLETE.has(name);

function judge(content: FormPageContent): JudgedPage {
  const { candidates, em } = judgePage(content);
  return { number: content.pageNumber, ink: inkOf(content), content, em, candidates };
}

async function judgePdf(flat: Uint8Array): Promise<Pick<FlatForm, "pages" | "seconds">> {
  const start = performance.now();
  const pages = await withPdf(flat, (document) =>
    Array.from({ length: document.pageCount }, (_, index) =>
      document.withPage(index, (page) => judge(formPageContent(page, index + 1))),
    ),
  );
  return { pages, seconds: (performance.now() - start) / 1000 };
}

async function judgeScan(flat: Uint8Array): Promise<Pick<FlatForm, "pages" | "seconds">> {
  let seconds = 0;
  const pages = await scannedPages(flat, (content, took) => {
    const start = performance.now();
    const judged = judge(content);
    seconds += took + (performance.now() - start) / 1000;
    return judged;
  });
  return { pages, seconds };
}

/** Reads the forms of the corpus that stand for flat forms. @param corpus the folder of MANIFEST.json */
export async function flatForms(corpus: string, rendition: Rendition): Promise<FlatForm[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const files = manifest.files.filter(({ facts }) => facts.multi_page_government_30plus === true);
  return judgeForms(
    files.map((file) => path.join(corpus, file.path)),
    rendition,
  );
}

/** Reads fillable PDFs, flat, with the places that detection finds on them. */
export async function judgeForms(files: readonly string[], rendition: Rendition): Promise<FlatForm[]> {
  const forms: FlatForm[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await readFile(file));
    const [truth, flat] = [await readTruth(bytes), await stripForm(bytes)];
    const judged = rendition === "pdf" ? await judgePdf(flat) : await judgeScan(flat);
    forms.push({ name: path.basename(file, ".pdf"), flat, truth, ...judged });
  }
  return forms;
}
