/** `npm run demo`: from a drawn invoice to its data, in a temporary folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileSentence } from "../client/cli/file-reasons.ts";
import { SheafClient } from "../client/index.ts";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "./demo/invoice.ts";
import { dataTable } from "./demo/table.ts";
import { DEFAULT_KEY, parseConfig } from "./local/config.ts";
import { startService } from "./local/service.ts";
import { openServiceBundle } from "./local/service-bundle.ts";

const OUTPUT_FOLDER = "demo-output";

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints a step while it runs, and its duration. */
async function showStep<T>(what: string, work: () => Promise<T>): Promise<T> {
  process.stdout.write(`  ${what.padEnd(58, " .")}`);
  const started = performance.now();
  const result = await work();
  printLine(` ${((performance.now() - started) / 1000).toFixed(2)} s`);
  return result;
}

/** Saves the invoice. @param page picture of the page with boxes @returns the folder */
function saveInvoice(invoice: Uint8Array, page: Uint8Array): string {
  mkdirSync(OUTPUT_FOLDER, { recursive: true });
  writeFileSync(join(OUTPUT_FOLDER, "invoice.pdf"), invoice);
  const picture = join(OUTPUT_FOLDER, "invoice-page-1.png");
  writeFileSync(picture, page);
  return picture;
}

async function demo(dataDir: string): Promise<void> {
  printLine("Sheaf turns a document into data, and shows where each value stands.\n");
  const config = parseConfig({ PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_LOG: "error" });
  const service = await showStep("Starting the service", async () => {
    const { bundle } = await openServiceBundle();
    return startService({ config, log: process.stderr, ...(bundle === undefined ? {} : { bundle }) });
  });
  try {
    const client = new SheafClient({ apiUrl: service.url, token: DEFAULT_KEY });
    const invoice = await showStep("Drawing an invoice", drawInvoice);
    const { guid } = await showStep("POST /document/upload", () =>
      client.upload(invoice, { fileName: "invoice.pdf", mimeType: "application/pdf" }),
    );
    await showStep("POST /document/process/{guid}", () =>
      client.process(guid, { schema: DEMO_SCHEMA, sourceLocations: true }),
    );
    const job = await showStep("GET /job/status/{guid}?waitSeconds=20", () =>
      client.wait(guid, { timeoutSeconds: 20 }),
    );
    if (job.status !== "COMPLETED") throw new Error(`The job ended ${job.status}: ${job.error}`);
    const { json: value } = await showStep("GET /job/result/{guid}/json", () => client.resultJson(guid));
    const sources = await showStep("GET /job/result/{guid}/source-locations", () => client.sourceLocations(guid));
    const page = await showStep("GET /job/image/{guid}/0?locations=true", () =>
      client.pageImage(guid, 0, { locations: true }),
    );
    const picture = saveInvoice(invoice, page);

    printLine(`\n${dataTable(value, sources)}`);
    printLine(
      `Engine: ${job.engine}, ${job.confidence === null ? "" : `confidence ${job.confidence?.toFixed(2)}, `}no model, no key, no network.`,
    );
    printLine(
      `The page with the boxes: ${relative(process.cwd(), picture)}   The invoice: ${join(OUTPUT_FOLDER, "invoice.pdf")}\n`,
    );
    if (JSON.stringify(value) !== JSON.stringify(DEMO_TRUTH)) throw new Error("The data are not what the invoice says");
    printLine("Go on with your own document:");
    printLine("  npm start");
    printLine(
      '  npx sheaf process YOUR.pdf --schema \'{"invoice_number":"string","issue_date":"date","total":"number"}\'',
    );
    printLine("  README.md leads to the API, the command line and the architecture.");
  } finally {
    await service.close(1_000);
  }
}

let dataDir: string | undefined;
try {
  dataDir = mkdtempSync(join(tmpdir(), "sheaf-demo-"));
  await demo(dataDir);
} catch (error) {
  process.stderr.write(
    `\nThe demo did not work: ${fileSentence(error) ?? (error instanceof Error ? error.message : error)}\n`,
  );
  process.exitCode = 1;
} finally {
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
}
