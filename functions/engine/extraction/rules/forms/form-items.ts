/** The items of a form that a question may ask for: texts, single boxes to tick, and boxes that answer one question. */
import type { FormEntry } from "../../../../ports/layout.ts";
import type { EntryView } from "../../../structure/view/view-form-entries.ts";
import { ownName, stemOfName, valueParts } from "./value-parts.ts";

export interface FormItem {
  kind: "text" | "tick" | "group";
  page: number;
  /** A text: its parts from left to right; a group: its boxes. */
  members: EntryView[];
  /** Texts that name it, each with the weight of its words. */
  names: (readonly [text: string, weight: number])[];
  /** Position in the form, from 0. */
  at: number;
}

/** Weights of the texts about a place: its own names, and what stands around it. */
const LABEL_WEIGHT = 1;
const TOOLTIP_WEIGHT = 1;
const NAME_WEIGHT = 0.85;
/** True for an item without words that are told from print by their look. */
export const isCertain = ({ members }: Pick<FormItem, "members">): boolean =>
  members.every(({ entry }) => entry.certainty === undefined);

/** Weight from which a text names the item itself. */
export const OWN_TEXT_WEIGHT = NAME_WEIGHT;
const QUESTION_WEIGHT = 0.9;
const CONTEXT_WEIGHT = 0.45;
/** Weight of each further text around it, relative to the one before. */
const CONTEXT_DECAY = 0.85;

function namesOf({ label, context, field, group }: FormEntry): FormItem["names"] {
  const [first, ...rest] = context;
  const around: [string, number][] = [];
  if (first !== undefined) around.push([first, group === undefined ? CONTEXT_WEIGHT : QUESTION_WEIGHT]);
  for (const [index, text] of rest.entries()) around.push([text, CONTEXT_WEIGHT * CONTEXT_DECAY ** index]);
  return [
    [label, LABEL_WEIGHT] as const,
    ...(field?.tooltip === undefined ? [] : [[field.tooltip, TOOLTIP_WEIGHT] as const]),
    ...(field === undefined ? [] : [[ownName(field), NAME_WEIGHT] as const]),
    ...around,
  ].filter(([text]) => text !== "");
}

/** Beginning of a tooltip that boxes of one question share, in characters; shorter ones name the box itself. */
const QUESTION_CHARACTERS = 40;

/** Keys of the questions that a box may answer: by its field, by its place, by its tooltip. */
function questionKeys({ page, entry: { field, group } }: EntryView): string[] {
  const asked = field?.tooltip?.slice(0, QUESTION_CHARACTERS) ?? "";
  // Names that differ by a last index only, where no tooltip tells more.
  const series = field?.tooltip === undefined ? /^(.*)\[\d+\]$/u.exec(field?.name ?? "")?.[1] : undefined;
  return [
    ...(series === undefined ? [] : [`series ${page} ${series}`]),
    ...(field?.type === "radio" ? [`radio ${field.id}`] : []),
    ...(group === undefined ? [] : [`place ${page} ${group}`]),
    ...(field !== undefined && asked.length === QUESTION_CHARACTERS
      ? [`tooltip ${page} ${stemOfName(field)} ${asked}`]
      : []),
  ];
}

/** Boxes that answer one question: those that share a key, directly or by others. */
function questionGroups(ticks: readonly EntryView[]): EntryView[][] {
  const groupOf = new Map<string, Set<EntryView>>();
  for (const view of ticks) {
    const keys = questionKeys(view);
    const known = new Set(keys.flatMap((key) => groupOf.get(key) ?? []));
    const joined = new Set([...[...known].flatMap((group) => [...group]), view]);
    for (const [key, group] of groupOf) if (known.has(group)) groupOf.set(key, joined);
    for (const key of keys) groupOf.set(key, joined);
  }
  return [...new Set(groupOf.values())].map((group) => [...group]);
}

const textItem = (members: EntryView[]): Omit<FormItem, "at">[] => {
  const [first, ...parts] = members;
  if (first === undefined) return [];
  const others = parts.flatMap(({ entry }) => namesOf(entry));
  const names = others.map(([text, weight]) => [text, weight * CONTEXT_WEIGHT] as const);
  return [{ kind: "text", page: first.page, members, names: [...namesOf(first.entry), ...names] }];
};

/** Texts that all members share, such as their question. */
function sharedNames(members: readonly EntryView[]): FormItem["names"] {
  const all = members.map(({ entry }) => namesOf(entry).filter(([text]) => text !== entry.label));
  const [first = [], ...others] = all;
  const shared = first.filter(([text]) => others.every((names) => names.some(([other]) => other === text)));
  const tooltips = members.slice(0, 2).map(({ entry }) => [entry.field?.tooltip ?? "", QUESTION_WEIGHT] as const);
  const options = members.map(({ entry }) => [entry.label, CONTEXT_WEIGHT] as const);
  const own = members
    .slice(0, 1)
    .flatMap(({ entry }) => (entry.field ? [[ownName(entry.field), NAME_WEIGHT] as const] : []));
  return [...shared, ...tooltips, ...own, ...options].filter(([text]) => text !== "");
}

/** The items of a document, in the order of its form. */
export function formItems(views: readonly EntryView[]): FormItem[] {
  const ticks = views.filter(({ entry }) => entry.kind === "tick");
  const items = [
    ...valueParts(views.filter(({ entry }) => entry.kind === "text")).flatMap(textItem),
    ...ticks.map((view) => ({ kind: "tick" as const, page: view.page, members: [view], names: namesOf(view.entry) })),
    ...questionGroups(ticks).flatMap((members) => {
      const [first] = members;
      if (first === undefined || members.length < 2) return [];
      return [{ kind: "group" as const, page: first.page, members, names: sharedNames(members) }];
    }),
  ];
  const position = new Map(views.map((view, index) => [view, index]));
  return items.map((item) => ({ ...item, at: position.get(item.members[0] as EntryView) ?? 0 }));
}
