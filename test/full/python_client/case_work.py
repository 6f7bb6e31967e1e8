"""Cases, their documents and summaries, and knowledge bases, as the client sends and reads them."""

import asyncio
import json

from docudevs.models import UploadCommand
from docudevs.models.cases_controller_create_case_request import CasesControllerCreateCaseRequest
from docudevs.models.cases_controller_update_case_request import CasesControllerUpdateCaseRequest
from docudevs.models.upload_case_document_body import UploadCaseDocumentBody
from docudevs.types import File

from common import FAST, PDF, SCHEMA, expect, load_io, plain


async def cases(client):
    case = await client.create_case_id("Claim", "Water damage")
    made = await client.create_case(CasesControllerCreateCaseRequest(name="Another"))
    expect(made.status_code == 201 and made.parsed.is_knowledge_base is False, made)
    listed = (await client.list_cases()).parsed
    expect({one.id for one in listed} >= {case, made.parsed.id} and listed[0].created_at.year > 2000, listed)
    expect((await client.get_case(case)).parsed.description == "Water damage")
    renamed = await client.update_case(case, CasesControllerUpdateCaseRequest(name="Claim 2"))
    expect(renamed.status_code == 200 and renamed.parsed.name == "Claim 2", renamed)
    body = UploadCaseDocumentBody(document=File(payload=load_io("invoice.pdf"), file_name="voice.pdf", mime_type=PDF))
    body["source"] = "mail"
    uploaded = await client.upload_case_document(case, body)
    expect(uploaded.status_code == 201, uploaded)
    page = (await client.list_case_documents(case, page=0, size=20)).parsed
    expect(page.total_size == 1 and page.total_pages == 1 and page.page_number == 0, page)
    document = page.content[0].document_id
    for _ in range(600):
        found = (await client.get_case_document(case, document)).parsed
        if found.processing_status in ("COMPLETED", "FAILED"):
            break
        await asyncio.sleep(0.2)
    expect(found.processing_status == "COMPLETED" and found.filename == "voice.pdf", found)
    expect(plain(found)["metadata"] == {"source": "mail"}, plain(found))
    summary = await client.get_document_summary(case, document)
    expect(json.loads(summary.content)["summary"]["document_type"] == "invoice", summary)
    expect(len(json.loads((await client.list_case_summaries(case)).content)) == 1)
    # Its job is processed without another upload.
    expect((await client.process_document(document, UploadCommand(schema=SCHEMA))).status_code == 200)
    expect((await client.wait_until_ready(document, result_format="json", **FAST))["total"] == 517.2)
    promoted = await client.promote_knowledge_base(case, "contract-analysis")
    expect(promoted.status_code == 201 and json.loads(promoted.content)["isKnowledgeBase"] is True, promoted)
    bases = json.loads((await client.list_knowledge_bases()).content)
    expect(case in {one["id"] for one in bases}, bases)
    expect((await client.get_knowledge_base(case)).status_code == 200)
    expect((await client.delete_knowledge_base(case)).status_code == 204)
    expect((await client.get_knowledge_base(case)).status_code == 404)
    expect((await client.delete_case_document(case, document)).status_code == 204)
    expect((await client.delete_case(case)).status_code == 204)
    expect((await client.get_case(case)).status_code == 404)
