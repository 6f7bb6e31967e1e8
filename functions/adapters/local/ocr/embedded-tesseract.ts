/** Tesseract as WebAssembly (tesseract.js), in a thread of this process. */
import { fileURLToPath } from "node:url";
import { createWorker, OEM, PSM } from "tesseract.js";
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import { toPgm } from "./picture-files.ts";
import { type Mode, VARIABLES } from "./recognition-tools.ts";
import { parseTsv, type ReadWord } from "./tesseract-tsv.ts";

export interface EmbeddedTesseract {
  /** Recognises one picture at a time. */
  recognize(gray: GrayImage, dpi: number, mode: Mode): Promise<ReadWord[]>;
}

const PSM_OF_MODE: Record<Mode, PSM> = { 3: PSM.AUTO, 6: PSM.SINGLE_BLOCK, 11: PSM.SPARSE_TEXT };

/** Loads the engine and its languages, from packages only. @throws Error when loading fails */
export async function openEmbedded(langs: string[]): Promise<EmbeddedTesseract> {
  const failed = Promise.withResolvers<never>();
  const worker = await Promise.race([
    createWorker(langs, OEM.LSTM_ONLY, {
      workerPath: fileURLToPath(new URL("./tesseract-thread.ts", import.meta.url)),
      langPath: ".", // the thread knows where each language is
      cacheMethod: "none",
      gzip: true,
      // Without a handler tesseract.js throws where nobody can catch; and a start that fails never answers.
      errorHandler: (error: unknown) => failed.reject(new Error(String(error))),
    }),
    failed.promise,
  ]);
  failed.promise.catch(() => undefined); // later failures reject their own call too
  let current: string | undefined;
  return {
    async recognize(gray, dpi, mode) {
      const resolution = Math.round(dpi);
      const parameters = `${mode} ${resolution}`;
      if (parameters !== current) {
        await worker.setParameters({
          tessedit_pageseg_mode: PSM_OF_MODE[mode],
          user_defined_dpi: String(resolution),
          ...VARIABLES,
        });
        current = parameters;
      }
      const { data } = await worker.recognize(Buffer.from(toPgm(gray)), {}, { text: false, tsv: true });
      return parseTsv(data.tsv ?? "", dpi);
    },
  };
}
