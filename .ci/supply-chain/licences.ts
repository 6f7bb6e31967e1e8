/** Checks the licences of all locked packages, and makes NOTICE of those that ask for more than a permissive one. */
import { ALLOWED, EXCEPTIONS, type Exception, STATED } from "./licence-policy.ts";
import { type LockedPackage, type Lockfile, nameAt } from "./lockfile.ts";

/** The licences that have to be kept, the fewest exceptions first; undefined where a licence is not acceptable. */
type Kept = string[] | undefined;

/**
 * Evaluates an SPDX expression. Of alternatives, the one with the fewest exceptions is chosen.
 * @param accepts the licence is acceptable as an exception
 */
export function licencesOf(expression: string, accepts: (licence: string) => boolean): Kept {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const isWord = (word: string): boolean => tokens[at]?.toUpperCase() === word;
  const one = (): Kept => {
    const token = tokens[at++];
    if (token === "(") {
      const inner = alternatives();
      if (tokens[at++] !== ")") return undefined;
      return inner;
    }
    if (token === undefined || /^(AND|OR|WITH|\))$/i.test(token)) return undefined;
    // An exception clause permits more; none is needed so far.
    if (isWord("WITH")) return undefined;
    if (ALLOWED.has(token)) return [];
    return accepts(token) ? [token] : undefined;
  };
  const all = (): Kept => {
    let kept = one();
    while (isWord("AND")) {
      at++;
      const next = one();
      kept = kept === undefined || next === undefined ? undefined : [...kept, ...next];
    }
    return kept;
  };
  const alternatives = (): Kept => {
    let best = all();
    while (isWord("OR")) {
      at++;
      const next = all();
      if (best === undefined || (next !== undefined && next.length < best.length)) best = next;
    }
    return best;
  };
  const kept = alternatives();
  return at === tokens.length && tokens.length > 0 ? kept : undefined;
}

interface Noticed {
  exception: Exception;
  /** `name version`. */
  packages: string[];
}

interface Licences {
  /** Sentences about packages whose licence is not allowed. */
  found: string[];
  noticed: Noticed[];
}

/** A manifest that names no licence, only the file that it is in, or BSD without its number of clauses. */
const isUnstated = ({ license }: Partial<LockedPackage>): boolean =>
  license === undefined || license === "BSD" || license.startsWith("SEE LICENSE IN ");

const licenceOf = (name: string, entry: Partial<LockedPackage>): string | undefined =>
  (isUnstated(entry) ? STATED[name]?.licence : undefined) ?? entry.license;

export function checkLicences(lock: Lockfile): Licences {
  const found: string[] = [];
  const noticed = EXCEPTIONS.map((exception): Noticed => ({ exception, packages: [] }));
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/") || entry.link === true) continue;
    const name = nameAt(path);
    const its = noticed.filter(
      ({ exception }) => exception.packages.test(name) && (exception.dev !== true || entry.dev === true),
    );
    const licence = licenceOf(name, entry);
    const kept = licencesOf(licence ?? "", (one) => its.some(({ exception }) => exception.licence === one));
    if (kept === undefined) {
      const shown = licence === undefined ? "states no licence" : `is under ${licence}`;
      found.push(`${name} ${entry.version} ${shown}, which .ci/supply-chain/licence-policy.ts does not allow`);
    }
    for (const { exception, packages } of its) {
      if (kept?.includes(exception.licence)) packages.push(`${name} ${entry.version}`);
    }
  }
  for (const { exception, packages } of noticed) {
    if (packages.length === 0) found.push(`No package needs the exception ${exception.packages}; remove it`);
  }
  for (const name of Object.keys(STATED)) {
    const entries = Object.entries(lock.packages).filter(
      ([path]) => nameAt(path) === name && path.includes("node_modules/"),
    );
    if (!entries.some(([, entry]) => isUnstated(entry))) found.push(`${name} needs no stated licence; remove it`);
  }
  return { found, noticed };
}

/** The text of NOTICE. */
export function noticeOf(lock: Lockfile): string {
  const sections = checkLicences(lock).noticed.map(({ exception, packages }) => {
    const use = exception.dev === true ? "Used in development only" : "Installed with the service";
    const list = [...new Set(packages)].sort().map((one) => `  ${one}`);
    return [`${exception.licence}: ${exception.why}.`, `${use}. Source: ${exception.source}`, ...list].join("\n");
  });
  return `Sheaf
Licensed under the Apache License, Version 2.0; see LICENSE.

This repository contains no third-party packages. npm installs them as package-lock.json pins them, each with its own
licence file in node_modules. Most are under permissive licences. These are under licences that ask for more; all are
used unchanged. Their texts are at https://spdx.org/licenses/, each under its name.

${sections.join("\n\n")}

Made by \`npm run supply-chain -- --write-notice\`.
`;
}
