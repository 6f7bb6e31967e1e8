/** Reads the corpus' documents like the service: text layers, and pictures with this machine's recognition. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { PDFArray, PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { formEntries } from "../../functions/engine/forms/entries/form-entries.ts";
import { completeDocument } from "../../functions/engine/readers/complete-document.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { run as picture } from "../../functions/engine/tasks/picture.run.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import type { OcrPage } from "../../functions/ports/ocr.ts";

export interface BenchDocument {
  /** The bytes that were read, without embedded files. */
  bytes: Uint8Array;
  layout: Layout;
  /** The number of embedded files that were removed. */
  stripped: number;
  /** Numbers of the pages that needed recognition. */
  recognised: number[];
}

export interface BenchReader {
  /** @param file path of the document */
  read(file: string): Promise<BenchDocument>;
  readBytes(given: Uint8Array, mimeType: string): Promise<BenchDocument>;
  close(): Promise<void>;
}

/** Removes embedded files: an e-invoice carries its own answers. @returns the bytes and the number of removed files */
async function stripAttachments(bytes: Uint8Array): Promise<{ bytes: Uint8Array; stripped: number }> {
  const document = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  const names = document.catalog.lookupMaybe(PDFName.of("Names"), PDFDict);
  const embedded = names?.lookupMaybe(PDFName.of("EmbeddedFiles"), PDFDict)?.lookupMaybe(PDFName.of("Names"), PDFArray);
  const associated = document.catalog.lookupMaybe(PDFName.of("AF"), PDFArray);
  const stripped = Math.max(Math.floor((embedded?.size() ?? 0) / 2), associated?.size() ?? 0);
  if (stripped === 0) return { bytes, stripped };
  for (const [reference, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    if (object.get(PDFName.of("Type")) === PDFName.of("Filespec") || object.has(PDFName.of("EF")))
      document.context.delete(reference);
  }
  names?.delete(PDFName.of("EmbeddedFiles"));
  document.catalog.delete(PDFName.of("AF"));
  return { bytes: await document.save({ updateFieldAppearances: false }), stripped };
}

const READING_TIMEOUT_MS = 300_000;

/**
 * Opens a reader of documents. Pages without text are recognised by the embedded engine with its default language, as
 * on a fresh installation.
 * @param recognise false leaves pictures empty
 */
export function openBenchReader(recognise: boolean): BenchReader {
  const clock = systemClock();
  const ocr = recognise
    ? openLocalOcr({ clock, jobTimeoutSeconds: 300, langs: ["eng"], engine: "embedded", size: 1 })
    : undefined;
  return {
    async read(file) {
      const given = new Uint8Array(await readFile(file));
      return this.readBytes(given, sniffDocument(given, undefined, path.basename(file)).mimeType);
    },
    async readBytes(given, mimeType) {
      const { bytes, stripped } = mimeType === PDF ? await stripAttachments(given) : { bytes: given, stripped: 0 };
      const common = { bytes, stripped };
      const reading = await readDocument(bytes, { mimeType, mayBeEmpty: true }, formEntries);
      if (ocr === undefined || reading.pending.length === 0)
        return { ...common, layout: reading.layout, recognised: [] };
      const pages: OcrPage[] = [];
      for (const pageNumber of reading.pending) {
        const options = {
          mimeType,
          pageNumber,
          level: "DEFAULT" as const,
          maxBytes: ocr.maxImageBytes,
          maxSide: ocr.maxSide,
        };
        const image = await picture.run({ bytes, options });
        const limits = { deadline: clock.now() + READING_TIMEOUT_MS };
        pages.push((await ocr.recognize(image, "DEFAULT", limits)).page);
      }
      const recognition = {
        pages,
        engine: ocr.name,
        level: "DEFAULT",
        ocr: "DEFAULT",
        unread: [],
        mayBeEmpty: true,
      } as const;
      const { layout } = completeDocument(reading, { ...recognition, pages, unread: [] }, formEntries);
      return { ...common, layout, recognised: reading.pending };
    },
    close: async () => ocr?.close(),
  };
}
