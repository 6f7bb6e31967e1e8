/** Opens a PDF without reading its objects. */
import { PDFContext, PDFDict, PDFDocument, PDFHeader, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";
import { type CrossReferences, readCrossReferences } from "./cross-references.ts";
import { ObjectReader, ReadingBudget, textAt, UnusualFile } from "./file-reader.ts";
import { LazyObjects, OBJECTS_MEMBER } from "./lazy-objects.ts";

const HEADER = /^%PDF-(\d{1,2})\.(\d{1,2})(?!\d)/u;
const MAX_HEADER_BYTES = 16;

/** @throws UnusualFile for a file that begins otherwise: its offsets may count from elsewhere */
function headerOf(file: Buffer): PDFHeader {
  const found = HEADER.exec(textAt(file, 0, MAX_HEADER_BYTES));
  if (found === null) throw new UnusualFile("no header at the beginning");
  return PDFHeader.forVersion(Number(found[1]), Number(found[2]));
}

/** The newest entry of the trailers. */
function trailerEntry({ trailers }: CrossReferences, key: string): PDFObject | undefined {
  const name = PDFName.of(key);
  return trailers.find((trailer) => trailer.has(name))?.get(name);
}

function describe(context: PDFContext, file: Buffer, references: CrossReferences): void {
  if (trailerEntry(references, "Encrypt") !== undefined) throw new UnusualFile("encrypted");
  const size = trailerEntry(references, "Size");
  const [Root, Info, ID] = ["Root", "Info", "ID"].map((key) => trailerEntry(references, key));
  context.header = headerOf(file);
  context.isDecrypted = false;
  context.largestObjectNumber = references.largestObjectNumber;
  context.trailerInfo = {
    ...(size instanceof PDFNumber ? { Size: size } : {}),
    ...(Root === undefined ? {} : { Root }),
    ...(Info === undefined ? {} : { Info }),
    ...(ID === undefined ? {} : { ID }),
  };
  context.pdfFileDetails.pdfSize = file.length;
  context.pdfFileDetails.prevStartXRef = references.startOffset;
  context.pdfFileDetails.useObjectStreams = references.hasStreams;
}

/**
 * Opens a sound PDF without encryption, whose objects are read as they are asked for.
 * @returns undefined for any other file
 */
export function openLazily(bytes: Uint8Array): { document: PDFDocument; objects: LazyObjects } | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const context = PDFContext.create();
  const budget = new ReadingBudget(file.length);
  try {
    const reader = new ObjectReader(bytes, context, budget);
    const references = readCrossReferences(file, reader, budget);
    describe(context, file, references);
    const objects = new LazyObjects({ file, context, reader, budget, references });
    Reflect.set(context, OBJECTS_MEMBER, objects);
    const catalog = context.lookup(context.trailerInfo.Root);
    const isCatalog = catalog instanceof PDFDict && catalog.get(PDFName.of("Type")) === PDFName.of("Catalog");
    if (!isCatalog) return undefined;
    // The library makes documents from whole files only: context, ignoreEncryption, updateMetadata, preserveXFA.
    const document = Reflect.construct(PDFDocument, [context, false, false, true]) as PDFDocument;
    return { document, objects };
  } catch {
    // Besides unusual files, faults nobody thought of: reading from front to back tells what the file is.
    return undefined;
  }
}
