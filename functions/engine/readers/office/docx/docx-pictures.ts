/** The pictures of a Word document as they are in the file, with their places in its layout. */
import { type OfficePackage, openPackage } from "../office-package.ts";
import type { PlacedPicture } from "./docx-walker.ts";
import { readWord } from "./read-docx.ts";

export interface DocxPicture {
  /** Name of the file in the package: `image1.png`. */
  name: string;
  mimeType: string;
  bytes: Uint8Array;
  /** Empty when the author gave none. */
  altText: string;
  caption?: string;
  /** Logical page of its figure block, from 1. */
  page: number;
  /** Index on that page of the block before the figure's own, -1 at the top. */
  afterBlock: number;
}

/** Further pictures are decoration, or an attack. */
const MAX_PICTURES = 2_000;

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  jpe: "image/jpeg",
  gif: "image/gif",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  svg: "image/svg+xml",
  emf: "image/emf",
  wmf: "image/wmf",
};

function readPicture(office: OfficePackage, placed: PlacedPicture): DocxPicture | undefined {
  const { reference, relationships, page, block, caption } = placed;
  const target = relationships.get(reference.id);
  // A linked picture is not in the file, and nothing outside it is fetched.
  if (target === undefined || target.external) return undefined;
  const bytes = office.read(target.target);
  if (bytes === undefined) return undefined;
  const name = target.target.slice(target.target.lastIndexOf("/") + 1);
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return {
    name,
    mimeType: TYPE_BY_EXTENSION[extension] ?? "application/octet-stream",
    bytes,
    altText: reference.altText,
    ...(caption === undefined ? {} : { caption }),
    page,
    afterBlock: block - 1,
  };
}

/**
 * The pictures of a Word document in the order of their figure blocks, including headers and notes; a picture placed
 * twice comes twice. Linked pictures are left out.
 * @throws JobFailure: corrupted; password protected; more of something than can be processed
 */
export function docxPictures(bytes: Uint8Array): DocxPicture[] {
  const office = openPackage(bytes);
  return readWord(office)
    .pictures.slice(0, MAX_PICTURES)
    .flatMap((placed) => readPicture(office, placed) ?? []);
}
