/** Files of a moment: of each file the version that was current then, copied to another bucket. */
import {
  CopyObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from "@aws-sdk/client-s3";

/** A version of a file, or the marker of its deletion. */
export interface FileVersion {
  key: string;
  /** Milliseconds since 1970; S3 tells whole seconds. */
  at: number;
  versionId: string;
  deletion: boolean;
  latest: boolean;
}

/** Copies of files at once: far below the 3,500 writes a second of a prefix. */
const PARALLEL_COPIES = 16;
/** The organizations' files; those below tmp/ belong to no job yet. */
const FILES_PREFIX = "org/";

/**
 * The versions of one file: the one that was current at a moment.
 * @param at milliseconds since 1970 @returns undefined for a file that did not exist then
 */
export function versionAt(versions: readonly FileVersion[], at: number): FileVersion | undefined {
  const past = versions.filter((version) => version.at <= at);
  const newest = Math.max(...past.map((version) => version.at));
  // Several within one second: the latest of all, else a file rather than its deletion, as a file too many does no harm.
  const last = past.filter((version) => version.at === newest);
  const found = last.find(({ latest }) => latest) ?? last.find(({ deletion }) => !deletion) ?? last[0];
  return found?.deletion === false ? found : undefined;
}

/** All versions, file by file, in the order of their keys. */
async function* versionsByFile(client: S3Client, bucket: string): AsyncGenerator<FileVersion[]> {
  let pending: FileVersion[] = [];
  let marker: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
  while (marker !== undefined) {
    const command = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: FILES_PREFIX, ...marker });
    const page: ListObjectVersionsCommandOutput = await client.send(command);
    const listed = [
      ...(page.Versions ?? []).map((one) => ({ one, deletion: false })),
      ...(page.DeleteMarkers ?? []).map((one) => ({ one, deletion: true })),
    ];
    for (const { one, deletion } of listed) {
      const { Key: key = "", LastModified, VersionId: versionId = "null", IsLatest: latest = false } = one;
      pending.push({ key, at: LastModified?.getTime() ?? 0, versionId, deletion, latest });
    }
    const more = page.IsTruncated === true;
    const groups = Map.groupBy(pending, ({ key }) => key);
    // The versions of a page's last file may go on with the next page.
    const lastKey = more ? [...groups.keys()].sort().at(-1) : undefined;
    pending = (lastKey === undefined ? undefined : groups.get(lastKey)) ?? [];
    for (const [key, versions] of groups) if (key !== lastKey) yield versions;
    marker = more
      ? {
          ...(page.NextKeyMarker === undefined ? {} : { KeyMarker: page.NextKeyMarker }),
          ...(page.NextVersionIdMarker === undefined ? {} : { VersionIdMarker: page.NextVersionIdMarker }),
        }
      : undefined;
  }
}

/** @param at milliseconds since 1970 @returns the number of files */
export async function copyFiles(
  client: S3Client,
  { from, to, at }: { from: string; to: string; at: number },
): Promise<number> {
  let copied = 0;
  const copies = new Set<Promise<void>>();
  const copy = async ({ key, versionId }: FileVersion): Promise<void> => {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const CopySource = `${from}/${path}?versionId=${encodeURIComponent(versionId)}`;
    await client.send(new CopyObjectCommand({ Bucket: to, Key: key, CopySource }));
    copied += 1;
  };
  for await (const versions of versionsByFile(client, from)) {
    const version = versionAt(versions, at);
    if (version === undefined) continue;
    const running: Promise<void> = copy(version).finally(() => copies.delete(running));
    copies.add(running);
    if (copies.size >= PARALLEL_COPIES) await Promise.race(copies);
  }
  await Promise.all(copies);
  return copied;
}

/** The keys of the organizations' files in a bucket. */
export async function listFiles(client: S3Client, bucket: string): Promise<Set<string>> {
  const keys = new Set<string>();
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: FILES_PREFIX,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      }),
    );
    for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.add(Key);
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return keys;
}
