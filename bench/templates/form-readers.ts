/** Programs that draw filled forms: poppler, pdfium and pdf.js. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import { drawWithPdfium } from "./draw-with-pdfium.ts";
import { type DrawnPage, greyOf, POINTS_DPI } from "./drawn-page.ts";

export interface FormReader {
  name: string;
  isThere(): boolean;
  draw(bytes: Uint8Array): Promise<DrawnPage[]>;
}

/** Reads a grey netpbm picture, `P5`. */
function readPgm(file: Buffer): DrawnPage {
  const [header, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/u.exec(file.subarray(0, 64).toString("latin1")) ?? [];
  if (header === undefined) throw new Error("pdftoppm wrote no grey picture");
  return { width: Number(width), height: Number(height), grey: new Uint8Array(file.subarray(header.length)) };
}

const poppler: FormReader = {
  name: "poppler",
  isThere: () => spawnSync("pdftoppm", ["-v"]).error === undefined,
  draw(bytes) {
    const folder = mkdtempSync(path.join(tmpdir(), "sheaf-forms-"));
    try {
      const file = path.join(folder, "form.pdf");
      writeFileSync(file, bytes);
      const run = spawnSync("pdftoppm", [
        "-q",
        "-gray",
        "-cropbox",
        "-r",
        String(POINTS_DPI),
        file,
        path.join(folder, "page"),
      ]);
      if (run.error !== undefined) throw run.error;
      const pages = readdirSync(folder)
        .filter((name) => name.endsWith(".pgm"))
        .sort();
      return Promise.resolve(pages.map((name) => readPgm(readFileSync(path.join(folder, name)))));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const pdfium: FormReader = {
  name: "pdfium",
  isThere: () => true,
  draw: drawWithPdfium,
};

const pdfjs: FormReader = {
  name: "pdf.js",
  isThere: () => true,
  async draw(bytes) {
    const { getDocument, AnnotationMode, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
    const assets = path.join(path.dirname(import.meta.resolve("pdfjs-dist/package.json").replace("file://", "")), "/");
    const loading = getDocument({
      data: bytes.slice(),
      verbosity: VerbosityLevel.ERRORS,
      standardFontDataUrl: `${assets}/standard_fonts/`,
      cMapUrl: `${assets}/cmaps/`,
      wasmUrl: `${assets}/wasm/`,
      useSystemFonts: false,
    });
    const document = await loading.promise;
    const pages: DrawnPage[] = [];
    try {
      for (let number = 1; number <= document.numPages; number += 1) {
        const page = await document.getPage(number);
        const viewport = page.getViewport({ scale: 1 });
        const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)];
        const canvas = createCanvas(width, height);
        const context = canvas.getContext("2d");
        await page.render({
          canvas: null,
          canvasContext: context as never,
          viewport,
          annotationMode: AnnotationMode.ENABLE,
        }).promise;
        pages.push(greyOf(context.getImageData(0, 0, width, height).data, width, height));
      }
    } finally {
      await loading.destroy();
    }
    return pages;
  },
};

export const FORM_READERS: readonly FormReader[] = [poppler, pdfium, pdfjs];
