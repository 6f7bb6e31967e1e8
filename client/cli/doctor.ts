/** `sheaf doctor`: what is configured, what is missing, and what to do. */
import type { Command } from "commander";
import { type Health, SheafClient, SheafError, SheafUnreachable } from "../index.ts";
import { isObject } from "../json.ts";
import { paintFor } from "./colors.ts";
import { type ChosenService, type ConnectionArguments, serviceOf } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { printJson } from "./outcome.ts";
import { loadSettings, settingsFile } from "./saved-settings.ts";

/** `missing` is a fault; `off` is a choice that one may want to know of. */
type Verdict = "ok" | "off" | "missing";

interface Finding {
  what: string;
  verdict: Verdict;
  detail: string;
  /** What to do about it. */
  advice?: string;
}

/** Longest wait for each answer. */
const ANSWER_LIMIT_MS = 15_000;
const FORBIDDEN = 403;

const ok = (what: string, detail: string): Finding => ({ what, verdict: "ok", detail });
const off = (what: string, detail: string, advice?: string): Finding => ({
  what,
  verdict: "off",
  detail,
  ...(advice === undefined ? {} : { advice }),
});
const missing = (what: string, detail: string, advice: string): Finding => ({
  what,
  verdict: "missing",
  detail,
  advice,
});

/** The saved settings: a file that others can read, or a spoilt one, is a fault. */
async function settingsFinding(io: Io): Promise<Finding> {
  const what = "settings";
  const place = settingsFile(io.env) ?? "";
  try {
    const { file, othersMayRead } = await loadSettings(io);
    if (file === undefined)
      return off(what, "none are saved", "Save them with: sheaf configure --api-url URL --token -");
    if (othersMayRead) return missing(what, `${file} can be read by other users`, `chmod 600 ${file}`);
    return ok(what, file);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return missing(what, error.message, `Mend or delete ${place}`);
  }
}

/** The service's health, version and engines. */
function healthFindings(health: Health, { apiUrl, apiUrlFrom }: ChosenService): Finding[] {
  const version = typeof health.version === "string" ? `, version ${health.version}` : "";
  const engines = isObject(health.engines) ? health.engines : {};
  const told = Object.entries(engines).map(([name, engine]): Finding => {
    const { on, detail } = isObject(engine) ? engine : {};
    return on === true ? ok(`engine ${name}`, String(detail)) : off(`engine ${name}`, String(detail ?? "off"));
  });
  return [ok("service", `${apiUrl} (${apiUrlFrom}) answers${version}`), ...told];
}

/** Runs a check of a part that a key may not see. */
async function ask(what: string, scope: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof SheafError) || error instanceof SheafUnreachable) throw error;
    if (error.status === FORBIDDEN) return off(what, `the key may not see it: it lacks the scope ${scope}`);
    return missing(what, error.message, "Ask the operator of the service");
  }
}

async function keyFinding(client: SheafClient, tokenFrom: string, signal: AbortSignal): Promise<Finding> {
  try {
    const { id, organizationId, scopes } = await client.me({ signal });
    const may = scopes === undefined ? "" : `, scopes ${scopes.join(", ")}`;
    return ok("key", `${id} (${tokenFrom}) of organization ${organizationId}${may}`);
  } catch (error) {
    if (!(error instanceof SheafError) || error instanceof SheafUnreachable) throw error;
    if (error.status === FORBIDDEN)
      return off("key", `${tokenFrom}: ${error.message}`, "Read with a key that has the scope read");
    return missing(
      "key",
      `${tokenFrom}: ${error.message}`,
      "Give a key that the service knows: sheaf configure --token -",
    );
  }
}

const billingFinding = (client: SheafClient, signal: AbortSignal): Promise<Finding> =>
  ask("billing", "read", async () => {
    const { status, available } = await client.billing.balance({ signal });
    if (status === "exhausted") {
      return missing(
        "billing",
        "no tokens are left",
        "Buy some: sheaf billing prices, then sheaf billing checkout PRICE",
      );
    }
    return status === "active" ? ok("billing", `${available} tokens available`) : off("billing", status);
  });

const webhookFinding = (client: SheafClient, signal: AbortSignal): Promise<Finding> =>
  ask("webhook", "admin", async () => {
    const { url, disabled } = await client.webhooks.get({ signal });
    if (disabled !== null) {
      return missing(
        "webhook",
        `${url} is disabled since ${disabled.at}: ${disabled.reason}`,
        "Mend its receiver and set it again",
      );
    }
    return url === null ? off("webhook", "none is set") : ok("webhook", url);
  });

interface Diagnosis {
  findings: Finding[];
  exitCode: number;
}

async function examine(io: Io, args: ConnectionArguments): Promise<Diagnosis> {
  const findings = [await settingsFinding(io)];
  const service = serviceOf(findings[0]?.verdict === "missing" ? { ...io, saved: () => ({}) } : io, args);
  const { apiUrl, apiUrlFrom, token, tokenFrom = "" } = service;
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
  let exitCode: number = EXIT_CODES.success;
  try {
    const client = new SheafClient({ apiUrl, token: token ?? "none", fetch: io.fetch });
    findings.push(...healthFindings(await client.health({ signal }), service));
    if (token === undefined) {
      findings.push(missing("key", "none is given", "sheaf configure --token -, or SHEAF_TOKEN"));
    } else {
      const key = await keyFinding(client, tokenFrom, signal);
      findings.push(key);
      if (key.verdict !== "missing")
        findings.push(await billingFinding(client, signal), await webhookFinding(client, signal));
    }
  } catch (error) {
    io.signal.throwIfAborted();
    const silent = signal.aborted;
    if (error instanceof TypeError) throw new UsageError(error.message);
    if (!silent && !(error instanceof SheafError)) throw error;
    const reason = error instanceof SheafUnreachable ? error.reason : silent ? "no answer in time" : String(error);
    findings.push(
      missing(
        "service",
        `${apiUrl} (${apiUrlFrom}): ${reason}`,
        "Start it here with `npm start`, or name another with --api-url",
      ),
    );
    exitCode = EXIT_CODES.unreachable;
  }
  const faults = findings.filter(({ verdict }) => verdict === "missing").length;
  return { findings, exitCode: faults > 0 && exitCode === EXIT_CODES.success ? EXIT_CODES.failed : exitCode };
}

const SIGNS = { ok: "✓", off: "-", missing: "✗" } as const;
const STYLES = { ok: "green", off: "dim", missing: "red" } as const;

async function run(io: Io, args: ConnectionArguments & { json?: boolean }): Promise<number> {
  const { findings, exitCode } = await examine(io, args);
  if (args.json === true) {
    await printJson(io, JSON.stringify({ ok: exitCode === EXIT_CODES.success, findings }));
    return exitCode;
  }
  const paint = paintFor(io.stdout, io.env);
  const width = Math.max(...findings.map(({ what }) => what.length));
  for (const { what, verdict, detail, advice } of findings) {
    await io.stdout.write(`${paint[STYLES[verdict]](SIGNS[verdict])} ${what.padEnd(width)}  ${detail}\n`);
    if (advice !== undefined) await io.stdout.write(`  ${" ".repeat(width)}  → ${advice}\n`);
  }
  return exitCode;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
    .command("doctor")
    .description("say what is configured, what is missing and what to do; exit code 0 when nothing is missing")
    .option("--json", "print {ok, findings} as JSON")
    .action(() => perform((io) => run(io, command.optsWithGlobals())));
}
