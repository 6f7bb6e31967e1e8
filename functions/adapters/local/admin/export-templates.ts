/** Names for the files of templates in an export. */

interface Row {
  /** Partition below `org/{id}/`. */
  partition: string;
  sort: string;
  value: Record<string, unknown>;
}

/**
 * Reads the records of an export, and names the files of templates for their owner:
 * `templates/{name}/{revision}.pdf` and `templates/{name}/pictures/{key}`.
 */
export class TemplateNames {
  /** Names of templates by GUID. */
  readonly #names = new Map<string, string>();
  /** Paths below a template's name, by file, with the template's GUID. */
  readonly #files = new Map<string, { template: string; path: string }>();
  readonly #safeName: (name: string) => string;

  /** @param safeName makes a path segment that is safe on every system */
  constructor(safeName: (name: string) => string) {
    this.#safeName = safeName;
  }

  /** Notes a record, of whatever kind. */
  note({ partition, sort, value }: Row): void {
    if (partition === "templates") this.#names.set(String(value.guid), sort);
    const template = /^template\/(.+)$/.exec(partition)?.[1];
    if (template === undefined) return;
    if (sort.startsWith("revision/")) {
      this.#files.set(`templates/${value.guid}/document`, { template, path: `${value.revision}.pdf` });
    } else if (sort.startsWith("picture/")) {
      const path = `pictures/${this.#safeName(String(value.key))}`;
      this.#files.set(`templates/${template}/pictures/${value.guid}`, { template, path });
    }
  }

  /** @returns undefined for files that are no document or picture of a template with a name */
  pathOf(file: string): string | undefined {
    const found = this.#files.get(file);
    const name = found && this.#names.get(found.template);
    return name === undefined ? undefined : `templates/${this.#safeName(name)}/${found?.path}`;
  }
}
