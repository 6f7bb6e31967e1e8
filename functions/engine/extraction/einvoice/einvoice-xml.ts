/** XML as electronic invoices are written: elements, attributes and text. No entities but the five, nothing is fetched. */

export interface XmlLeaf {
  /** Local names from the root down, parted by `/`. */
  path: string;
  text: string;
  attributes: string;
}

const LONGEST = 1_000_000;
const MAX_LEAVES = 50_000;
const MAX_DEPTH = 40;

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{2,4}));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (name !== undefined) return ENTITIES[name] ?? whole;
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Where what begins at `at` and is no element ends; -1 when it never does. */
function endOfOther(xml: string, at: number): number {
  const [open, close] = xml.startsWith("<!--", at)
    ? ["<!--", "-->"]
    : xml.startsWith("<![CDATA[", at)
      ? ["<![CDATA[", "]]>"]
      : ["<", ">"];
  const end = xml.indexOf(close, at + open.length);
  return end < 0 ? -1 : end + close.length;
}

/**
 * The texts of the innermost elements, in their order. Reads what it can: of damaged XML, what stands before the damage.
 * Time is linear in the length, of which a million characters are read.
 */
export function readXml(given: string): XmlLeaf[] {
  const xml = given.slice(0, LONGEST);
  const leaves: XmlLeaf[] = [];
  const open: { path: string; attributes: string; text: string; inner: boolean }[] = [];
  let at = 0;
  while (at < xml.length && leaves.length < MAX_LEAVES) {
    const next = xml.indexOf("<", at);
    if (next < 0) break;
    const current = open.at(-1);
    if (current !== undefined) current.text += decode(xml.slice(at, next));
    const mark = xml[next + 1];
    if (mark === "!" || mark === "?") {
      const end = endOfOther(xml, next);
      if (end < 0) break;
      if (current !== undefined && xml.startsWith("<![CDATA[", next)) current.text += xml.slice(next + 9, end - 3);
      at = end;
      continue;
    }
    const end = xml.indexOf(">", next);
    if (end < 0) break;
    at = end + 1;
    if (mark === "/") {
      const closed = open.pop();
      if (closed !== undefined && !closed.inner && closed.text.trim() !== "")
        leaves.push({ path: closed.path, text: closed.text.trim(), attributes: closed.attributes });
      continue;
    }
    const tag = xml.slice(next + 1, end);
    const space = tag.search(/[\s/]/);
    if (current !== undefined) current.inner = true;
    if (tag.endsWith("/")) continue;
    if (open.length >= MAX_DEPTH) break;
    const name = localName(space < 0 ? tag : tag.slice(0, space));
    const path = current === undefined ? name : `${current.path}/${name}`;
    open.push({ path, attributes: space < 0 ? "" : decode(tag.slice(space)), text: "", inner: false });
  }
  return leaves;
}
