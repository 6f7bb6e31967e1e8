/** Sections of a Word part: tags that open, with the tags that close them. */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { tagFault } from "../office/tag-fault.ts";
import type { WordTag } from "./word-tags.ts";

export interface Section {
  open: WordTag;
  close: WordTag;
  path: readonly string[];
  inverted: boolean;
}

export interface MatchedSections {
  sections: Section[];
  /** Sections of a table's columns: rows may open and close beside them in any order. */
  columns: Section[];
  faults: UnprocessableEntity[];
}

/** Most sections inside each other; those of real templates are fewer than ten. */
const MAX_NESTED_SECTIONS = 64;

type OpenTag = WordTag & { tag: { kind: "open" | "inverted"; path: readonly string[] } };

const isOpen = (one: WordTag): one is OpenTag => one.tag.kind === "open" || one.tag.kind === "inverted";
const sameName = (one: readonly string[], other: readonly string[]): boolean => one.join(".") === other.join(".");

const sectionOf = (open: OpenTag, close: WordTag): Section => ({
  open,
  close,
  path: open.tag.path,
  inverted: open.tag.kind === "inverted",
});

class SectionMatcher {
  readonly found: MatchedSections = { sections: [], columns: [], faults: [] };
  private readonly open: OpenTag[] = [];

  add(one: WordTag): void {
    if (isOpen(one)) this.open.push(one);
    if (this.open.length > MAX_NESTED_SECTIONS) {
      this.fault(one, `is the ${this.open.length}th section inside another; ${MAX_NESTED_SECTIONS} are allowed`);
      this.open.pop();
    }
    if (one.tag.kind === "close") this.close(one, one.tag.path);
  }

  /** Faults of the sections that are open at the end. */
  finish(): MatchedSections {
    for (const open of this.open) this.fault(open, "is never closed");
    return this.found;
  }

  private fault(one: WordTag, problem: string): void {
    this.found.faults.push(tagFault(one.source, one.place, problem));
  }

  private close(one: WordTag, path: readonly string[]): void {
    const isNamed = path.length > 0;
    const fits = (open: OpenTag): boolean => !isNamed || sameName(open.tag.path, path);
    const innermost = this.open.findLastIndex(({ columns }) => !columns);
    const last = this.open.length - 1;
    const columns = isNamed ? this.open.findLastIndex((open) => open.columns && fits(open)) : last;
    const chosen = isNamed ? this.open[innermost] : this.open[last];
    if (chosen !== undefined && !chosen.columns && fits(chosen)) {
      this.open.splice(isNamed ? innermost : last, 1);
      this.found.sections.push(sectionOf(chosen, one));
      return;
    }
    const column = this.open[columns];
    if (column?.columns === true && fits(column)) {
      this.open.splice(columns, 1);
      this.found.columns.push(sectionOf(column, one));
      return;
    }
    this.refuse(one, path);
  }

  private refuse(one: WordTag, path: readonly string[]): void {
    const innermost = this.open.findLastIndex(({ columns }) => !columns);
    const open = this.open[innermost];
    if (open === undefined) {
      this.fault(one, "closes a section that is not open");
      return;
    }
    const outer = this.open.findLastIndex(({ tag }) => sameName(tag.path, path));
    if (outer < 0) this.fault(one, `closes another section than ${open.source} in ${open.place}, which is open`);
    else {
      for (const inner of this.open.splice(outer + 1)) {
        this.fault(inner, `is not closed before ${one.source} in ${one.place}`);
      }
      this.open.pop();
    }
  }
}

/** Matches the tags of one part, in document order. */
export function matchSections(tags: readonly WordTag[]): MatchedSections {
  const matcher = new SectionMatcher();
  for (const one of tags) matcher.add(one);
  return matcher.finish();
}
