/** Templates of PowerPoint: tags in texts, tables and notes, sections of paragraphs, rows and slides, pictures, charts. */
import { BadRequest, UnprocessableEntity } from "../../../ports/errors.ts";
import { PPTX } from "../../../ports/media-types.ts";
import { matchTemplateValues } from "../match-fields.ts";
import { RenderedItems } from "../office/rendered-items.ts";
import { outerScope, sectionScopes, type TagScope } from "../office/tag-expression.ts";
import { refuseFaults } from "../office/tag-fault.ts";
import { fieldsOfTags } from "../office/tag-fields.ts";
import { openTemplatePackage } from "../office/template-package.ts";
import { PictureParts } from "../office/template-picture.ts";
import { writeTree, type XmlNode } from "../office/xml-tree.ts";
import type { FilledTemplate, FillRequest, TemplateDescription, TemplateField } from "../template.ts";
import { copySlide, removeSlide } from "./copy-slide.ts";
import { type Deck, type DeckPart, type DeckSlide, openDeck } from "./deck.ts";
import { type DeckSections, matchSections } from "./deck-sections.ts";
import { findDeckTags } from "./deck-tags.ts";
import { type ReplaceShape, SlideRenderer, touchedElements } from "./render-slide.ts";
import { ShapePictures } from "./shape-pictures.ts";
import { fillChart, findCharts } from "./slide-charts.ts";
import { type FilledSlide, writeSlideList } from "./slide-list.ts";

/** Most slides of a filled deck; PowerPoint itself becomes slow with fewer. */
const MAX_SLIDES = 2_000;
const PRESENTATION_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";

interface OpenTemplate {
  deck: Deck;
  sections: DeckSections;
  fields: TemplateField[];
}

/** @throws UnprocessableEntity naming each tag with a fault, and for a deck without tags */
async function openTemplate(bytes: Uint8Array): Promise<OpenTemplate> {
  const deck = openDeck(openTemplatePackage(bytes));
  const tags = findDeckTags(deck, await findCharts(deck));
  const sections = matchSections(tags);
  refuseFaults(tags.faults);
  const fields = fieldsOfTags(sections.uses);
  if (fields.length === 0) {
    throw new UnprocessableEntity("The presentation has no fields to fill; write tags such as {name} into its texts");
  }
  return { deck, sections, fields };
}

/** Lists the fields of a presentation. @throws UnprocessableEntity for a file that cannot be filled */
export async function describePowerPoint(bytes: Uint8Array): Promise<TemplateDescription> {
  return { fields: (await openTemplate(bytes)).fields, signed: false, dropsRestrictions: false };
}

interface PlannedSlide {
  source: DeckSlide;
  scope: TagScope;
}

/** The slides of the filled deck, in order, each with the values that its tags see. */
function planSlides({ deck, sections }: OpenTemplate, scope: TagScope, items: RenderedItems): PlannedSlide[] {
  const planned: PlannedSlide[] = [];
  const range = (from: number, to: number, first: number, around: TagScope): void => {
    for (let at = from; at <= to; ) {
      const next = sections.ofSlides.findIndex(({ fromSlide }, index) => index >= first && fromSlide === at);
      const section = sections.ofSlides[next];
      const source = deck.slides[at];
      if (section === undefined) {
        if (source !== undefined) planned.push({ source, scope: around });
        if (planned.length > MAX_SLIDES) {
          throw new BadRequest(
            `The values make more than ${MAX_SLIDES.toLocaleString("en-US")} slides; send fewer items`,
          );
        }
        at += 1;
        continue;
      }
      for (const one of sectionScopes(around, section.path, section.inverted)) {
        items.add();
        range(section.fromSlide, section.toSlide, next + 1, one);
      }
      at = section.toSlide + 1;
    }
  };
  range(0, deck.slides.length - 1, 0, scope);
  return planned;
}

/** @throws UnprocessableEntity when sections leave no slide */
function refuseEmpty(planned: readonly PlannedSlide[]): void {
  if (planned.length > 0) return;
  throw new BadRequest("The values leave the presentation without a slide; give the loops of slides an item");
}

class DeckFiller {
  readonly #template: OpenTemplate;
  readonly #touched: ReadonlySet<XmlNode>;
  readonly #pictures: ShapePictures;
  readonly #items: RenderedItems;

  constructor(template: OpenTemplate, images: ReadonlyMap<string, Uint8Array>, items: RenderedItems) {
    this.#template = template;
    const { deck, sections } = template;
    const parts = deck.slides.flatMap(({ slide, notes }) => [slide, ...(notes === undefined ? [] : [notes])]);
    this.#touched = touchedElements(
      parts.map(({ root }) => root),
      sections.spots,
    );
    this.#pictures = new ShapePictures(deck.office, new PictureParts(deck.office, "ppt/media"), images);
    this.#items = items;
  }

  async fill(planned: readonly PlannedSlide[]): Promise<FilledSlide[]> {
    const { office, slides } = this.#template.deck;
    const used = new Set<string>();
    // Copies are made of the template's slides, before one of them is filled.
    const copies = planned.map(({ source }) => {
      const isFirst = !used.has(source.slide.name);
      used.add(source.slide.name);
      return isFirst ? new Map<string, string>() : copySlide(office, source.slide.name);
    });
    const filled: FilledSlide[] = [];
    for (const [index, { source, scope }] of planned.entries()) {
      const nameNow = (name: string): string => copies[index]?.get(name) ?? name;
      for (const part of [source.slide, source.notes]) {
        if (part !== undefined) this.#fillPart(part, nameNow(part.name), scope);
      }
      for (const { slide, chart } of this.#template.sections.charts) {
        if (slides[slide] !== source) continue;
        this.#items.add();
        await fillChart(office, { part: nameNow(chart.part), workbook: nameNow(chart.workbook) }, scope);
      }
      filled.push({ source, name: nameNow(source.slide.name) });
    }
    for (const { slide } of slides) if (!used.has(slide.name)) removeSlide(office, slide.name);
    return filled;
  }

  #fillPart({ root }: DeckPart, name: string, scope: TagScope): void {
    if (!this.#touched.has(root)) return;
    const context = {
      sections: this.#template.sections,
      items: this.#items,
      replaceShape: ((shape, value, spot) => this.#pictures.replace(name, shape, value, spot)) satisfies ReplaceShape,
    };
    this.#template.deck.office.write(name, writeTree(new SlideRenderer(context, this.#touched).render(root, scope)));
  }
}

/**
 * Fills a presentation. Parts without a tag keep their bytes.
 * @throws BadRequest for unknown or missing fields and for values that tags do not take; UnprocessableEntity for a file
 *   that cannot be filled
 */
export async function fillPowerPoint(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate> {
  const template = await openTemplate(bytes);
  const { values, unknown } = matchTemplateValues(template.fields, request);
  const items = new RenderedItems();
  const planned = planSlides(template, outerScope(values), items);
  refuseEmpty(planned);
  const { deck } = template;
  const slides = await new DeckFiller(template, request.images, items).fill(planned);
  writeSlideList(deck, slides);
  deck.office.setContentType(deck.name, PRESENTATION_TYPE);
  return { bytes: deck.office.save(), contentType: PPTX, unknownFields: unknown, restrictionsDropped: false };
}
