/** A slide (ECMA-376 part 1, 19.3): its shapes in file order, which is the reading order; titles first. */
import type { Block, Box } from "../../../../ports/layout.ts";
import { readChart, readDiagram } from "../diagrams.ts";
import { readDrawing } from "../drawings.ts";
import type { OfficePackage } from "../office-package.ts";
import { type Relationships, readRelationships, relatedPart } from "../relationships.ts";
import {
  childOf,
  chosenBranch,
  descendantOf,
  elementsOf,
  findAll,
  isOn,
  parseXml,
  type XmlBudget,
  type XmlElement,
} from "../xml-parts.ts";
import { groupTransform, IDENTITY_TRANSFORM, readFrame, type Transform } from "./graphic-frames.ts";
import { type PlaceholderTemplates, readPlaceholder } from "./placeholders.ts";
import { readSlideTable } from "./pptx-tables.ts";
import { figureBlock, readParagraphs, textBlocks } from "./slide-shapes.ts";
import type { ShapeParagraph } from "./text-frame.ts";

export interface Slide {
  hidden: boolean;
  blocks: Block[];
  /** Paragraphs of the speaker's notes. */
  notes: ShapeParagraph[];
}

/** State shared by the slides of a presentation. */
export interface Presentation {
  office: OfficePackage;
  budget: XmlBudget;
  placeholders: PlaceholderTemplates;
  /** Inches. */
  width: number;
  height: number;
}

/** Margin of shapes without a stated place. */
const DEFAULT_MARGIN_INCHES = 0.5;

class SlideReader {
  readonly blocks: Block[] = [];
  readonly #presentation: Presentation;
  readonly #relationships: Relationships;
  readonly #layout: string | undefined;

  constructor(presentation: Presentation, relationships: Relationships) {
    this.#presentation = presentation;
    this.#relationships = relationships;
    this.#layout = relatedPart(relationships, "slideLayout");
  }

  readTree(element: XmlElement, transform: Transform): void {
    for (const child of elementsOf(element)) {
      if (isOn(descendantOf(child, `nv${NON_VISUAL_NAMES[child.name] ?? ""}Pr`, "cNvPr")?.attributes.hidden)) continue;
      if (child.name === "sp" || child.name === "cxnSp") this.#shape(child, transform);
      else if (child.name === "grpSp")
        this.readTree(child, groupTransform(descendantOf(child, "grpSpPr", "xfrm"), transform));
      else if (child.name === "graphicFrame") this.#graphic(child, transform);
      else if (child.name === "pic") this.#picture(child, transform);
      else if (child.name === "AlternateContent") {
        const branch = chosenBranch(child);
        if (branch !== undefined) this.readTree(branch, transform);
      }
    }
  }

  get #defaultBox(): Box {
    const { width, height } = this.#presentation;
    return {
      left: DEFAULT_MARGIN_INCHES,
      top: DEFAULT_MARGIN_INCHES,
      right: width - DEFAULT_MARGIN_INCHES,
      bottom: height - DEFAULT_MARGIN_INCHES,
    };
  }

  #shape(shape: XmlElement, transform: Transform): void {
    const body = childOf(shape, "txBody");
    if (body === undefined) return;
    const placeholder = readPlaceholder(shape);
    const inherited = this.#presentation.placeholders.inherit(this.#layout, placeholder);
    const paragraphs = readParagraphs(body, this.#relationships, inherited.levels);
    const box = readFrame(descendantOf(shape, "spPr", "xfrm"), transform) ?? inherited.box ?? this.#defaultBox;
    this.blocks.push(...textBlocks(paragraphs, box, placeholder));
  }

  #graphic(frame: XmlElement, transform: Transform): void {
    const box = readFrame(childOf(frame, "xfrm"), transform) ?? this.#inheritedBox(frame) ?? this.#defaultBox;
    const data = descendantOf(frame, "graphic", "graphicData");
    const table = childOf(data, "tbl");
    if (table !== undefined) {
      const block = readSlideTable(table, box, this.#relationships);
      if (block !== undefined) this.blocks.push(block);
      return;
    }
    if (data === undefined) return;
    const { diagrams, charts, pictures } = readDrawing(data);
    const texts = [
      ...diagrams.flatMap((id) => this.#texts(id, readDiagram)),
      ...charts.flatMap((id) => this.#texts(id, readChart)),
    ];
    const alt = descendantOf(frame, "nvGraphicFramePr", "cNvPr")?.attributes.descr ?? "";
    if (texts.length > 0 || pictures.length > 0 || alt !== "")
      this.blocks.push(figureBlock(box, texts.length > 0 ? texts : [alt]));
  }

  #texts(id: string, read: (part: Uint8Array, budget: XmlBudget) => string[]): string[] {
    const target = this.#relationships.get(id);
    const part = target === undefined || target.external ? undefined : this.#presentation.office.read(target.target);
    return part === undefined ? [] : read(part, this.#presentation.budget);
  }

  #inheritedBox(shape: XmlElement): Box | undefined {
    const placeholder = readPlaceholder(shape);
    if (placeholder === undefined) return undefined;
    return this.#presentation.placeholders.inherit(this.#layout, placeholder).box;
  }

  #picture(picture: XmlElement, transform: Transform): void {
    const box =
      readFrame(descendantOf(picture, "spPr", "xfrm"), transform) ?? this.#inheritedBox(picture) ?? this.#defaultBox;
    const alt = descendantOf(picture, "nvPicPr", "cNvPr")?.attributes.descr ?? "";
    this.blocks.push(figureBlock(box, [alt.replace(/\s+/g, " ")]));
  }
}

/** Name part of an element's non-visual properties. */
const NON_VISUAL_NAMES: Readonly<Record<string, string>> = {
  sp: "Sp",
  cxnSp: "CxnSp",
  grpSp: "GrpSp",
  graphicFrame: "GraphicFrame",
  pic: "Pic",
};

const SHAPE_NAMES = new Set(["sp"]);

/** The speaker's notes: the body text of a notes page, which also repeats the slide and its number. */
function readNotes(presentation: Presentation, name: string | undefined): ShapeParagraph[] {
  const part = name === undefined ? undefined : presentation.office.read(name);
  if (name === undefined || part === undefined) return [];
  const relationships = readRelationships(presentation.office, name, presentation.budget);
  return [...findAll(parseXml(part, presentation.budget), SHAPE_NAMES)].flatMap((shape) => {
    const body = childOf(shape, "txBody");
    if (body === undefined || readPlaceholder(shape)?.type !== "body") return [];
    return readParagraphs(body, relationships, []);
  });
}

const isTitle = (block: Block): boolean => block.kind === "heading";

/** @param name name of the slide's part @throws JobFailure: corrupted; more elements than can be processed */
export function readSlide(presentation: Presentation, name: string): Slide | undefined {
  const { office, budget } = presentation;
  const part = office.read(name);
  if (part === undefined) return undefined;
  const root = parseXml(part, budget);
  const relationships = readRelationships(office, name, budget);
  const reader = new SlideReader(presentation, relationships);
  const tree = descendantOf(root, "cSld", "spTree");
  if (tree !== undefined) reader.readTree(tree, IDENTITY_TRANSFORM);
  const { blocks } = reader;
  return {
    hidden: root.attributes.show !== undefined && !isOn(root.attributes.show),
    blocks: [...blocks.filter(isTitle), ...blocks.filter((block) => !isTitle(block))],
    notes: readNotes(presentation, relatedPart(relationships, "notesSlide")),
  };
}
