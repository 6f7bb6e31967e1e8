import { describe, expect, it } from "vitest";
import {
  childOf,
  newBudget,
  parseXml,
  readXml,
  textOf,
  type XmlElement,
} from "../../../../../functions/engine/readers/office/xml-parts.ts";
import { JOB_SENTENCES } from "../../../../../functions/ports/errors.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): XmlElement => parseXml(bytes(text), newBudget());

describe("readXml names", () => {
  it("lose their prefixes, which writers choose", () => {
    const root = parse('<ns0:a xmlns:ns0="urn:x" ns0:val="1"><ns0:b>t</ns0:b></ns0:a>');
    expect([root.name, root.attributes.val, textOf(childOf(root, "b"))]).toEqual(["a", "1", "t"]);
  });

  it("of relationships get the prefix r, whatever theirs was", () => {
    const namespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const { attributes } = parse(`<a xmlns:rel="${namespace}" id="256" rel:id="rId2"/>`);
    expect([attributes.id, attributes["r:id"]]).toEqual(["256", "rId2"]);
  });
});

it("readXml passes wanted elements whole, with the path to them", () => {
  const taken: string[] = [];
  const visitor = {
    whole: (name: string): boolean => name === "row",
    take: (element: XmlElement, path: readonly string[]): void => {
      taken.push(`${path.join("/")}:${element.children.length}`);
    },
  };
  readXml(bytes("<s><data><row><c/><c/></row>\n<row/></data></s>"), visitor, newBudget());
  expect(taken).toEqual(["s/data:2", "s/data:0"]);
});

describe("readXml encodings", () => {
  it.each([
    ["UTF-16 with a mark", new Uint8Array([0xff, 0xfe, ...Buffer.from("<a>ö</a>", "utf16le")])],
    ["UTF-16 without one", new Uint8Array(Buffer.from("<a>ö</a>", "utf16le"))],
    [
      "windows-1252 as declared",
      new Uint8Array(Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>ö</a>', "latin1")),
    ],
    ["UTF-8 that is declared as UTF-16", bytes('<?xml version="1.0" encoding="UTF-16"?><a>ö</a>')],
  ])("%s", (_, part) => {
    expect(textOf(parseXml(part, newBudget()))).toBe("ö");
  });
});

describe("readXml refuses", () => {
  it.each([
    ["what is not well-formed", "<a><b></a>"],
    ["a document type", "<!DOCTYPE a><a/>"],
    ["an entity that XML does not have", "<a>&nbsp;</a>"],
    ["elements too deep in each other", `${"<a>".repeat(300)}${"</a>".repeat(300)}`],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(() => parse(text)).toThrow(JOB_SENTENCES.corrupted);
  });

  it("more elements than the document has left", () => {
    expect(() => parseXml(bytes(`<a>${"<b/>".repeat(50)}</a>`), { elements: 50 })).toThrow(
      /more elements than can be processed/,
    );
  });
});
