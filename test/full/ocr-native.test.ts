/** The native engine against the contract of OcrEngine; every test run covers the embedded one. */
import { spawnSync } from "node:child_process";
import { test } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { ocrEngineSuite } from "../contract/ocr.suite.ts";

const clock = systemClock();

if (spawnSync("tesseract", ["--version"]).status === 0) {
  ocrEngineSuite("the program tesseract", {
    clock,
    jobTimeoutSeconds: 300,
    open: () => openLocalOcr({ clock, jobTimeoutSeconds: 300, langs: ["eng"], size: 2, engine: "native" }),
  });
} else {
  console.warn("SKIPPED: there is no program tesseract on the PATH; the native OCR engine was not tested");
  test.skip("the program tesseract");
}
