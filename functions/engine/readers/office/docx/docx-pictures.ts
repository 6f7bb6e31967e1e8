/** The pictures of a Word document as they are in the file, and where they stand in its layout. */
import { type OfficePackage, openPackage } from "../office-package.ts";
import type { PlacedPicture } from "./docx-walker.ts";
import { readWord } from "./read-docx.ts";

export interface DocxPicture {
  /** Of the file in the package: `image1.png`. */
  name: string;
  mimeType: string;
  bytes: Uint8Array;
  /** Empty when the author gave none. */
  altText: string;
  caption?: string;
  /** 1-based logical page of its figure block. */
  page: number;
  /** Position on that page of the block that it stands behind, -1 at the top; the figure's own is the next one. */
  afterBlock: number;
}

/** Pictures beyond these are decoration, or an attempt at something. */
const MOST_PICTURES = 2_000;

const TYPES: Readonly<Record<string, string>> = {
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
    mimeType: TYPES[extension] ?? "application/octet-stream",
    bytes,
    altText: reference.altText,
    ...(caption === undefined ? {} : { caption }),
    page,
    afterBlock: block - 1,
  };
}

/**
 * The pictures of a Word document in the order of its figure blocks, those in headers and notes too; one that stands
 * twice comes twice. Pictures that the file only links to are left out.
 * @throws JobFailure: corrupted; password protected; more of something than can be processed
 */
export function docxPictures(bytes: Uint8Array): DocxPicture[] {
  const office = openPackage(bytes);
  return readWord(office)
    .pictures.slice(0, MOST_PICTURES)
    .flatMap((placed) => readPicture(office, placed) ?? []);
}
