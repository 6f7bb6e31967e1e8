/**
 * An index of passages as a file of SQLite with its full-text extension (FTS5), which ranks by BM25. The file holds the
 * terms' places and not the text, so that it is a fifth of the text's size. The work is synchronous.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { IndexEntry } from "../../engine/passages/passage-files.ts";
import type { IndexChange, PassageHit, PassageQuestion } from "../../ports/passage-index.ts";

/** Weights of a passage's headings and of its text. */
const HEADINGS_WEIGHT = 0.6;
const TEXT_WEIGHT = 1;

/** Terms hold letters and digits only: every byte of one that is not ASCII is part of it. */
const SCHEMA = `
  create virtual table terms using fts5(headings, text, content='', contentless_delete=1, tokenize='ascii');
  create table places(id integer primary key, document text not null, start integer not null, bytes integer not null);
  create index places_of_document on places(document);
`;

/** Index files are made anew from an index and a change: nothing in one has to outlast a crash. */
const WITHOUT_JOURNAL = "pragma journal_mode=off; pragma synchronous=off; pragma locking_mode=exclusive;";

const SEARCH = `
  select places.document, places.start, places.bytes, found.score from (
    select rowid, -bm25(terms, ${HEADINGS_WEIGHT}, ${TEXT_WEIGHT}) as score from terms where terms match ?
    order by rank limit ?
  ) as found join places on places.id = found.rowid order by found.score desc, places.id`;

/** Runs work with a file in a folder of its own, which is gone afterwards. */
function withFile<T>(content: Uint8Array | undefined, work: (file: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-search-"));
  try {
    const file = join(folder, "index");
    if (content !== undefined) writeFileSync(file, content);
    return work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function removeDocument(db: DatabaseSync, document: string): void {
  db.prepare("delete from terms where rowid in (select id from places where document = ?)").run(document);
  db.prepare("delete from places where document = ?").run(document);
}

function addDocument(db: DatabaseSync, document: string, terms: Uint8Array): void {
  const place = db.prepare("insert into places(document, start, bytes) values (?, ?, ?)");
  const entry = db.prepare("insert into terms(rowid, headings, text) values (?, ?, ?)");
  for (const line of Buffer.from(terms).toString("utf8").split("\n")) {
    if (line === "") continue;
    const { headings, text, start, bytes } = JSON.parse(line) as IndexEntry;
    const { lastInsertRowid } = place.run(document, start, bytes);
    entry.run(lastInsertRowid, headings, text);
  }
}

/** Changes an index. @returns the bytes of the new one */
export function updateIndex(index: Uint8Array | undefined, { remove, add }: IndexChange): Uint8Array {
  return withFile(index, (file) => {
    const db = new DatabaseSync(file);
    try {
      db.exec(WITHOUT_JOURNAL + (index === undefined ? SCHEMA : ""));
      db.exec("begin");
      for (const document of [...remove, ...add.map((one) => one.document)]) removeDocument(db, document);
      for (const { document, terms } of add) addDocument(db, document, terms);
      db.exec("commit");
      // One segment is searched fastest, and holds no terms of documents that are gone.
      db.exec("insert into terms(terms) values ('optimize')");
      if (remove.length > 0) db.exec("vacuum");
    } finally {
      db.close();
    }
    return readFileSync(file);
  });
}

/** An open index. */
export interface OpenIndex {
  search(question: PassageQuestion): PassageHit[];
  close(): void;
}

/** Opens an index for searching. Its file is unlinked where the system allows that, so that a crash leaves nothing. */
export function openIndex(index: Uint8Array): OpenIndex {
  return withFile(index, (file) => {
    const db = new DatabaseSync(file, { readOnly: true });
    const search = db.prepare(SEARCH);
    // The first question opens the file; later ones no longer need its name.
    search.all('""', 1);
    return {
      search({ terms, limit }) {
        if (terms.length === 0 || limit < 1) return [];
        const rows = search.all(terms.map((term) => `"${term.replaceAll('"', "")}"`).join(" OR "), limit);
        return rows as unknown as PassageHit[];
      },
      close: () => db.close(),
    };
  });
}
