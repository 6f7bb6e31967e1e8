/** Examples in the help of each command, by its words. A test parses them all. */

const GUID = "0197f3a2-5c1e-7b40-9d27-3e8f6a1b2c3d";
const OTHER = "0197f3a2-77aa-7c01-8a55-5f2f5a0f9d11";

const DOCUMENTS = {
  configure: ["sheaf configure --api-url https://sheaf.example.com --token - < key.txt"],
  doctor: ["sheaf doctor", "sheaf doctor --json > findings.json"],
  process: [
    `sheaf process invoice.pdf --schema '{"invoice_number": "string", "total": "number"}'`,
    "sheaf process invoice.pdf --configuration invoices --output invoice.json",
    "cat scan.tiff | sheaf process - --mime-type image/tiff --ocr PREMIUM --prompt 'Extract the total'",
    "sheaf process contract.docx --prompt-file prompt.txt --tool KNOWLEDGE_BASE_SEARCH:caseId=7,topK=3",
  ],
  "process-map-reduce": [
    `sheaf process-map-reduce list.pdf --schema '{"rows": [{"sku": "string"}]}' --pages-per-chunk 5 --overlap 1 --dedup-key sku`,
    "sheaf process-map-reduce statement.pdf --schema-file rows.json --header-page-limit 1 --header-schema-file header.json",
    "sheaf process-map-reduce manual.docx --split-type markdown-header --split-header-level 2 --prompt 'Extract each step'",
  ],
  "ocr-only": [
    "sheaf ocr-only letter.pdf --format markdown",
    "sheaf ocr-only table.xlsx --ocr EXCEL --output rows.jsonl",
  ],
  batch: [
    `sheaf batch scans/ --schema '{"total": "number"}' --max-concurrency 8`,
    "sheaf batch 'scans/**/*.pdf' --configuration invoices --output totals.json",
  ],
  status: [`sheaf status ${GUID}`],
  wait: [`sheaf wait ${GUID} --timeout 60`],
  result: [`sheaf result ${GUID} --source-locations`, `sheaf result ${GUID} --excel --output result.xlsx`],
  image: [`sheaf image ${GUID} 1 --locations --output page.png`],
  quote: [`sheaf quote invoice.pdf --schema '{"total": "number"}'`],
  eval: ["sheaf eval my-set --json report.json --threshold recall=0.9"],
  mcp: ["sheaf mcp --folder contracts", "sheaf mcp --http 8787"],
  serve: ["sheaf serve", "sheaf serve --port 8080 --data /srv/sheaf"],
  completion: ["source <(sheaf completion bash)", "sheaf completion fish > ~/.config/fish/completions/sheaf.fish"],
};

const OPERATIONS = {
  "operations submit": [`sheaf operations submit ${GUID} error-analysis --parameter confidence_threshold=0.5`],
  "operations error-analysis": [`sheaf operations error-analysis ${GUID} --focus-area total --detailed-suggestions`],
  "operations generative-task": [
    `sheaf operations generative-task ${GUID} 'Summarize it in three sentences' --llm HIGH`,
  ],
  "operations image-select": [`sheaf operations image-select ${GUID} 'floor plan' --top-k 3`],
  "operations ocr-correct": [`sheaf operations ocr-correct ${GUID}`],
  "operations pdf-acroform": [
    `sheaf operations pdf-acroform ${GUID} --output form.pdf --definitions fields.json`,
    `sheaf operations pdf-acroform ${GUID} --apply fields.json --output form.pdf`,
  ],
  "operations status": [`sheaf operations status ${GUID}`],
  "operations result": [`sheaf operations result ${GUID} error-analysis`],
  operation: [`sheaf operation ${GUID} image-select --parameter prompt=logo`],
  generate: [`sheaf generate ${GUID} 'Summarize it'`],
  acroform: ["sheaf acroform flat.pdf --output form.pdf --values values.json"],
  "acroform-apply": [`sheaf acroform-apply ${GUID} fields.json --output form.pdf`],
  "pipeline run": ["sheaf pipeline run router.json invoice.pdf"],
  "pipeline nodes": [`sheaf pipeline nodes ${GUID}`],
  "pipeline check": ["sheaf pipeline check router.json"],
  "pipeline compile": ["sheaf pipeline compile router.json --output machine.json"],
  "pipeline graph": ["sheaf pipeline graph router.json"],
};

