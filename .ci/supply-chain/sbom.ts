/** The list of all parts of a deployment (SBOM) in the format CycloneDX, as npm writes it, checked before it is kept. */
import { spawnSync } from "node:child_process";
import * as z from "zod";
import { type Lockfile, nameAt, type Project } from "./lockfile.ts";

/** Hexadecimal digits of a SHA-512. */
const SHA512_DIGITS = 128;

const licence = z.union([
  z.object({ license: z.object({ id: z.string() }).or(z.object({ name: z.string() })) }),
  z.object({ expression: z.string() }),
]);
const COMPONENT_TYPES = [
  "application",
  "framework",
  "library",
  "container",
  "platform",
  "operating-system",
  "file",
] as const;
const component = z.object({
  type: z.enum(COMPONENT_TYPES),
  "bom-ref": z.string().min(1),
  name: z.string().min(1),
  version: z.string().min(1),
  purl: z.string().startsWith("pkg:npm/"),
  scope: z.enum(["required", "optional", "excluded"]).optional(),
  hashes: z.array(z.object({ alg: z.literal("SHA-512"), content: z.hex().length(SHA512_DIGITS) })).optional(),
  licenses: z.array(licence).optional(),
  externalReferences: z.array(z.object({ type: z.string(), url: z.string() })).optional(),
});

/** The required members of a bill of materials. Source: CycloneDX 1.5, JSON schema. */
const sbomShape = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.enum(["1.5", "1.6"]),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.looseObject({ timestamp: z.iso.datetime(), component: component.loose() }),
  components: z.array(component.loose()),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});
export type Sbom = z.infer<typeof sbomShape>;

/** Packages of a deployment, as `name@version`, with the hexadecimal digits of their SHA-512. */
function deployedPackages(lock: Lockfile): Map<string, string> {
  const all = new Map<string, string>();
  for (const [path, { version, integrity = "", dev, link }] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/") || dev === true || link === true) continue;
    all.set(`${nameAt(path)}@${version}`, Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex"));
  }
  return all;
}

/**
 * Makes the list from the lockfile, without a network. npm lists all packages, and those for development are removed
 * here: its own `--omit dev` also removes packages that a development dependency shares.
 * @throws Error when npm cannot make it
 */
export function makeSbom(project: Project, lock: Lockfile): Sbom {
  const options = ["--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const made = spawnSync("npm", ["sbom", ...options], { encoding: "utf8", shell: process.platform === "win32" });
  if (made.status !== 0) throw new Error(`npm sbom failed: ${made.stderr}`);
  const sbom: Sbom = JSON.parse(made.stdout);
  const deployed = deployedPackages(lock);
  // npm writes no hash where a package is also inside the archive of another.
  const components = sbom.components.flatMap((one) => {
    const content = deployed.get(`${one.name}@${one.version}`);
    return content === undefined ? [] : [{ ...one, hashes: [{ alg: "SHA-512" as const, content }] }];
  });
  const refs = new Set([...components, sbom.metadata.component].map((one) => one["bom-ref"]));
  const root = sbom.metadata.component["bom-ref"];
  const named = Object.keys(project.dependencies ?? {});
  const isNamed = (ref: string): boolean => named.includes(ref.slice(0, ref.lastIndexOf("@")));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((one) => refs.has(one) && (ref !== root || isNamed(one))),
    }));
  // npm names the project by its folder.
  const metadata = { ...sbom.metadata, component: { ...sbom.metadata.component, name: project.name } };
  return { ...sbom, metadata, components, dependencies };
}

/** Compares the list with the format and with the lockfile. @returns sentences about what is wrong */
export function checkSbom(value: unknown, lock: Lockfile): string[] {
  const parsed = sbomShape.safeParse(value);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `sbom: ${path.join(".")}: ${message}`);
  const { components, dependencies, metadata } = parsed.data;
  const refs = components.map((one) => one["bom-ref"]);
  const known = new Set([...refs, metadata.component["bom-ref"]]);
  const found = refs.filter((ref, index) => refs.indexOf(ref) !== index).map((ref) => `sbom: ${ref} is there twice`);
  for (const { ref, dependsOn = [] } of dependencies) {
    for (const name of [ref, ...dependsOn]) if (!known.has(name)) found.push(`sbom: ${name} is no component`);
  }
  const listed = new Map(components.map((one) => [`${one.name}@${one.version}`, one.hashes?.[0]?.content]));
  for (const [name, hash] of deployedPackages(lock)) {
    if (!listed.has(name)) found.push(`sbom: ${name} of the lockfile is missing`);
    else if (listed.get(name) !== hash) found.push(`sbom: ${name} has another hash than in the lockfile`);
    listed.delete(name);
  }
  for (const name of listed.keys()) found.push(`sbom: ${name} is no part of a deployment`);
  return found;
}
