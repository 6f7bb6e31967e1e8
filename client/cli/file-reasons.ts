const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a file of that name is there",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its links lead in a circle",
  EMFILE: "too many files are open",
};

/** The reason of a failed call on a file or folder, in words; the error's own message where there are none. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** One sentence about a failed call on a file; undefined for an error that names none. */
export function fileSentence(error: unknown): string | undefined {
  if (!(error instanceof Error && "path" in error && "code" in error)) return undefined;
  // The target of a copy, where there is one.
  const path = "dest" in error ? error.dest : error.path;
  return Object.hasOwn(REASONS, String(error.code)) ? `${path} cannot be used: ${fileReason(error)}` : undefined;
}
