/** The content types of a package's parts (ECMA-376 part 2, 10.1.2). */
import { childNodes, localName, parseTree, sameNamespace, writeTree, type XmlNode } from "./xml-tree.ts";

const extensionOf = (name: string): string => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
/** Pictures have their type by extension, as Office writes them; every other part has its own. */
const BY_EXTENSION: Record<string, string> = { png: "image/png", jpeg: "image/jpeg", jpg: "image/jpeg" };

export class ContentTypes {
  readonly #root: XmlNode | undefined;
  readonly #defaults = new Map<string, string>();
  /** By the part's name in lower case, without its first slash. */
  readonly #overrides = new Map<string, XmlNode>();
  #changed = false;

  /** @param part `[Content_Types].xml` @throws JobFailure (corrupted) */
  constructor(part: Uint8Array | undefined) {
    this.#root = part === undefined ? undefined : parseTree(part);
    for (const node of this.#root === undefined ? [] : childNodes(this.#root)) {
      const { Extension: extension, PartName: name, ContentType: type } = node.attributes;
      if (localName(node) === "Default" && extension !== undefined) {
        this.#defaults.set(extension.toLowerCase(), type ?? "");
      } else if (name !== undefined) this.#overrides.set(name.replace(/^\//, "").toLowerCase(), node);
    }
  }

  all(): string[] {
    return [
      ...this.#defaults.values(),
      ...[...this.#overrides.values()].map((node) => node.attributes.ContentType ?? ""),
    ];
  }

  of(name: string): string | undefined {
    return this.#overrides.get(name.toLowerCase())?.attributes.ContentType ?? this.#defaults.get(extensionOf(name));
  }

  set(name: string, contentType: string): void {
    if (this.#root === undefined || this.of(name) === contentType) return;
    this.#changed = true;
    const stated = this.#overrides.get(name.toLowerCase());
    const extension = extensionOf(name);
    if (stated !== undefined) stated.attributes.ContentType = contentType;
    else if (BY_EXTENSION[extension] === contentType && !this.#defaults.has(extension)) {
      this.#defaults.set(extension, contentType);
      const node = this.#make("Default", { Extension: extension, ContentType: contentType });
      // Defaults come first, as Office writes them.
      this.#root.children.unshift(node);
    } else {
      const node = this.#make("Override", { PartName: `/${name}`, ContentType: contentType });
      this.#overrides.set(name.toLowerCase(), node);
      this.#root.children.push(node);
    }
  }

  remove(name: string): void {
    const node = this.#overrides.get(name.toLowerCase());
    if (node === undefined || this.#root === undefined) return;
    this.#changed = true;
    this.#overrides.delete(name.toLowerCase());
    this.#root.children.splice(this.#root.children.indexOf(node), 1);
  }

  /** The part, once something in it has changed. */
  written(): Uint8Array | undefined {
    return this.#changed && this.#root !== undefined ? writeTree(this.#root) : undefined;
  }

  #make(name: string, attributes: Record<string, string>): XmlNode {
    return { name: sameNamespace(this.#root ?? { name, attributes, children: [] }, name), attributes, children: [] };
  }
}
