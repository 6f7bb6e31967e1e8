/**
 * The public Python client, unchanged, against this service below `/compat`, through all of its methods that this API
 * serves. It is installed from its registry into a virtual environment; `npm run interop` runs this file alone.
 */
import { execFile } from "node:child_process";
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
import { pythonIfAny } from "../support/python.ts";
import { picturesOf } from "../support/scans.ts";
import { startTestService, type TestService } from "../support/service.ts";

const REQUIREMENTS = ["docu-devs-api-client==1.13.0"];
const PYTHON = await pythonIfAny("python-client", REQUIREMENTS, "the Python client");
const SCRIPT = resolve(import.meta.dirname, "python_client/main.py");
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
  "cases",
  "configurations",
  "pipeline configurations",
  "templates",
  "commands of templates",
  "forms",
  "results",
  "batches",
  "map-reduce",
  "pipelines",
  "operations",
  "operations of forms",
  "analysis",
  "settings",
  "providers",
  "unknown",
  "deletion",
  "command",
];
/** The client's methods for what is no part of the API: workbooks, outlines, comparisons, contracts, records, agents … */
const OUT_OF_SCOPE = new RegExp(
  [
    "workbook|document_outline|excel_template|lookup_file|run_client_pipeline|compare|contract_analysis|holdout_eval",
    "records?($|_)|dataset|imports?$|import_|agent|memo|tree|classify|embedding|model_credential|^search|wait_for_eval",
    "^update_case_document$",
    "_provider|_keys$|_key_binding$",
  ].join("|"),
);

interface Said {
  name: string;
  error: string | null;
  not_called?: string[];
}

const EPC = "BCD\n002\n1\nSCT\nCOBADEFFXXX\nHarbour Street Library\nDE89370400440532013000\nEUR517.20\n\n\nInvoice 17";

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

describe.skipIf(PYTHON === undefined)("the Python client", () => {
  let target: TestService;
  let said: Map<string, string | null>;
  let notCalled: string[];
  const folder = mkdtempSync(join(tmpdir(), "sheaf-python-client-"));
  beforeAll(async () => {
    target = await startTestService();
    for (const [name, bytes] of Object.entries(await documents())) writeFileSync(join(folder, name), bytes);
    const { stdout } = await promisify(execFile)(
      PYTHON ?? "",
      [SCRIPT, `${target.url}/compat`, target.api.key, folder],
      {
        timeout: 280_000,
      },
    );
    const lines: Said[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    notCalled = lines.at(-1)?.not_called ?? [];
    said = new Map(lines.slice(0, -1).map(({ name, error }) => [name, error]));
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

  it("has no other method that this API serves", () => {
    const others = notCalled.filter((name) => !OUT_OF_SCOPE.test(name));
    expect(others).toEqual([]);
    console.info(`Out of scope, ${notCalled.length} methods: ${notCalled.join(", ")}`);
  });
});
