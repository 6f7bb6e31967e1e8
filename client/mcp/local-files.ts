/** Files that the tools may read and write: those below the folders that the server was started for. */
import { open, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileReason } from "../cli/file-reasons.ts";

/** A file that a tool may not use, or cannot; the sentence says which and what to do. */
export class FileRefused extends Error {}

/** Paths are absolute, or relative to the first folder. Links are followed before the folders are compared. */
export class LocalFiles {
  readonly #folders: readonly string[];

  /** @param folders at least one, each with its links resolved */
  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** @throws FileRefused for what is no folder */
  static async below(folders: readonly string[]): Promise<LocalFiles> {
    const real: string[] = [];
    for (const folder of folders) {
      const path = await realpath(folder).catch((error) => {
        throw new FileRefused(`The folder ${folder} cannot be used: ${fileReason(error)}`);
      });
      if (!(await stat(path)).isDirectory()) throw new FileRefused(`${folder} is not a folder`);
      real.push(path);
    }
    return new LocalFiles(real);
  }

  /** The folders, for descriptions. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** The bytes of a file. @throws FileRefused also for one of more than `mostBytes` bytes */
  async read(path: string, mostBytes: number): Promise<Uint8Array> {
    const real = await realpath(this.#absolute(path)).catch((error) => {
      throw new FileRefused(`${path} cannot be read: ${fileReason(error)}`);
    });
    this.#assertInside(path, real);
    const found = await stat(real);
    if (!found.isFile()) throw new FileRefused(`${path} cannot be read: it is not a file`);
    if (found.size > mostBytes) {
      throw new FileRefused(`${path} is over ${mostBytes / 1e6} MB; the service reads documents of up to that size`);
    }
    return readFile(real).catch((error) => {
      throw new FileRefused(`${path} cannot be read: ${fileReason(error)}`);
    });
  }

  /** Writes a new file; none is replaced. @returns its absolute path @throws FileRefused */
  async create(path: string, content: Uint8Array): Promise<string> {
    const real = await this.newPath(path);
    const handle = await open(real, "wx").catch((error) => {
      const exists = error.code === "EEXIST";
      throw new FileRefused(
        exists
          ? `${path} exists, and this tool replaces no file; give another name`
          : `${path} cannot be written: ${fileReason(error)}`,
      );
    });
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    return real;
  }

  /** The absolute path of a file that `create` may write. @throws FileRefused */
  async newPath(path: string): Promise<string> {
    const absolute = this.#absolute(path);
    const folder = await realpath(dirname(absolute)).catch((error) => {
      throw new FileRefused(`${path} cannot be written: ${fileReason(error)}`);
    });
    this.#assertInside(path, folder);
    return join(folder, basename(absolute));
  }

  #absolute(path: string): string {
    if (path.includes("\0")) throw new FileRefused("A path has no NUL character");
    return resolve(this.#folders[0] ?? ".", path);
  }

  #assertInside(path: string, real: string): void {
    const isInside = this.#folders.some((folder) => {
      const way = relative(folder, real);
      return way === "" || (!way.startsWith("..") && !isAbsolute(way));
    });
    if (isInside) return;
    throw new FileRefused(
      `${path} is outside of the folders of this server (${this.#folders.join(", ")}); start \`sheaf mcp\` with --folder and its folder to allow it`,
    );
  }
}
