/** Settings of LibreOffice for hostile documents: a fresh profile for each conversion. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Settings by their place in LibreOffice's registry (share/registry/main.xcd has them with their meanings). Links are
 * updated: never, which is 0 in Writer and 1 in Calc. A link's referer is untrusted unless its folder is named, and
 * none is: no linked picture, text or sheet is loaded, from the network or from this machine's files.
 */
const SETTINGS: readonly [path: string, name: string, value: string][] = [
  ["org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"],
  ["org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"],
  ["org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"],
  ["org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"],
  ["org.openoffice.Office.Common/Security/Scripting", "DisablePythonRuntime", "true"],
  ["org.openoffice.Office.Writer/Content/Update", "Link", "0"],
  ["org.openoffice.Office.Calc/Content/Update", "Link", "1"],
  ["org.openoffice.Office.Java/VirtualMachine", "Enable", "false"],
  [
    "org.openoffice.Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments",
    "AutoCheckEnabled",
    "false",
  ],
];

const item = ([place, name, value]: (typeof SETTINGS)[number]): string =>
  `<item oor:path="/${place}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** Writes the profile. @param folder the profile's own, which is made */
export async function writeProfile(folder: string): Promise<void> {
  const user = path.join(folder, "user");
  await mkdir(user, { recursive: true, mode: 0o700 });
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${SETTINGS.map(item).join("\n")}
</oor:items>
`;
  await writeFile(path.join(user, "registrymodifications.xcu"), xml, { mode: 0o600 });
}
