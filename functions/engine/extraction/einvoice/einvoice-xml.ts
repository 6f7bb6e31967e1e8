/** The XML of electronic invoices: elements, attributes and text. Entities are never expanded, nothing is fetched. */
import { SaxesParser } from "saxes";

export interface XmlLeaf {
  /** Local names from the root down, separated by `/`. */
  path: string;
  text: string;
  /** The attributes as XML, each with a blank before it. */
  attributes: string;
}

const MAX_XML_CHARS = 1_000_000;
const MAX_LEAVES = 50_000;
const MAX_ELEMENT_DEPTH = 40;
/** Errors of the syntax after which the rest is not read. */
const MAX_SYNTAX_ERRORS = 100;

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Ends the parsing at a limit. */
class LimitReached extends Error {}

interface OpenElement {
  path: string;
  attributes: string;
  text: string;
  hasElements: boolean;
}

function connect(parser: SaxesParser<{ position: false }>, leaves: XmlLeaf[]): void {
  const open: OpenElement[] = [];
  let errors = 0;
  parser.on("error", () => {
    errors += 1;
    if (errors > MAX_SYNTAX_ERRORS) throw new LimitReached();
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= MAX_ELEMENT_DEPTH) throw new LimitReached();
    const parent = open.at(-1);
    if (parent !== undefined) parent.hasElements = true;
    open.push({
      path: parent === undefined ? localName(name) : `${parent.path}/${localName(name)}`,
      attributes: Object.entries(attributes)
        .map(([attribute, value]) => ` ${attribute}="${value}"`)
        .join(""),
      text: "",
      hasElements: false,
    });
  });
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element === undefined || element.hasElements || element.text.trim() === "") return;
    leaves.push({ path: element.path, text: element.text.trim(), attributes: element.attributes });
    if (leaves.length >= MAX_LEAVES) throw new LimitReached();
  });
}

/**
 * The texts of the innermost elements, in document order. Of damaged XML, the elements before the damage are read; time
 * is linear in the length.
 */
export function readXmlLeaves(xml: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const parser = new SaxesParser({ position: false });
  connect(parser, leaves);
  try {
    parser.write(xml.slice(0, MAX_XML_CHARS));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
  }
  return leaves;
}
