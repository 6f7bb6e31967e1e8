/** Pages whose commands take long: backups and restores, and the contributor's checks. Other pages: test/e2e/docs. */
import { testDocumentedCommands } from "../support/doc-commands.ts";

testDocumentedCommands("docs/operations.md", "CONTRIBUTING.md");
