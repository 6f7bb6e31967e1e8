/** The Office program as stand-ins play it; test/full/office-images.test.ts runs the real one where it is. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../../../functions/adapters/local/clock.ts";
import { openLibreOffice } from "../../../../../functions/adapters/local/office/libreoffice.ts";
import { JobFailure, ServiceUnavailable } from "../../../../../functions/ports/errors.ts";
import { DOCX } from "../../../../../functions/ports/media-types.ts";
import { isRunning, untilGone } from "../../../../support/processes.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const clock = systemClock();
const DOCUMENT = Buffer.from("a document");
const EASY_MS = 60_000;

/** A folder with a program that does `deed`; `$out` is the folder for the PDF, `$document` the input. */
function program(deed: string): string {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-fake-office-"));
  folders.push(folder);
  const file = join(folder, "soffice");
  writeFileSync(file, `#!/bin/sh\nfor document; do :; done\nout="$HOME/out"\nfolder="${folder}"\n${deed}\n`);
  chmodSync(file, 0o755);
  return folder;
}

const open = (folder: string, memoryLimitBytes?: number) => {
  const office = openLibreOffice({
    clock,
    searchPath: folder,
    ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
  });
  if (office === null) throw new Error("There is no program");
  return office;
};
const convert = (office: ReturnType<typeof open>, milliseconds = EASY_MS): Promise<unknown> =>
  office.toPdf(DOCUMENT, DOCX, { deadline: clock.now() + milliseconds }).then(
    (pdf) => Buffer.from(pdf).toString(),
    (error: unknown) => error,
  );
const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("sheaf-office-"));
describe.skipIf(process.platform === "win32")("openLibreOffice", () => {
  test("finds no program where none is installed", () => {
    expect(openLibreOffice({ clock, searchPath: mkdtempFolder() })).toBeNull();
  });

  test("converts in a folder of its own, which is removed, and passes none of the service's environment on", async () => {
    const before = leftovers();
    process.env.SHEAF_SECRET_FOR_TEST = "secret";
    const folder = program(
      `cat "$document" > "$out/document.pdf"; env > "$folder/env"; echo "$*" > "$folder/arguments"; cat "$HOME/profile/user/registrymodifications.xcu" > "$folder/settings"`,
    );
    expect(await convert(open(folder))).toBe("a document");
    delete process.env.SHEAF_SECRET_FOR_TEST;
    expect(readFileSync(join(folder, "env"), "utf8")).not.toContain("SHEAF_SECRET");
    expect(readFileSync(join(folder, "arguments"), "utf8")).toContain("--convert-to pdf");
    const settings = readFileSync(join(folder, "settings"), "utf8");
    for (const name of ["DisableMacrosExecution", "BlockUntrustedRefererLinks"]) {
      expect(settings).toContain(`<prop oor:name="${name}" oor:op="fuse"><value>true</value>`);
    }
    expect(leftovers()).toEqual(before);
  });

  test("kills the program and all that it started at the deadline", async () => {
    const folder = program(`sleep 100 & echo $! > "$folder/child"; wait`);
    const error = await convert(open(folder), 1_000);
    expect(error).toBeInstanceOf(JobFailure);
    expect(String(error)).toContain("takes longer for this document than is allowed");
    const child = Number(readFileSync(join(folder, "child"), "utf8"));
    await untilGone([child], 2_000);
    expect(isRunning(child)).toBe(false);
  });

  test("kills a program that takes more memory than is allowed", async () => {
    const hog = `exec "${process.execPath}" -e 'const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 10)'`;
    expect(String(await convert(open(program(hog), 200_000_000)))).toContain("needs more memory for this document");
  });

  test.each([
    ["ends without a PDF", "exit 0"],
    ["fails", "exit 77"],
  ])("fails for a document with which the program %s", async (_, deed) => {
    const error = await convert(open(program(deed)));
    expect(error).toBeInstanceOf(JobFailure);
    expect(String(error)).toContain("cannot open this document");
  });

  test("starts the program again when its new profile asks for it", async () => {
    const folder = program(
      `[ -e "$folder/started" ] && cat "$document" > "$out/document.pdf" && exit 0; touch "$folder/started"; exit 81`,
    );
    expect(await convert(open(folder))).toBe("a document");
  });

  test("converts one document at a time, and refuses those whose turn comes too late", async () => {
    const folder = program(
      `mkdir "$folder/busy" || exit 3; sleep 0.5; rmdir "$folder/busy"; cat "$document" > "$out/document.pdf"`,
    );
    const office = open(folder);
    const late = office.toPdf(DOCUMENT, DOCX, { deadline: clock.now() + 60_100, workMs: 60_000 }).catch(String);
    const blocked = office.toPdf(DOCUMENT, DOCX, { deadline: clock.now() + 60_100, workMs: 60_000 }).catch((e) => e);
    expect(Buffer.from(await late).toString()).toBe("a document");
    expect(await blocked).toBeInstanceOf(ServiceUnavailable);
    expect(await Promise.all([convert(office), convert(office)])).toEqual(["a document", "a document"]);
  });

  test("ends running programs when the service stops", async () => {
    const office = open(program("exec sleep 100"));
    const running = convert(office);
    await wait(300);
    office.close();
    expect(await running).toBeInstanceOf(ServiceUnavailable);
    expect(await convert(office)).toBeInstanceOf(ServiceUnavailable);
  });
});

function mkdtempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-no-office-"));
  folders.push(folder);
  return folder;
}