const KEPT = {
  "configuration save": ["sheaf configuration save invoices command.json --overwrite"],
  "configuration list": ["sheaf configuration list"],
  "configuration show": ["sheaf configuration show invoices --revision 2"],
  "configuration remove": ["sheaf configuration remove invoices"],
  "configuration diff": ["sheaf configuration diff invoices 1 2"],
  "configuration restore": ["sheaf configuration restore invoices 1"],
  "configuration revisions": ["sheaf configuration revisions invoices"],
  "save-configuration": ["sheaf save-configuration invoices command.json"],
  "list-configurations": ["sheaf list-configurations"],
  "get-configuration": ["sheaf get-configuration invoices"],
  "delete-configuration": ["sheaf delete-configuration invoices"],
  "list-templates": ["sheaf list-templates"],
  "upload-template": ["sheaf upload-template application form.pdf --replace"],
  "template-metadata": ["sheaf template-metadata application"],
  "delete-template": ["sheaf delete-template application"],
  fill: [
    "sheaf fill application data.json --output filled.pdf",
    `sheaf fill application --from-job ${GUID} --flatten --output filled.pdf`,
  ],
  "cases list": ["sheaf cases list"],
  "cases create": ["sheaf cases create 'Claim 7' --description 'Water damage'"],
  "cases get": ["sheaf cases get 7"],
  "cases update": ["sheaf cases update 7 'Claim 7, closed'"],
  "cases delete": ["sheaf cases delete 7"],
  "cases upload-document": [`sheaf cases upload-document 7 report.pdf --metadata '{"source": "mail"}'`],
  "cases list-documents": ["sheaf cases list-documents 7 --size 100"],
  "cases get-document": [`sheaf cases get-document 7 ${OTHER}`],
  "cases delete-document": [`sheaf cases delete-document 7 ${OTHER}`],
  "cases download": [`sheaf cases download 7 ${OTHER} --output report.pdf`],
  "cases get-summary": [`sheaf cases get-summary 7 ${OTHER}`],
  "cases list-summaries": ["sheaf cases list-summaries 7"],
  "knowledge-base list": ["sheaf knowledge-base list"],
  "knowledge-base add": ["sheaf knowledge-base add 7"],
  "knowledge-base get": ["sheaf knowledge-base get 7"],
  "knowledge-base remove": ["sheaf knowledge-base remove 7"],
  "knowledge-base search": ["sheaf knowledge-base search 7 'notice period' --top-k 3"],
};

const providers = (kind: string, create: string, key: string): Record<string, readonly string[]> => ({
  [`${kind} providers`]: [`sheaf ${kind} providers`],
  [`${kind} create`]: [`sheaf ${kind} create ${create} --api-key - < key.txt`],
  [`${kind} get`]: [`sheaf ${kind} get 3`],
  [`${kind} update`]: [`sheaf ${kind} update 3 --status INACTIVE`],
  [`${kind} delete`]: [`sheaf ${kind} delete 3`],
  [`${kind} test`]: [`sheaf ${kind} test 3`],
  [`${kind} keys`]: [`sheaf ${kind} keys`],
  [`${kind} bind`]: [`sheaf ${kind} bind ${key} --provider-id 3`, `sheaf ${kind} bind ${key}`],
});

const ORGANIZATION = {
  "billing prices": ["sheaf billing prices"],
  "billing checkout": ["sheaf billing checkout price_123 --quantity 2"],
  "billing balance": ["sheaf billing balance"],
  "billing usage": ["sheaf billing usage --from 2026-11-01T00:00:00Z"],
  "keys list": ["sheaf keys list"],
  "keys create": ["sheaf keys create --name scanner --scopes read,write --expires 2027-12-31T00:00:00Z"],
  "keys revoke": ["sheaf keys revoke k7"],
  "settings view": ["sheaf settings view"],
  audit: ["sheaf audit --from 2026-11-01T00:00:00Z --output audit.jsonl"],
};

const ADMIN = {
  "admin backup": ["sheaf admin backup /backups/monday"],
  "admin restore": ["sheaf admin restore /backups/monday"],
  "admin export-org": ["sheaf admin export-org 1 organization.zip"],
  "admin erase-org": ["sheaf admin erase-org 1 --yes"],
  "admin grant": ["sheaf admin grant 1 50000 --key order-77 --reason 'Order 77'"],
  "admin balance": ["sheaf admin balance 1"],
  "admin entries": ["sheaf admin entries 1"],
  "admin reconcile": ["sheaf admin reconcile"],
  "admin create-org": ["sheaf admin create-org"],
  "admin create-key": ["sheaf admin create-key 1 --name scanner --scopes read,write"],
  "admin list-keys": ["sheaf admin list-keys 1"],
  "admin revoke-key": ["sheaf admin revoke-key k7"],
  "admin quota": ["sheaf admin quota 1"],
  "admin set-quota": ["sheaf admin set-quota 1 --documents 1000"],
  "admin audit": ["sheaf admin audit 1"],
};

export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  ...DOCUMENTS,
  ...OPERATIONS,
  ...KEPT,
  ...providers("llm", "--name own --type OPENAI --model large", "DEFAULT"),
  ...providers("ocr", "--name own --endpoint https://ocr.example.com", "PREMIUM"),
  ...ORGANIZATION,
  ...ADMIN,
};
