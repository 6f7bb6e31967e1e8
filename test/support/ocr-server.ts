/** The example OCR server of the documentation, over a stand-in for its program that prints given words. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const EXAMPLE = resolve(import.meta.dirname, "../../docs/examples/ocr-server.mjs");

/** The size of the stand-in's page in pixels, and of its letters. */
const [WIDTH, HEIGHT, LETTER, ROW] = [850, 1100, 10, 20];

/** The program's table for lines of text, one below the other. */
function tableOf(lines: readonly string[]): string {
  const row = (...cells: (string | number)[]): string => cells.join("\t");
  const words = lines.flatMap((line, at) => {
    let left = 50;
    return line.split(" ").map((text, index) => {
      const across = text.length * LETTER;
      const cells = row(5, 1, 1, 1, at + 1, index + 1, left, 50 + at * 2 * ROW, across, ROW, 96.5, text);
      left += across + LETTER;
      return cells;
    });
  });
  const head = row("level", "page", "block", "par", "line", "word", "left", "top", "width", "height", "conf", "text");
  return `${[head, row(1, 1, 0, 0, 0, 0, 0, 0, WIDTH, HEIGHT, -1, ""), ...words].join("\n")}\n`;
}

export interface OcrExample {
  url: string;
  close(): Promise<void>;
}

/** Starts the example on a free port. */
export async function startOcrExample(lines: readonly string[], key: string): Promise<OcrExample> {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-ocr-example-"));
  const program = join(folder, "tesseract");
  writeFileSync(join(folder, "words.tsv"), tableOf(lines));
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\ncat "${folder}/words.tsv"\n`);
  chmodSync(program, 0o755);
  const server = spawn(process.execPath, [EXAMPLE], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", OCR_KEY: key, TESSERACT: program },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(server.stdout, "data")) as [Buffer];
  const url = /http:\S+/.exec(said.toString())?.[0] ?? "";
  return {
    url,
    async close() {
      const ended = once(server, "exit");
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
