import { relative } from "node:path";
import { DEFAULT_KEY, type LocalConfig } from "./config.ts";
import type { RunningService } from "./service.ts";

/** The text that a start prints: address, key, data folder, engines, and a command to paste. */
export function banner(config: LocalConfig, service: RunningService, milliseconds: number): string {
  const key = config.defaultKey ? DEFAULT_KEY : "<one of SHEAF_API_KEYS>";
  const { ocr, model, payments } = service.engines;
  const engine = ({ name, on, detail }: typeof ocr): string => `  ${name.padEnd(9)} ${on ? "on " : "off"}  ${detail}`;
  const below = relative(process.cwd(), config.dataDir);
  const data = below.startsWith("..") ? config.dataDir : below || ".";
  const lines = [
    `Sheaf is ready at ${service.url}  (${(milliseconds / 1000).toFixed(1)} s)`,
    `  key       ${key}`,
    `  data      ${data}/`,
    engine(ocr),
    engine(model),
    engine(payments),
    ...(service.resumed > 0
      ? [`  resumed   ${service.resumed} run${service.resumed === 1 ? "" : "s"} from before`]
      : []),
    "Try:",
    `  curl -H "Authorization: Bearer ${key}" -F document=@invoice.pdf ${service.url}/document/upload-files/sync`,
    "Ctrl-C stops; the next start goes on.",
  ];
  return `${lines.join("\n")}\n`;
}
