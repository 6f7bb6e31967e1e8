/** Text recognition on one machine, from its environment. */
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import type { EngineState } from "../../functions/service/organizations/engines.ts";
import { ConfigError } from "./config.ts";
import { OCR_PROCESS } from "./service-bundle.ts";
import type { ServiceOptions } from "./service-options.ts";

export interface Recognition {
  engine: OcrEngine | null;
  state: EngineState;
  close(): Promise<void>;
}

interface RecognitionContext {
  clock: Clock;
  jobTimeoutSeconds: number;
  observer: LocalObserver;
}

const OCR_NAME = "OCR";

/** @throws ConfigError for a missing language or program */
export function openRecognition(
  { config, ocr, bundle }: Pick<ServiceOptions, "config" | "ocr" | "bundle">,
  { clock, jobTimeoutSeconds, observer }: RecognitionContext,
): Recognition {
  const close = async (): Promise<void> => undefined;
  if (ocr !== undefined) return { engine: ocr, state: { name: OCR_NAME, on: true, detail: ocr.name }, close };
  const { engine: kind, languages, secondLook } = config.ocr;
  if (kind === "off") {
    const detail = "off by SHEAF_OCR_ENGINE; documents are read by their text layer";
    return { engine: null, state: { name: OCR_NAME, on: false, detail }, close };
  }
  try {
    const engine = openLocalOcr({
      clock,
      jobTimeoutSeconds,
      langs: languages,
      engine: kind,
      secondLook,
      ...(bundle === undefined ? {} : { bundled: bundle.fileOf(OCR_PROCESS) }),
      onEvent: ({ kind, reason }) =>
        observer.count("worker_events_total", { kind: `ocr-${kind}`, reason: reason ?? "" }),
      onSecondLookFault: (reason) => observer.log("warn", "no second look at doubtful pictures", { reason }),
    });
    const detail = `${engine.name}${secondLook ? " and PP-OCRv4" : ""}, ${languages.join("+")}`;
    return { engine, state: { name: OCR_NAME, on: true, detail }, close: () => engine.close() };
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}
