/** Lists that rich text brings: their numbering, added to the template's own. */
import { xmlDecoder } from "../../readers/office/xml-encoding.ts";
import { addRelationship, mainPartOf, OFFICE_RELATIONSHIPS, relationshipsOf } from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import { attributeOf, elementsIn, parseXmlPart, writePart, type XmlPart } from "./word-xml.ts";

const CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml";
const EMPTY =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"></w:numbering>';
const LEVELS = 9;
/** Indent of each level, in twentieths of a point: half an inch, as Word does. */
const INDENT_TWIPS = 720;
const HANGING_TWIPS = 360;
const BULLETS = ["\u2022", "\u25e6", "\u25aa"] as const;
const NUMBERS = ["decimal", "lowerLetter", "lowerRoman"] as const;

type ListKind = "bullet" | "number";

function levelMarkup(kind: ListKind, level: number): string {
  const isBullet = kind === "bullet";
  const format = isBullet ? "bullet" : NUMBERS[level % NUMBERS.length];
  const text = isBullet ? BULLETS[level % BULLETS.length] : `%${level + 1}.`;
  return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${INDENT_TWIPS * (level + 1)}" w:hanging="${HANGING_TWIPS}"/></w:pPr></w:lvl>`;
}

const abstractMarkup = (id: number, kind: ListKind): string =>
  `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${Array.from({ length: LEVELS }, (_, level) => levelMarkup(kind, level)).join("")}</w:abstractNum>`;

/** The lists of one fill. */
export class ListNumbering {
  private readonly office: TemplatePackage;
  private readonly abstracts = new Map<ListKind, number>();
  private readonly numbers: string[] = [];
  private readonly definitions: string[] = [];
  private xml: XmlPart | undefined;
  private name = "";
  private next = { abstract: 0, number: 0 };
  private bullets: number | undefined;

  constructor(office: TemplatePackage) {
    this.office = office;
  }

  /** The number of a list: bullets share one, and each list with numbers counts from 1. */
  numberOf(kind: ListKind): number {
    if (kind === "bullet" && this.bullets !== undefined) return this.bullets;
    this.open();
    let abstract = this.abstracts.get(kind);
    if (abstract === undefined) {
      abstract = this.next.abstract;
      this.next.abstract += 1;
      this.abstracts.set(kind, abstract);
      this.definitions.push(abstractMarkup(abstract, kind));
    }
    const number = this.next.number;
    this.next.number += 1;
    const restart = Array.from(
      { length: kind === "number" ? LEVELS : 0 },
      (_, level) => `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="1"/></w:lvlOverride>`,
    );
    this.numbers.push(`<w:num w:numId="${number}"><w:abstractNumId w:val="${abstract}"/>${restart.join("")}</w:num>`);
    if (kind === "bullet") this.bullets = number;
    return number;
  }

  /** Puts the lists into the package; the schema has definitions first, then numbers. */
  save(): void {
    const { xml } = this;
    if (xml === undefined) return;
    const { children } = xml.root;
    const isOne = (name: string) => (child: (typeof children)[number]) =>
      typeof child !== "string" && child.name === name;
    const lastNumber = children.findLastIndex(isOne("w:num"));
    const lastDefinition = children.findLastIndex(isOne("w:abstractNum"));
    const pictures = children.findLastIndex(isOne("w:numPicBullet"));
    children.splice(Math.max(lastNumber, lastDefinition, pictures) + 1, 0, ...this.numbers);
    children.splice(Math.max(lastDefinition, pictures) + 1, 0, ...this.definitions);
    const content = writePart(xml);
    if (this.office.has(this.name)) this.office.write(this.name, content);
    else {
      this.office.add(this.name, content, CONTENT_TYPE);
      addRelationship(
        this.office,
        mainPartOf(this.office, "word/document.xml"),
        `${OFFICE_RELATIONSHIPS}/numbering`,
        this.name,
      );
    }
  }

  private open(): void {
    if (this.xml !== undefined) return;
    const main = mainPartOf(this.office, "word/document.xml");
    const known = relationshipsOf(this.office, main).find(
      ({ type, external }) => type.endsWith("/numbering") && !external,
    );
    this.name = known?.target ?? this.office.freeName("word/numbering", ".xml");
    const bytes = this.office.read(this.name);
    const xml = parseXmlPart(bytes === undefined ? EMPTY : xmlDecoder(bytes).decode(bytes));
    const highest = (name: string, attribute: string): number =>
      [...elementsIn(xml.root)]
        .filter((one) => one.name === name)
        .reduce((most, one) => Math.max(most, Number(attributeOf(one, attribute)) || 0), 0);
    this.next = { abstract: highest("w:abstractNum", "w:abstractNumId") + 1, number: highest("w:num", "w:numId") + 1 };
    this.xml = xml;
  }
}
