/**
 * The public Python client, unchanged, against this service below `/compat`, as far as the API goes. Runs when that
 * client is installed (`pip install docu-devs-api-client`) for SHEAF_PYTHON, or python3.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { symbol, symbolsPdf } from "../functions/engine/readers/barcodes/symbols.ts";
import { patternPng, picturesPdf, show } from "../functions/engine/structure/figures/pictures.ts";
import { flatForm } from "../support/flat-form.ts";
import { templatePdf } from "../support/form-pdf.ts";
import { formPdf } from "../support/pdf.ts";
import { picturesOf } from "../support/scans.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PYTHON = process.env.SHEAF_PYTHON ?? "python3";
const SCRIPT = resolve(import.meta.dirname, "python_client.py");
const CHECKS = [
  "extraction",
  "statuses",
  "readings",
  "what was not asked for",
  "failures",
  "ocr",
  "step by step",
  "one call",
  "descriptions",
  "extras",
  "configurations",
  "pipeline configurations",
  "templates",
  "commands of templates",
  "forms",
  "settings",
  "providers",
  "unknown",
  "deletion",
  "command",
];
const EPC = "BCD\n002\n1\nSCT\nCOBADEFFXXX\nHarbour Street Library\nDE89370400440532013000\nEUR517.20\n\n\nInvoice 17";

function isInstalled(): boolean {
  try {
    execFileSync(PYTHON, ["-c", "import docudevs"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`SKIPPED: the Python client does not run here: ${PYTHON} has no package docu-devs-api-client`);
    return false;
  }
}

/** The documents of the script. */
async function documents(): Promise<Record<string, Uint8Array>> {
  const invoice = await drawInvoice();
  const modules = await symbol(EPC, { format: "QRCode" });
  const [scan = new Uint8Array()] = await picturesOf(invoice, 200);
  return {
    "invoice.pdf": invoice,
    "scan.png": scan,
    "form.pdf": await formPdf("Ada Lovelace", { look: true }),
    "template.pdf": await templatePdf(),
    "flat.pdf": await flatForm(),
    "logo.png": await patternPng(32, 20),
    "figure.pdf": await picturesPdf({ a: await patternPng(320, 200) }, [
      (page, { a }) => {
        show(page, a, 72, 560, 240, 150);
        page.drawText("Figure 1: The harbour at noon", { x: 72, y: 540, size: 11 });
      },
    ]),
    "barcode.pdf": await symbolsPdf([{ modules, left: 72, top: 72, module: 2 }]),
    "blank.txt": Buffer.from(" \n \n"),
  };
}

describe.skipIf(!isInstalled())("the Python client", () => {
  let target: TestService;
  let said: Map<string, string | null>;
  const folder = mkdtempSync(join(tmpdir(), "sheaf-python-client-"));
  beforeAll(async () => {
    target = await startTestService();
    for (const [name, bytes] of Object.entries(await documents())) writeFileSync(join(folder, name), bytes);
    const { stdout } = await promisify(execFile)(PYTHON, [SCRIPT, `${target.url}/compat`, target.api.key, folder], {
      timeout: 280_000,
    });
    said = new Map(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map(({ name, error }) => [name, error]),
    );
  }, 300_000);
  afterAll(async () => {
    await target?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(CHECKS)("runs %s", (name) => {
    expect(said.get(name)).toBeNull();
  });

  it("makes no other request", () => {
    expect([...said.keys()]).toEqual(CHECKS);
  });
});
