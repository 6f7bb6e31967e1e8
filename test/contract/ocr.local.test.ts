import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { ocrEngineSuite } from "./ocr.suite.ts";

const clock = systemClock();
const options = { clock, jobTimeoutSeconds: 300, langs: ["eng"], size: 2 };

ocrEngineSuite("tesseract.js in pooled processes", {
  clock,
  jobTimeoutSeconds: 300,
  open: () => openLocalOcr({ ...options, engine: "embedded" }),
});
