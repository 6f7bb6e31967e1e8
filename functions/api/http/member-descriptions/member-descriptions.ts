/**
 * What the members on the wire mean, by their names: most names mean the same in every body. Where a name means something
 * else in one place, it stands with its holder's name before it. A description beside a schema wins over these. Members
 * in `snake_case` are looked up by their `camelCase` name.
 */
import { OF_JOBS } from "./of-jobs.ts";
import { OF_ORGANIZATIONS } from "./of-organizations.ts";
import { OF_PAGES } from "./of-pages.ts";

const MEMBER_DESCRIPTIONS: Readonly<Record<string, string>> = { ...OF_ORGANIZATIONS, ...OF_JOBS, ...OF_PAGES };

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A member's description: of its holder's own, then the common one. @param holder the component, or `param` */
export function descriptionOf(name: string, holder: string): string | undefined {
  const common = camelCase(name);
  return MEMBER_DESCRIPTIONS[`${holder}.${common}`] ?? MEMBER_DESCRIPTIONS[common];
}
