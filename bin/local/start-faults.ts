/** Sentences for a start that the data folder or its machine makes impossible. */
import { KEY_FILE } from "../../functions/adapters/local/admin/files.ts";
import { UnusableRecords } from "../../functions/adapters/local/records-database.ts";
import { errorCode } from "../../functions/ports/machine-faults.ts";
import { ConfigError } from "../api-keys.ts";

type Sentence = (dataDir: string) => string;

const full: Sentence = (dataDir) =>
  `The disk of the data folder ${dataDir} is full; free some space, or set SHEAF_DATA_DIR to a folder on another disk`;
const unwritable: Sentence = (dataDir) =>
  `The data folder ${dataDir} cannot be written; let this user write to it, or set SHEAF_DATA_DIR to another folder`;
const noHandles: Sentence = () =>
  "There are too few file handles for a start; raise the limit of open files (ulimit -n) to 256 or more";

const SENTENCES: Readonly<Record<string, Sentence>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: unwritable,
  EACCES: unwritable,
  EPERM: unwritable,
  EMFILE: noHandles,
  ENFILE: noHandles,
  ENOMEM: () => "There is too little memory for a start",
  EIO: (dataDir) => `The disk of the data folder ${dataDir} reports an error; look after it, or restore a backup`,
};

/** @param part the path of a part of the data folder that is a file instead of a folder, or a folder instead of a file */
export const misplaced = (part: string, dataDir: string): ConfigError =>
  new ConfigError(
    `The data folder ${dataDir} cannot be used: ${part} is a file where a folder belongs, or a folder where a file belongs; put it back from a backup, or set SHEAF_DATA_DIR to another folder`,
  );

/** The part of the data folder that has the wrong kind; undefined for any other error. */
function misplacedPart(error: unknown, dataDir: string): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  if (error.code !== "ENOTDIR" && error.code !== "EISDIR") return undefined;
  // A read of a folder names no path.
  const path = "path" in error && typeof error.path === "string" ? error.path : `a part of it, such as ${KEY_FILE},`;
  return !path.startsWith("/") || path.startsWith(dataDir) ? path : undefined;
}

/** A ConfigError for a fault of the data folder or its machine; any other error unchanged. */
export function startFault(error: unknown, dataDir: string): unknown {
  if (error instanceof UnusableRecords) return new ConfigError(error.message);
  const part = misplacedPart(error, dataDir);
  if (part !== undefined) return misplaced(part, dataDir);
  const code = errorCode(error);
  const sentence = code !== undefined && Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return error instanceof ConfigError || sentence === undefined ? error : new ConfigError(sentence(dataDir));
}
