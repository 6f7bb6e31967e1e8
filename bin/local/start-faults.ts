/** Sentences for a start that the data folder or its machine makes impossible. */
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

/** A ConfigError for a fault of the data folder or its machine; any other error unchanged. */
export function startFault(error: unknown, dataDir: string): unknown {
  if (error instanceof UnusableRecords) return new ConfigError(error.message);
  const code = errorCode(error);
  const sentence = code !== undefined && Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return error instanceof ConfigError || sentence === undefined ? error : new ConfigError(sentence(dataDir));
}
