/** The API against its own OpenAPI document, with requests by a tool that knows only the document. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { pythonIfAny } from "../support/python.ts";
import { startTestService } from "../support/service.ts";

const python = await pythonIfAny("schemathesis", ["schemathesis==4.32.0"], "schemathesis");

const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "ignored_auth",
];
/** Random requests for each operation; the requests of earlier phases are all sent. */
const EXAMPLES_PER_OPERATION = 40;
const RUN_TIMEOUT_MS = 400_000;

/** @returns its output and exit code */
function run(command: string, args: string[], cwd: string): Promise<{ code: number | string | null; text: string }> {
  return new Promise((done) => {
    const options = { cwd, timeout: RUN_TIMEOUT_MS, maxBuffer: 2 ** 26 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : (child.exitCode ?? error.message), text: stdout + stderr });
    });
  });
}

it.skipIf(python === undefined)(
  "schemathesis finds no server error, no undocumented answer, and no accepted invalid request",
  { timeout: RUN_TIMEOUT_MS + 30_000 },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "sheaf-schemathesis-"));
    const target = await startTestService();
    // A finished job to read, and another one to delete.
    const { guid } = await target.api.processed(await drawInvoice(), { sourceLocations: true });
    const deletable = await target.api.upload("Delete me.");
    writeFileSync(
      join(directory, "schemathesis.toml"),
      `[parameters]\nguid = "${guid}"\n\n[[operations]]\ninclude-name = "DELETE /job/{guid}"\nparameters = { guid = "${deletable}" }\n`,
    );
    const settings =
      `--phases examples,coverage,fuzzing --max-examples ${EXAMPLES_PER_OPERATION} --continue-on-failure --generation-deterministic ` +
      "--output-sanitize false --output-truncate false";
    const header = `Authorization: Bearer ${target.keys.one}`;
    const args = ["-m", "schemathesis.cli", "--no-color", "run", `${target.url}/openapi.json`, "--header", header];
    args.push("--checks", CHECKS.join(","), ...settings.split(" "));
    const { code, text } = await run(python ?? "", args, directory);
    await target.close();
    rmSync(directory, { recursive: true });
    const failures = text.slice(Math.max(0, text.indexOf("= FAILURES =")));
    expect(code, failures).toBe(0);
    console.log(text.match(/^ *\d+ generated.*$/m)?.[0].trim());
    expect(text).toMatch(/Tested: \d+/);
    expect(text.match(/Selected: (\d+)\/(\d+)/)?.[1]).toBe(text.match(/Tested: (\d+)/)?.[1]);
  },
);
