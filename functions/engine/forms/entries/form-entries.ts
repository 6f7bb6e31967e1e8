/** Finds the places of forms on pages of PDFs and on recognised pages. */
import type { EntryReader } from "../../readers/entry-reader.ts";
import { formPageContent } from "../detect/pdf-page-content.ts";
import { drawnEntries } from "./drawn-entries.ts";
import { type EntryWidget, formWidgets } from "./form-widgets.ts";
import { recognisedEntries } from "./recognised-entries.ts";
import { widgetEntries } from "./widget-entries.ts";

/** The places of forms: the widgets of their fields, or what is printed to be written in. */
export const formEntries: EntryReader = {
  async open(bytes, hasForm) {
    const widgets = hasForm ? await formWidgets(bytes) : new Map<number, EntryWidget[]>();
    return (page, shown) => {
      const own = widgets.get(page.number) ?? [];
      if (own.length === 0) return drawnEntries(shown, page);
      const boxes = own.map(({ box }) => box);
      return widgetEntries(own, formPageContent(shown, page.number, boxes), page);
    };
  },
  recognised: recognisedEntries,
};
