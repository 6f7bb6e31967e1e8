/** The parts of `package.json` and `package-lock.json` that the checks read, and the lint of the lockfile. */

type Specs = Record<string, string>;

export interface Project {
  name: string;
  version: string;
  dependencies?: Specs;
  devDependencies?: Specs;
  optionalDependencies?: Specs;
  peerDependencies?: Specs;
  /** Packages whose install scripts may run, or may not. */
  allowScripts?: Record<string, boolean>;
}

export interface LockedPackage extends Project {
  /** Absent where npm takes the file from the registry by name and version. */
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  /** Part of the archive of the package around it. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

export interface Lockfile {
  name: string;
  version: string;
  lockfileVersion: number;
  /** By path; the empty one is the project. */
  packages: Record<string, Partial<LockedPackage>>;
}

export const REGISTRY = "https://registry.npmjs.org/";
const LOCKFILE_VERSION = 3;
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const EXACT_VERSION = /^(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?$/;
const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/** A package's name in its path of the lockfile. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const isInstalled = (path: string): boolean => path.includes("node_modules/");

/** A local folder that a development dependency names. */
const localFolders = (project: Project): string[] =>
  Object.values(project.devDependencies ?? {})
    .filter((spec) => spec.startsWith("file:"))
    .map((spec) => spec.slice("file:".length));

/** Finds all that is wrong with a lockfile, as sentences. */
export function lintLockfile(lock: Lockfile, project: Project): string[] {
  if (lock.lockfileVersion !== LOCKFILE_VERSION) {
    return [`package-lock.json has the version ${lock.lockfileVersion}, not ${LOCKFILE_VERSION}; run npm install`];
  }
  return [
    ...Object.entries(lock.packages).flatMap(([path, entry]) => (path === "" ? [] : lintEntry(path, entry, project))),
    ...lintStep(lock, project),
    ...lintScripts(lock, project),
  ];
}

function lintEntry(path: string, entry: Partial<LockedPackage>, project: Project): string[] {
  const folders = localFolders(project);
  if (!isInstalled(path)) return folders.includes(path) ? [] : [`${path} is no local folder of package.json`];
  if (entry.link === true) {
    return folders.includes(entry.resolved ?? "")
      ? []
      : [`${path} links ${entry.resolved}, no local folder of package.json`];
  }
  const name = nameAt(path);
  const found: string[] = [];
  if (entry.name !== undefined && entry.name !== name) found.push(`${path} is an alias of ${entry.name}`);
  if (!EXACT_VERSION.test(entry.version ?? "")) found.push(`${path} has no exact version`);
  if (entry.inBundle === true) return found;
  if (!SHA512.test(entry.integrity ?? "")) found.push(`${path} has no SHA-512 integrity`);
  const file = `${REGISTRY}${name}/-/${name.split("/").at(-1)}-${entry.version}.tgz`;
  if (entry.resolved !== undefined && entry.resolved !== file)
    found.push(`${path} comes from ${entry.resolved}, not from ${file}`);
  return found;
}

/** The version satisfies the range; `^1.2.3` and `1.2.3` are the ranges that this project writes. */
function satisfies(version: string, spec: string): boolean {
  const wanted = EXACT_VERSION.exec(spec.replace(/^\^/, ""));
  const found = EXACT_VERSION.exec(version);
  if (wanted === null || found === null) return false;
  if (!spec.startsWith("^")) return version === spec;
  const [major, minor, patch] = wanted.slice(1, 4).map(Number) as [number, number, number];
  const [ownMajor, ownMinor, ownPatch] = found.slice(1, 4).map(Number) as [number, number, number];
  if (ownMajor !== major || (major === 0 && ownMinor !== minor)) return false;
  return ownMinor > minor || (ownMinor === minor && ownPatch >= patch);
}

/** The lockfile is in step with package.json. */
function lintStep(lock: Lockfile, project: Project): string[] {
  const found: string[] = [];
  const root = lock.packages[""] ?? {};
  for (const section of SECTIONS) {
    const [wanted, locked] = [project[section] ?? {}, root[section] ?? {}];
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
      if (wanted[name] !== locked[name]) {
        found.push(
          `${section}: ${name} is ${wanted[name]} in package.json and ${locked[name]} in the lockfile; run npm install`,
        );
      }
    }
    for (const [name, spec] of Object.entries(wanted)) {
      const entry = lock.packages[`node_modules/${name}`];
      if (spec.startsWith("file:") && section === "devDependencies") continue;
      if (entry === undefined) found.push(`${section}: ${name} is not in the lockfile; run npm install`);
      else if (!satisfies(entry.version ?? "", spec)) {
        found.push(
          `${section}: ${name} is locked at ${entry.version}, and package.json asks for ${spec} (write 1.2.3 or ^1.2.3)`,
        );
      }
    }
  }
  return found;
}

/** Install scripts run only for packages that package.json names. */
function lintScripts(lock: Lockfile, project: Project): string[] {
  const allowed = Object.keys(project.allowScripts ?? {});
  const withScripts = new Set(
    Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [nameAt(path)] : [],
    ),
  );
  return [
    ...[...withScripts]
      .filter((name) => !allowed.includes(name))
      .map((name) => `${name} has an install script, and allowScripts does not name it`),
    ...allowed
      .filter((name) => !withScripts.has(name))
      .map((name) => `allowScripts names ${name}, which has no install script`),
  ];
}
