/** LibreOffice as a program of this machine: converts Office documents to PDF, each in a process and profile of its own. */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../../../ports/clock.ts";
import { JobFailure, ServiceUnavailable } from "../../../ports/errors.ts";
import type { WorkLimits } from "../../../ports/limits.ts";
import { DOCX, PPTX, XLSX } from "../../../ports/media-types.ts";
import type { OfficeProgram } from "../../../ports/office-program.ts";
import { Turns } from "../ocr/turns.ts";
import { findProgram, isProgram } from "../program-search.ts";
import { killGroup, type ProgramEnd, runContained, withoutNetwork } from "./contained-program.ts";
import { writeProfile } from "./office-profile.ts";

export interface OfficeOptions {
  clock: Clock;
  /** Folders that are searched for the program, in the form of PATH. */
  searchPath: string;
  /** Resident memory of one conversion. Default 1 GiB: the longest documents of our corpus take a third of it. */
  memoryLimitBytes?: number;
  /** Called before the first conversion where this system cannot take the network away: only settings block links. */
  onNetwork?(): void;
}

const DEFAULT_MEMORY_BYTES = 2 ** 30;
/** Conversions at once: each may take its whole memory. */
const CONVERSIONS_AT_ONCE = 1;
/** Bytes of a PDF; a document of 10 MB has no more. */
const MAX_PDF_BYTES = 100_000_000;
/** Processor time of a conversion: the net for one whose service is gone. */
const MAX_CPU_SECONDS = 120;
/** LibreOffice ends with it when its new profile asks for another start (EXITHELPER_NORMAL_RESTART). */
const RESTART_EXIT_CODE = 81;
const STARTS = 3;
/** The installation on macOS, which is on no PATH. */
const MAC_PROGRAM = "/Applications/LibreOffice.app/Contents/MacOS/soffice";
const STOPPING_SENTENCE = "The service is stopping; try again when it is back";

const EXTENSIONS: Readonly<Record<string, string>> = { [DOCX]: "docx", [XLSX]: "xlsx", [PPTX]: "pptx" };

const FAILURES = {
  memory: "The Office program needs more memory for this document than is allowed",
  deadline: "The Office program takes longer for this document than is allowed",
  refused: "The Office program cannot open this document",
} as const;
const failure = (why: keyof typeof FAILURES): JobFailure => new JobFailure(`Processing failed: ${FAILURES[why]}`);

/** The program itself, beside the script on the PATH: its memory can be watched. */
function findOffice(searchPath: string): string | undefined {
  const found = findProgram("soffice", searchPath) ?? (isProgram(MAC_PROGRAM) ? MAC_PROGRAM : undefined);
  if (found === undefined) return undefined;
  const own = path.join(path.dirname(realpathSync(found)), "soffice.bin");
  return isProgram(own) ? own : found;
}

/** Nothing of the service's environment is passed on; files that it writes go into the conversion's folder. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  HOME: folder,
  TMPDIR: folder,
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  SAL_USE_VCLPLUGIN: "svp",
  ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot, TEMP: folder, TMP: folder }),
});

const argumentsFor = (folder: string, document: string): string[] => [
  `-env:UserInstallation=${pathToFileURL(path.join(folder, "profile"))}`,
  ...["--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--nofirststartwizard"],
  ...["--convert-to", "pdf", "--outdir", path.join(folder, "out"), document],
];

/** Makes a folder that only this user can read; `use` may fill it. It is removed at the end. */
async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "sheaf-office-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

class LibreOffice implements OfficeProgram {
  readonly #program: string;
  readonly #options: OfficeOptions;
  #command: readonly string[] | undefined;
  readonly #turns = new Turns(CONVERSIONS_AT_ONCE);
  readonly #running = new Set<ChildProcess>();
  #closed = false;

  constructor(program: string, options: OfficeOptions) {
    this.#program = program;
    this.#options = options;
  }

  toPdf(bytes: Uint8Array, mimeType: string, limits: WorkLimits): Promise<Uint8Array> {
    const extension = EXTENSIONS[mimeType];
    if (extension === undefined) throw new TypeError(`An Office program converts no ${mimeType}`);
    return this.#turns.take(limits.group ?? "", async () => {
      const left = limits.deadline - this.#options.clock.now();
      if (left < (limits.workMs ?? 1)) {
        throw new ServiceUnavailable("The Office program is busy; try again in a minute");
      }
      const deadline = performance.now() + Math.min(left, limits.workMs ?? left);
      return withFolder((folder) => this.#convert(bytes, { folder, extension, deadline }));
    });
  }

  async #convert(
    bytes: Uint8Array,
    { folder, extension, deadline }: { folder: string; extension: string; deadline: number },
  ): Promise<Uint8Array> {
    const document = path.join(folder, `document.${extension}`);
    await mkdir(path.join(folder, "out"), { mode: 0o700 });
    await writeProfile(path.join(folder, "profile"));
    await writeFile(document, bytes, { mode: 0o600 });
    const end = await this.#run(folder, document, deadline);
    if (this.#closed) throw new ServiceUnavailable(STOPPING_SENTENCE);
    if (end.killed !== undefined) throw failure(end.killed === "memory" ? "memory" : "deadline");
    const pdf = path.join(folder, "out", "document.pdf");
    const found = await stat(pdf).catch(() => undefined);
    // The program ends with 0 also for documents that it cannot open.
    if (end.code !== 0 || found === undefined || found.size > MAX_PDF_BYTES) throw failure("refused");
    return readFile(pdf);
  }

  /** The command that starts the program; found out at the first conversion, so that the service starts at once. */
  #start(): readonly string[] {
    if (this.#command !== undefined) return this.#command;
    const shut = withoutNetwork(this.#options.searchPath);
    if (shut.length === 0) this.#options.onNetwork?.();
    this.#command = shut.length === 0 ? [this.#program] : [...shut, "--", this.#program];
    return this.#command;
  }

  async #run(folder: string, document: string, deadline: number): Promise<ProgramEnd> {
    const memoryBytes = this.#options.memoryLimitBytes ?? DEFAULT_MEMORY_BYTES;
    const limits = { memoryBytes, cpuSeconds: MAX_CPU_SECONDS, fileBytes: MAX_PDF_BYTES, deadline };
    const command = [...this.#start(), ...argumentsFor(folder, document)];
    for (let start = 1; ; start += 1) {
      if (this.#closed) throw new ServiceUnavailable(STOPPING_SENTENCE);
      let started: ChildProcess | undefined;
      const end = await runContained(command, environmentIn(folder), limits, (child) => {
        started = child;
        this.#running.add(child);
      }).finally(() => started && this.#running.delete(started));
      if (end.killed !== undefined || end.code !== RESTART_EXIT_CODE || start === STARTS) return end;
    }
  }

  close(): void {
    this.#closed = true;
    for (const child of this.#running) killGroup(child);
  }
}

/** Finds LibreOffice on this machine; null where it is not installed. */
export function openLibreOffice(options: OfficeOptions): OfficeProgram | null {
  const program = findOffice(options.searchPath);
  return program === undefined ? null : new LibreOffice(program, options);
}
