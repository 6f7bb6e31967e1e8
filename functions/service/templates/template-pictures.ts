/** Pictures of a template, which the values of a fill name by `{"_ref": path}`. */
import { pictureTypeOf } from "../../engine/readers/sniff-media-type.ts";
import { BadRequest, ConditionFailed, Conflict, PayloadTooLarge, UnsupportedMediaType } from "../../ports/errors.ts";
import { JPEG, PNG } from "../../ports/media-types.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  PICTURE_PREFIX,
  pictureFile,
  pictureKey,
  type TemplatePicture,
  templateKey,
  templatePartition,
} from "./template-records.ts";
import { loadTemplate, unknownTemplate } from "./templates.ts";

/** Most pictures of a template. */
export const MAX_PICTURES = 50;
/** Most bytes of a picture: a photograph of 12 megapixels as JPEG. */
export const MAX_PICTURE_BYTES = 5_000_000;
/** Most bytes of a template's pictures: a fill takes those that its values may name into memory. */
export const MAX_PICTURES_BYTES = 20_000_000;
/** Most characters of a picture's key, which is part of a record's key of 1,024 bytes. */
export const MAX_KEY_CHARS = 200;

/** Most paths that a fill looks up: each picture of a template, and some that are none. */
const MAX_PATHS = 2 * MAX_PICTURES;

const PATH_PREFIX = "images/";
const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB (${bytes.toLocaleString("en-US")} bytes)`;

/** The path by which a value names a picture; its last part is the key in the characters of an address. */
export const picturePath = (key: string): string => PATH_PREFIX + encodeURIComponent(key.toWellFormed());

export interface PictureUpload {
  /** File name as sent. */
  key: string;
  bytes: Uint8Array;
}

/** The media type by the picture's content. @throws UnsupportedMediaType */
function pictureType({ key, bytes }: PictureUpload): string {
  const found = pictureTypeOf(bytes);
  if (found !== PNG && found !== JPEG) {
    throw new UnsupportedMediaType(`The picture ${JSON.stringify(key)} is neither PNG nor JPEG; convert it first`);
  }
  return found;
}

function checkPictures(pictures: readonly PictureUpload[]): void {
  if (pictures.length === 0) throw new BadRequest("Send the pictures as parts 'images' of a multipart/form-data body");
  for (const { key, bytes } of pictures) {
    if (key === "") throw new BadRequest("Each part 'images' has a file name, which is the picture's key");
    if (key.length > MAX_KEY_CHARS) {
      throw new BadRequest(`A picture's file name has at most ${MAX_KEY_CHARS} characters; send a shorter one`);
    }
    if (bytes.length > MAX_PICTURE_BYTES) {
      throw new PayloadTooLarge(`The picture ${JSON.stringify(key)} is over ${megabytes(MAX_PICTURE_BYTES)}`);
    }
  }
}

/** All pictures of a template, by key. */
async function loadPictures(org: Organization, template: string): Promise<TemplatePicture[]> {
  const query = { partition: templatePartition(template), prefix: PICTURE_PREFIX, limit: 1000 };
  const found: TemplatePicture[] = [];
  for await (const { value } of queryAll<TemplatePicture>(org.records, query)) found.push(value);
  return found;
}

/** @throws Conflict, PayloadTooLarge */
function checkRoom(before: readonly TemplatePicture[], pictures: readonly PictureUpload[]): void {
  const sizes = new Map(before.map(({ key, sizeBytes }) => [key, sizeBytes]));
  for (const { key, bytes } of pictures) sizes.set(key, bytes.length);
  if (sizes.size > MAX_PICTURES) {
    throw new Conflict(
      `A template keeps at most ${MAX_PICTURES} pictures; one sent under the name of an earlier one takes its place`,
    );
  }
  if ([...sizes.values()].reduce((sum, size) => sum + size, 0) > MAX_PICTURES_BYTES) {
    throw new PayloadTooLarge(`The pictures of a template have at most ${megabytes(MAX_PICTURES_BYTES)} together`);
  }
}

/**
 * Stores pictures of a template; one of the same key takes an earlier one's place.
 * @returns the path of each by its key
 * @throws NotFound for an unknown template; BadRequest, PayloadTooLarge, UnsupportedMediaType for pictures that cannot be
 *   taken; Conflict when there are too many
 */
export async function storePictures(
  org: Organization,
  name: string,
  pictures: readonly PictureUpload[],
): Promise<Record<string, string>> {
  const { guid: template } = (await loadTemplate(org, name)).value;
  checkPictures(pictures);
  const typed = pictures.map((one) => ({ ...one, contentType: pictureType(one) }));
  const before = await loadPictures(org, template);
  checkRoom(before, pictures);
  for (const { key, bytes, contentType } of typed) {
    const guid = org.engines.clock.guid();
    const stored: TemplatePicture = { v: 1, key, guid, contentType, sizeBytes: bytes.length };
    await org.blobs.put(pictureFile(template, guid), bytes, { contentType });
    try {
      await org.records.transact([
        { kind: "check", key: templateKey(name), condition: { ifPresent: true } },
        { kind: "put", key: pictureKey(template, key), value: stored },
      ]);
    } catch (error) {
      await org.blobs.delete(pictureFile(template, guid));
      throw error instanceof ConditionFailed ? unknownTemplate(name) : error;
    }
    const replaced = before.find((one) => one.key === key);
    if (replaced !== undefined) await org.blobs.delete(pictureFile(template, replaced.guid));
  }
  return Object.fromEntries(pictures.map(({ key }) => [key, picturePath(key)]));
}

/** Tries to read a picture; one that another upload replaced meanwhile is looked up anew. */
const MAX_READ_ATTEMPTS = 3;

/** The key in a path; undefined for a path that no picture has. */
function keyOf(path: string): string | undefined {
  if (!path.startsWith(PATH_PREFIX)) return undefined;
  try {
    const key = decodeURIComponent(path.slice(PATH_PREFIX.length));
    return key === "" || key.length > MAX_KEY_CHARS ? undefined : key;
  } catch {
    return undefined;
  }
}

async function loadPicture(org: Organization, template: string, key: string): Promise<Uint8Array | undefined> {
  for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt += 1) {
    const record = await org.records.get<TemplatePicture>(pictureKey(template, key));
    if (record === undefined) return undefined;
    const bytes = await org.blobs.get(pictureFile(template, record.value.guid));
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** Loads the pictures at these paths; unknown paths are left out. */
export async function picturesAt(
  org: Organization,
  template: string,
  paths: readonly string[],
): Promise<{ ref: string; bytes: Uint8Array }[]> {
  const found: { ref: string; bytes: Uint8Array }[] = [];
  for (const ref of paths.slice(0, MAX_PATHS)) {
    const key = keyOf(ref);
    const bytes = key === undefined ? undefined : await loadPicture(org, template, key);
    if (bytes !== undefined) found.push({ ref, bytes });
  }
  return found;
}
