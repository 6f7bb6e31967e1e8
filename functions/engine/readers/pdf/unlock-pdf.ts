/** Undoes the encryption of a PDF that opens with a password, in memory: every reader then sees a plain file. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import { passwordSpellings } from "./password-spellings.ts";
import { corrupted, documentFault, isPasswordFault, isTrap } from "./pdf-faults.ts";
import { discardPdfium, loadPdfium, type Pdfium, withMemory } from "./pdfium.ts";

/** FPDF_REMOVE_SECURITY, fpdf_save.h: the copy is not encrypted. */
const SAVE_WITHOUT_SECURITY = 3;

/** Opens a file. @param spelling bytes of the password; none: the empty one @returns undefined where it is another one */
function openWith(pdfium: Pdfium, data: number, length: number, spelling: Uint8Array): number | undefined {
  return withMemory(pdfium, spelling.length + 1, (password) => {
    const memory = pdfium.bytes();
    memory.set(spelling, password);
    memory[password + spelling.length] = 0;
    try {
      const document = pdfium.call.FPDF_LoadMemDocument(data, length, password);
      if (document !== 0) return document;
      const fault = pdfium.call.FPDF_GetLastError();
      if (isPasswordFault(fault)) return undefined;
      throw documentFault(fault);
    } finally {
      pdfium.bytes().fill(0, password, password + spelling.length);
    }
  });
}

/** A copy of an open document without its encryption. @throws JobFailure (corrupted) */
function plainCopy(pdfium: Pdfium, document: number): Uint8Array {
  const { call } = pdfium;
  const writer = call.PDFiumExt_OpenFileWriter();
  try {
    const size = call.FPDF_SaveAsCopy(document, writer, SAVE_WITHOUT_SECURITY)
      ? call.PDFiumExt_GetFileWriterSize(writer)
      : 0;
    if (size === 0) throw corrupted();
    return withMemory(pdfium, size, (copy) => {
      call.PDFiumExt_GetFileWriterData(writer, copy, size);
      return pdfium.bytes().slice(copy, copy + size);
    });
  } finally {
    call.PDFiumExt_CloseFileWriter(writer);
  }
}

function unlocked(pdfium: Pdfium, bytes: Uint8Array, password: string): Uint8Array {
  return withMemory(pdfium, Math.max(bytes.length, 1), (data) => {
    pdfium.bytes().set(bytes, data);
    for (const spelling of [new Uint8Array(), ...passwordSpellings(password)]) {
      const document = openWith(pdfium, data, bytes.length, spelling);
      if (document === undefined) continue;
      try {
        return spelling.length === 0 ? bytes : plainCopy(pdfium, document);
      } finally {
        pdfium.call.FPDF_CloseDocument(document);
      }
    }
    throw new JobFailure(JOB_SENTENCES.wrongPassword);
  });
}

/**
 * Makes a plain copy of a PDF. The password is the user's or the owner's; a file that opens without one is returned as
 * it is.
 * @throws JobFailure: another password opens it; encrypted in an unknown way; corrupted
 */
export async function unlockPdf(bytes: Uint8Array, password: string): Promise<Uint8Array> {
  const pdfium = await loadPdfium();
  try {
    return unlocked(pdfium, bytes, password);
  } catch (error) {
    if (!isTrap(error)) throw error;
    discardPdfium();
    throw corrupted(error);
  }
}
