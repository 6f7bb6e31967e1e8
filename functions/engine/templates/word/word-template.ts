/** Word templates: documents with tags, content controls, form fields or merge fields. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import type { Json, JsonObject } from "../../../ports/json.ts";
import { DOCX } from "../../../ports/media-types.ts";
import { matchTemplateValues } from "../match-fields.ts";
import { RenderedItems } from "../office/rendered-items.ts";
import { lookUp, outerScope, type TagScope } from "../office/tag-expression.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import { PictureParts, type TemplatePicture, templatePicture } from "../office/template-picture.ts";
import type { FilledTemplate, FillRequest, TemplateDescription } from "../template.ts";
import type { Control } from "./controls.ts";
import { BoundData, bindingOf } from "./data-binding.ts";
import { flattenPart } from "./flatten-part.ts";
import { linkRelationship } from "./link-relationships.ts";
import { ListNumbering } from "./list-numbering.ts";
import { type CompiledPart, openWord } from "./open-word.ts";
import { type PartFill, PartRenderer } from "./render-part.ts";
import { withUniqueIds } from "./unique-ids.ts";
import { wordFields } from "./word-fields.ts";
import { bodyRelated, mainWordPart, readText } from "./word-parts.ts";
import { parseXmlPart, utf8Prolog, writePart } from "./word-xml.ts";

const DOCUMENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** @throws UnprocessableEntity for a file that cannot be filled; JobFailure (corrupted) for a damaged one */
export async function describeWord(bytes: Uint8Array): Promise<TemplateDescription> {
  const { parts } = openWord(bytes);
  return { fields: wordFields(parts.map(({ program }) => program)), signed: false, dropsRestrictions: false };
}

/** What the parts of one fill share. */
class WordFill {
  readonly budget = new RenderedItems();
  readonly data: BoundData;
  readonly numbering: ListNumbering;
  private readonly office: TemplatePackage;
  private readonly images: ReadonlyMap<string, Uint8Array>;
  private readonly pictures: PictureParts;
  private readonly bound = new Map<string, Json>();
  private readonly relationships = new Map<string, string>();

  constructor(office: TemplatePackage, images: ReadonlyMap<string, Uint8Array>) {
    this.office = office;
    this.images = images;
    this.data = new BoundData(office);
    this.numbering = new ListNumbering(office);
    this.pictures = new PictureParts(office, "word/media");
  }

  /** Notes the values of bound controls, as other controls of the same data show them too. */
  collect(controls: readonly Control[], scope: TagScope): void {
    for (const control of controls) {
      const value = lookUp(scope, control.name.split("."));
      const binding = bindingOf(control);
      if (value !== undefined && binding !== undefined) this.bound.set(binding.key, value);
    }
  }

  /** The fill of one part. */
  ofPart(name: string): PartFill {
    return {
      budget: this.budget,
      picture: (field, value) => templatePicture(field, value, this.images),
      relate: (picture) => this.once(`${name} ${picture.ref}`, () => this.relate(name, picture)),
      link: (address) =>
        this.once(`${name} link ${address}`, () => linkRelationship(this.office, name, address) ?? "") || undefined,
      numberOf: (kind) => this.numbering.numberOf(kind),
      bind: (control, stored) => {
        const binding = bindingOf(control);
        return binding !== undefined && this.data.write(binding, stored);
      },
      boundValue: (control) => {
        const binding = this.bound.size === 0 ? undefined : bindingOf(control);
        return binding === undefined ? undefined : this.bound.get(binding.key);
      },
    };
  }

  private relate(name: string, picture: TemplatePicture): string {
    return this.pictures.relate(name, picture);
  }

  private once(key: string, make: () => string): string {
    const made = this.relationships.get(key) ?? make();
    this.relationships.set(key, made);
    return made;
  }
}

/** A document that is filled is no main document of a mail merge: Word would ask for its data on opening. */
function endMailMerge(office: TemplatePackage): void {
  const name = bodyRelated(office, "/settings");
  const text = readText(office, name);
  if (name === undefined || text === undefined || !text.includes("mailMerge")) return;
  const xml = parseXmlPart(text);
  xml.root.children = xml.root.children.filter((child) => typeof child === "string" || child.name !== "w:mailMerge");
  office.write(name, writePart(xml));
}

function renderParts(
  office: TemplatePackage,
  parts: readonly CompiledPart[],
  values: JsonObject,
  { images, flatten }: FillRequest,
): void {
  const fill = new WordFill(office, images);
  const scope = outerScope(values);
  for (const { controls } of parts) fill.collect(controls, scope);
  for (const { name, prolog, program } of parts) {
    const text = new PartRenderer(fill.ofPart(name)).render(program, scope);
    const part = `${utf8Prolog(prolog)}${withUniqueIds(text)}`;
    office.write(name, flatten ? flattenPart(part) : part);
  }
  fill.data.save();
  fill.numbering.save();
}

/**
 * Fills a Word template. Parts without fields keep their bytes; absent fields print nothing. With `flatten` the filled
 * document has no controls and no form fields.
 * @throws BadRequest for unknown or missing fields and for values that a field does not take; UnprocessableEntity for a
 *   file that cannot be filled; JobFailure (corrupted) for a damaged one
 */
export async function fillWord(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate> {
  const { office, parts, hasMergeFields } = openWord(bytes);
  const fields = wordFields(parts.map(({ program }) => program));
  if (fields.length === 0) {
    throw new UnprocessableEntity("The document has no tags, content controls or form fields to fill");
  }
  const { values, unknown } = matchTemplateValues(fields, request);
  renderParts(office, parts, values, request);
  if (hasMergeFields) endMailMerge(office);
  const filled: FilledTemplate = { bytes: new Uint8Array(), unknownFields: unknown, restrictionsDropped: false };
  const main = mainWordPart(office);
  if (office.contentType(main) !== DOCUMENT_TYPE) {
    office.setContentType(main, DOCUMENT_TYPE);
    filled.contentType = DOCX;
  }
  filled.bytes = office.save();
  return filled;
}
