/** The program tesseract as stand-ins play it; test/contract/ocr.local.test.ts runs the real one where it is. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openNative } from "../../../../../functions/adapters/local/ocr/native-tesseract.ts";
import { WorkerKilled } from "../../../../../functions/adapters/local/pool/worker-killed.ts";
import { ServiceUnavailable } from "../../../../../functions/ports/errors.ts";
import { paper } from "../../../../support/pictures.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with a program that knows English and does `deed` for a picture. */
function program(deed: string, version = "tesseract 5.3.0"): string {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-native-"));
  folders.push(folder);
  const file = join(folder, "tesseract");
  const script = `#!/bin/sh
case "$1" in
  --version) echo "${version}" ;;
  --list-langs) printf 'List of available languages:\\neng\\n' ;;
  *) ${deed} ;;
esac
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return folder;
}

const open = (searchPath: string, langs = ["eng"]) =>
  openNative({ langs, memoryLimitBytes: 200 * 2 ** 20, searchPath });
/** By what name the program opens its input. */
const INPUT = process.platform === "linux" ? "/proc/self/fd/0" : "stdin";
const failureOf = (native: ReturnType<typeof open>, time = 20_000): Promise<unknown> =>
  native.recognize(paper(100, 50), 200, 3, performance.now() + time).then(
    () => "no error",
    (error: unknown) => error,
  );

describe.skipIf(process.platform === "win32")("openNative", () => {
  test.each([
    ["a PGM", "tesseract 5.3.0", "50 35 0a 31 30 30 20 35"],
    // Its directory stands behind the 5,000 pixels.
    ["a TIFF where it reads them", "tesseract 5.3.0 libjpeg 6b : libtiff 4.5.0", "49 49 2a 00 90 13 00 00"],
  ])("passes the picture as %s, its resolution, the mode and the languages", async (_format, about, header) => {
    // Answers with a word of its own arguments and of the picture's header.
    const folder = program(
      `printf '5\\t1\\t1\\t1\\t1\\t1\\t20\\t40\\t60\\t20\\t90\\t%s\\n' "$*|$(od -An -tx1 -N8 | tr -d '\\n')|$OMP_THREAD_LIMIT|$HOME"`,
      about,
    );
    const native = open(folder);
    expect(native.version).toBe("tesseract 5.3.0");
    const words = await native.recognize(paper(100, 50), 200.4, 11, performance.now() + 20_000);
    expect(words).toHaveLength(1);
    expect(words[0]).toMatchObject({ confidence: 0.9 });
    expect(words[0]?.text).toContain(
      `${INPUT} stdout --dpi 200 --psm 11 -l eng -c tessedit_do_invert=0 -c paragraph_text_based=0 tsv| ${header}`,
    );
    expect(words[0]?.text.endsWith("|1|")).toBe(true);
  });

  test("names the package of a missing language", () => {
    expect(() => open(program("true"), ["eng", "deu"])).toThrow("apt-get install tesseract-ocr-deu");
  });

  test("refuses a program that is not Tesseract", () => {
    const folder = program("true");
    writeFileSync(join(folder, "tesseract"), "#!/bin/sh\nexit 3\n");
    expect(() => open(folder)).toThrow("does not work as Tesseract");
    chmodSync(join(folder, "tesseract"), 0o644);
    expect(() => open(folder)).toThrow("is not on the PATH");
  });

  test("ends a hanging program at the deadline", async () => {
    const error = await failureOf(open(program("exec sleep 60")), 300);
    expect(error).toBeInstanceOf(WorkerKilled);
    expect(error).toMatchObject({ reason: "deadline" });
  });

  test("ends a program that exceeds its memory or output", async () => {
    const hog = `exec ${process.execPath} -e 'const a=[];setInterval(()=>a.push(Buffer.alloc(2**25,1)),5)'`;
    expect(await failureOf(open(program(hog)))).toMatchObject({ reason: "memory" });
    expect(await failureOf(open(program("exec yes")))).toMatchObject({ reason: "memory" });
  });

  test("reports a failing program", async () => {
    expect(await failureOf(open(program("exit 1")))).toMatchObject({ reason: "crashed" });
  });

  test("ends running programs when it is closed", async () => {
    const native = open(program("exec sleep 60"));
    const running = failureOf(native);
    native.close();
    expect(await running).toBeInstanceOf(ServiceUnavailable);
  });
});
