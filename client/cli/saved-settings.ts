/** The file with a service's address and key that `sheaf configure` keeps in the user's own folder. */
import { join } from "node:path";
import { type Io, type SavedSettings, UsageError } from "./io.ts";
import { parseJsonObject } from "./options.ts";

/**
 * Where the settings are kept: below XDG_CONFIG_HOME, or `.config` in the home folder (XDG Base Directory
 * Specification); on Windows below APPDATA.
 * @returns undefined in an environment without any of them
 */
export function settingsFile({ XDG_CONFIG_HOME, APPDATA, HOME, USERPROFILE }: Io["env"]): string | undefined {
  const home = HOME || USERPROFILE;
  const folder = XDG_CONFIG_HOME || APPDATA || (home ? join(home, ".config") : undefined);
  return folder === undefined ? undefined : join(folder, "sheaf", "config.json");
}

export interface LoadedSettings extends SavedSettings {
  file: string | undefined;
  othersMayRead: boolean;
}

/** Reads the settings; none without a file. @throws UsageError for one that cannot be read or is spoilt */
export async function loadSettings(io: Io): Promise<LoadedSettings> {
  const file = settingsFile(io.env);
  const found = file === undefined ? undefined : await io.secrets.read(file);
  if (file === undefined || found === undefined) return { file: undefined, othersMayRead: false };
  const { apiUrl, token } = parseJsonObject(found.text, `The settings in ${file}`);
  for (const [name, value] of Object.entries({ apiUrl, token })) {
    if (value !== undefined && typeof value !== "string") throw new UsageError(`${name} in ${file} must be a string`);
  }
  return { file, othersMayRead: found.othersMayRead, apiUrl: textOf(apiUrl), token: textOf(token) };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Saves settings so that only their owner can read them. @returns the file @throws UsageError */
export async function saveSettings(io: Io, { apiUrl, token }: SavedSettings): Promise<string> {
  const file = settingsFile(io.env);
  if (file === undefined) throw new UsageError("There is no folder for settings: set XDG_CONFIG_HOME or HOME");
  await io.secrets.write(file, `${JSON.stringify({ apiUrl, token }, null, 2)}\n`);
  return file;
}
