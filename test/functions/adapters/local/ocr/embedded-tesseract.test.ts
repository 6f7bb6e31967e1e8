import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { languageFile } from "../../../../../functions/adapters/local/ocr/language-data.ts";
import { drawOcrPage } from "../../../../support/ocr-page.ts";

const SUPPORT = resolve(import.meta.dirname, "../../../../support");

const recognize = (picture: Uint8Array, langs: string[], imported = "no-network.mjs") =>
  spawnSync(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "--import",
      `${SUPPORT}/${imported}`,
      `${SUPPORT}/recognize-offline.ts`,
      ...langs,
    ],
    { input: picture, encoding: "utf8", timeout: 60_000 },
  );

describe("openEmbedded", () => {
  test("recognises in two languages, without the network in any of its threads", async () => {
    const { png } = await drawOcrPage([
      { text: "Received with thanks", x: 72, y: 700, size: 16 },
      { text: "Überweisung für März", x: 72, y: 670, size: 16 },
    ]);
    const { stdout, stderr, status } = recognize(png, ["eng", "deu"]);
    expect(stderr).not.toContain("NETWORK");
    expect(status).toBe(0);
    expect(stdout).toBe("Received with thanks Überweisung für März");
  });

  test("does not start without a language's data, and requests no download", async () => {
    const { png } = await drawOcrPage([{ text: "Text", x: 72, y: 700, size: 16 }]);
    const { stdout, stderr, status } = recognize(png, ["eng", "fra"]);
    expect(status).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).not.toContain("NETWORK");
    expect(stderr).toContain("npm install @tesseract.js-data/fra");
  });

  test("fails at once when a file of its core is missing", async () => {
    const { png } = await drawOcrPage([{ text: "Text", x: 72, y: 700, size: 16 }]);
    const { stdout, stderr, status, signal } = recognize(png, ["eng"], "no-core.mjs");
    expect({ status, signal, stdout }).toEqual({ status: 1, signal: null, stdout: "" });
    expect(stderr).toMatch(/no such file .*tesseract-core[\w-]*\.wasm/);
  });

  test("has the cores that it loads, by the processor's abilities", () => {
    const folder = dirname(createRequire(import.meta.url).resolve("tesseract.js-core/package.json"));
    for (const name of ["simd", "relaxedsimd"])
      expect(existsSync(join(folder, `tesseract-core-${name}.wasm`))).toBe(true);
  });

  test("has its language data in a package", () => {
    expect(languageFile("deu")).toMatch(/@tesseract\.js-data[\\/]deu[\\/]4\.0\.0_best_int[\\/]deu\.traineddata\.gz$/);
  });
});
