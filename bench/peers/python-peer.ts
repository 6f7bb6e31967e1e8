/** A reader of another project, in a Python environment of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { promisify } from "node:util";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/sheaf/peers");
const INSTALL_MS = 180_000;
const SCRIPT = join(import.meta.dirname, "read_pdf.py");

/** The parts that are compared: words in order, Markdown with structure, and the cells of tables. */
export type Work = "words" | "markdown" | "tables";

/** Libraries by name: what pip installs, and what they are compared in. */
export const PEERS: Readonly<Record<string, { install: string; works: readonly Work[] }>> = {
  pymupdf: { install: "PyMuPDF==1.26.5", works: ["words"] },
  pypdfium2: { install: "pypdfium2==4.30.0", works: ["words"] },
  pdfplumber: { install: "pdfplumber==0.11.7", works: ["words", "tables"] },
  kreuzberg: { install: "kreuzberg==4.10.4", works: ["words", "markdown"] },
  camelot: { install: "camelot-py==2.0.0", works: ["tables"] },
};

export interface PeerAnswer {
  /** Words, or texts of cells. */
  words: string[];
  /** In milliseconds, within the library's process. */
  wall: number;
  cpu: number;
  error?: string;
}

const call = promisify(execFile);

/** Installs a library once. @throws with the last line that Python or pip said */
async function pythonOf(name: string): Promise<string> {
  const wanted = PEERS[name]?.install ?? name;
  const home = join(CACHE, wanted.replace(/[^\w.]+/g, "-"));
  const python = join(home, "bin", "python");
  if (existsSync(python)) return python;
  const making = `${home}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  try {
    await call("python3", ["-m", "venv", making], { timeout: INSTALL_MS });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted];
    await call(join(making, "bin", "python"), install, { timeout: INSTALL_MS });
    renameSync(making, home);
    return python;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

export class Peer {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(name: string, child: ChildProcess, lines: Interface) {
    this.name = name;
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /**
   * @param script what it runs: answers lines of JSON with lines of JSON
   * @returns undefined, with a loud line, where it cannot be installed or started
   */
  static async open(name: string, script = SCRIPT): Promise<Peer | undefined> {
    try {
      const child = spawn(await pythonOf(name), ["-u", script, name], { stdio: ["pipe", "pipe", "ignore"] });
      if (child.stdout === null) throw new Error("it has no output");
      const peer = new Peer(name, child, createInterface({ input: child.stdout }));
      await peer.#next();
      return peer;
    } catch (error) {
      const said = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error);
      console.warn(`NOT COMPARED: ${name} cannot be installed or started: ${said}`);
      return undefined;
    }
  }

  do(work: Work, file: string): Promise<PeerAnswer> {
    return this.ask({ work, file });
  }

  /** Asks the script that it was opened with. */
  async ask<T>(question: object): Promise<T> {
    this.#child.stdin?.write(`${JSON.stringify(question)}\n`);
    return JSON.parse(await this.#next()) as T;
  }

  close(): void {
    this.#child.kill();
  }

  async #next(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("its process ended");
    return value;
  }
}
