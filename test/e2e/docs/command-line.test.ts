import { testDocumentedCommands } from "../../support/doc-commands.ts";

testDocumentedCommands("docs/command-line.md");
