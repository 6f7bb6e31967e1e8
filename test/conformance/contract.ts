/**
 * The names in the texts that the service is made after: routes, statuses, options. They are no part of this repository
 * and are looked for beside it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/doc-pages.ts";

const FOLDER = process.env.SHEAF_CONTRACT_DIR ?? join(ROOT, "../shared/contract");
const FILES = ["specification.md", "api.md", "pipeline.md"];

export interface Contract {
  /** `METHOD /path`, with `{}` for each placeholder. */
  routes: string[];
  statuses: string[];
  /** Members, parameters, values and settings. */
  words: string[];
}

/** Words in code that name nothing which a request, an answer or a setting has. */
const NO_OPTIONS = new Set(
  (
    "true false null string integer int number object json JSON name guid key KEY TEXT ORG TOKENS org type status error message path " +
    "BadRequest error-analysis A-Za-z0-9 Apply Invalid Meanings UploadCommand api-url api_url base_url clients counts " +
    "docu-devs-api-client docudevs-java-sdk example ext facts fail form-data octet-stream reserved send where writes payload inch " +
    "email user"
  ).split(" "),
);

const METHODS = "GET|POST|PUT|PATCH|DELETE";
const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, "{}");

/** `GET, POST /cases` and `| GET | /cases |` → a route for each method. */
function routesIn(text: string): string[] {
  const pattern = new RegExp(`((?:${METHODS})(?:, (?:${METHODS}))*)(?: \\| | )(/[\\w{}./-]*)`, "g");
  return [...text.matchAll(pattern)].flatMap(([, methods = "", path = ""]) => {
    const plain = withoutNames(path).replace(/[.,;]+$/, "");
    return methods.split(", ").map((method) => `${method} ${plain}`);
  });
}

/** The first words of members in code: `{guid, status:"PENDING"}` → guid, status. */
function wordsIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const code = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, inside = ""]) => inside);
  return code
    .filter((one) => !/^\/|^(?:GET|POST|PUT|DELETE) |^sheaf |\.\w+\/|^functions\//.test(one))
    .flatMap((one) => one.replaceAll(/"[^"]*"/g, "").match(/[A-Za-z_$][\w-]*[A-Za-z\d]/g) ?? [])
    .filter((word) => word.length > 2);
}

/** @returns undefined where the contract is not at hand */
export function readContract(): Contract | undefined {
  const files = FILES.map((name) => join(FOLDER, name));
  if (!files.every((file) => existsSync(file))) return undefined;
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const unique = (all: readonly string[]): string[] => [...new Set(all)].sort();
  return {
    routes: unique(routesIn(text)),
    statuses: unique(
      [...text.matchAll(/^\| (\d{3}) \|/gm), ...text.matchAll(/\b[a-zA-Z]+ (\d{3})\b/g)]
        .map(([, status = ""]) => status)
        .filter((status) => /^[2-5](?:0\d|1\d|2\d|31)$/.test(status)),
    ),
    words: unique(wordsIn(text).filter((word) => !NO_OPTIONS.has(word))),
  };
}
