/** Finds the places of forms on pages of PDFs and on recognised pages. */
import type { EntryReader } from "../../readers/entry-reader.ts";
import { isFormPage } from "../../structure/view/printed-form-page.ts";
import { formPageContent } from "../detect/pdf-page-content.ts";
import { drawnEntries } from "./drawn-entries.ts";
import { type EntryWidget, formWidgets } from "./form-widgets.ts";
import { recognisedEntries } from "./recognised-entries.ts";
import { widgetEntries } from "./widget-entries.ts";

/**
 * Pages with lines and boxes that are looked at for printed places before one is a form's. A look may take as long as the
 * reading of a page; the pages of text that many forms begin with take none.
 */
const MAX_PAGES_BEFORE_FORM = 6;

/** The places of forms: the widgets of their fields, or what is printed to be written in. */
export const formEntries: EntryReader = {
  async open(bytes, hasForm) {
    const widgets = hasForm ? await formWidgets(bytes) : new Map<number, EntryWidget[]>();
    let looks = MAX_PAGES_BEFORE_FORM;
    let isForm = hasForm;
    return (page, shown) => {
      const own = widgets.get(page.number) ?? [];
      if (own.length === 0) {
        const found = looks > 0 ? drawnEntries(shown, page, isForm) : undefined;
        if (found === undefined) return [];
        isForm ||= isFormPage(found);
        looks = isFormPage(found) ? MAX_PAGES_BEFORE_FORM : looks - 1;
        return found;
      }
      const boxes = own.map(({ box }) => box);
      return widgetEntries(own, formPageContent(shown, page.number, boxes), page);
    };
  },
  recognised: recognisedEntries,
};
