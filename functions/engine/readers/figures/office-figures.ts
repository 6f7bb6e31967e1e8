/** Finds the figures of office documents: their pictures as they are in the file. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import { DOCX, PPTX, XLSX } from "../../../ports/media-types.ts";
import { type Figure, FigureBudget } from "../../structure/figures/figure.ts";
import { mainPart } from "../office/office-content-types.ts";
import { type OfficePackage, openPackage } from "../office/office-package.ts";
import { findMainPart } from "../office/relationships.ts";
import { newBudget, type XmlBudget } from "../office/xml-parts.ts";
import { isEncryptedOffice } from "../sniff-media-type.ts";
import { encodeFile } from "./figure-encoding.ts";
import { type OfficePicture, sheetPictures, slidePictures, wordPictures } from "./office-pictures.ts";

type PictureFinder = (office: OfficePackage, main: string, budget: XmlBudget) => OfficePicture[];

const PICTURE_FINDERS: Record<string, PictureFinder> = {
  [DOCX]: wordPictures,
  [PPTX]: slidePictures,
  [XLSX]: sheetPictures,
};

/** Side of a figure; smaller is an icon, a bullet, a line. */
const MIN_SIDE_INCHES = 0.2;
const MIN_SIDE_PIXELS = 12;
/** Side of a logo, which is shown once. */
const MAX_LOGO_SIDE_INCHES = 1.8;
/** Drawings in programs' own formats cannot be shown; SVG has a PNG beside it. */
const UNREADABLE = /\.(?:emf|wmf|emz|wmz|svg)$/i;

const isIcon = ({ width, height }: OfficePicture): boolean => {
  const shortest = Math.min(width, height);
  return shortest > 0 && shortest < MIN_SIDE_INCHES;
};

function withoutRepeats(pictures: readonly OfficePicture[]): OfficePicture[] {
  const seen = new Set<string>();
  return pictures.filter(({ part, width, height }) => {
    const again = seen.has(part);
    seen.add(part);
    return !again || (width > MAX_LOGO_SIDE_INCHES && height > MAX_LOGO_SIDE_INCHES);
  });
}

/**
 * Finds the figures of a .docx, .pptx or .xlsx in its order: pictures in the body, on slides, on sheets; with captions,
 * else their alternative text or the text next to them. Nothing outside the file is read.
 * @throws JobFailure: corrupted, password protected
 */
export async function officeFigures(bytes: Uint8Array, mimeType: string): Promise<Figure[]> {
  const find = PICTURE_FINDERS[mimeType];
  if (find === undefined) return [];
  if (isEncryptedOffice(bytes)) throw new JobFailure(JOB_SENTENCES.password);
  const office = openPackage(bytes);
  const budget = newBudget();
  const main = findMainPart(office, mainPart(mimeType) ?? "", budget);
  const pictures = withoutRepeats(find(office, main, budget).filter((picture) => !isIcon(picture)));
  const limits = new FigureBudget();
  const figures: Figure[] = [];
  const perPage = new Map<number, number>();
  for (const { part, pageNumber, bbox, caption, surroundingText } of pictures) {
    const file = limits.spent || UNREADABLE.test(part) ? undefined : office.read(part);
    const encoded = file === undefined ? undefined : await encodeFile(file);
    if (encoded === undefined || Math.min(encoded.width, encoded.height) < MIN_SIDE_PIXELS) continue;
    if (!limits.take(encoded)) continue;
    const number = (perPage.get(pageNumber) ?? 0) + 1;
    perPage.set(pageNumber, number);
    const said = {
      ...(caption === undefined ? {} : { caption }),
      ...(surroundingText === undefined ? {} : { surroundingText }),
    };
    figures.push({ id: `p${pageNumber}f${number}`, pageNumber, bbox, ...encoded, ...said });
  }
  return figures;
}
