"""Drives a service with the public Python client, unchanged: main.py URL TOKEN FOLDER.

FOLDER holds invoice.pdf, form.pdf, template.pdf, flat.pdf, logo.png, figure.pdf, barcode.pdf, scan.png, blank.txt. One JSON line is written for each check:
{"name", "error"}, where error is null for what the client took as it is; the last one lists the client's methods that no check calls.
"""

import asyncio
import json
import os
import subprocess
import sys
import traceback
from io import BytesIO

from docudevs.api.document import ocr_document_sync, upload_files_sync
from docudevs.api.default import get_current_user
from docudevs.api.azure_ocr_providers import get_ocr_provider
from docudevs.api.llm_providers import create_llm_provider, get_llm_provider, verify_llm_provider
from docudevs.api.job import get_dependencies, get_document_layout, get_ocr_quality, list_jobs
from docudevs.api.job import delete_job as delete_job_call
from docudevs.api.webhook import get_webhook, update_webhook
from docudevs.docudevs_client import DocuDevsClient
from docudevs.models import CreateLlmProviderRequest, OcrCommand, TemplateFillRequest, UploadCommand, UploadDocumentBody, UploadFilesBody, WebhookSettings
from docudevs.models.ocr_document_sync_body import OcrDocumentSyncBody
from docudevs.models.upload_files_sync_body import UploadFilesSyncBody
from docudevs.types import File

import case_work
import surface
import work
from common import FAST, FOLDER, PDF, SCHEMA, TOKEN, URL, expect, load, load_io, plain

# By its file, since the script's own first line may name where its environment was made.
DOCUDEVS = [sys.executable, os.path.join(os.path.dirname(sys.executable), "docudevs")]
TERMINAL = "Processing failed: Text extraction failed"


async def extraction(client):
    guid = await client.submit_and_process_document(
        BytesIO(load("invoice.pdf")), PDF, schema=SCHEMA, source_locations=True, source_location_granularity="WORD"
    )
    found = await client.wait_until_ready_with_source_locations(guid, **FAST)
    expect(found.result["invoice_number"] == "SH-2026-0117", found.result)
    expect(found.source_locations["locations"]["/invoice_number"]["resolution"] == "word")
    raw = await client.wait_until_ready(guid, **FAST)
    data = json.loads(raw.result) if isinstance(getattr(raw, "result", None), str) else plain(raw)
    expect("SH-2026-0117" in json.dumps(data), data)
    expect((await client.wait_until_ready(guid, result_format="json", **FAST))["total"] == 517.2)
    return guid


async def statuses(client, guid):
    job = (await client.status(guid)).parsed
    expect(job.status == "COMPLETED" and job.job_mode == "STANDARD" and job.is_batch is False, job)
    page = await list_jobs.asyncio(client=client._client, size=5)
    expect(page.content[0].guid == guid and page.total_size >= 1, page)
    expect(await client.get_pipeline_nodes(guid) == [])
    expect(await client.get_trace(guid) is None)


async def readings(client, guid):
    expect((await client.get_image(guid, 0))[:4] == b"\x89PNG")
    expect(await client.get_image(guid, 99) is None)
    layout = await client.get_document_layout(guid, pages="1", include=["content", "words"])
    word = layout["pages"][0]["words"][3]
    start = word["span"]["offset"]
    expect(layout["content"][start : start + word["span"]["length"]] == word["content"], layout)
    everything = "content,words,paragraphs,tables,figures,sections"
    parsed = await get_document_layout.asyncio(guid, client=client._client, include=everything)
    expect(parsed.version and parsed.pages[0].page_number == 1 and parsed.paragraphs[0].bounding_regions, parsed)
    expect(parsed.tables[0].cells[0].content and parsed.sections[0].elements and parsed.content, parsed)
    quality = await client.get_ocr_quality(guid)
    expect(quality["qualityScore"] > 0, quality)
    parsed = await get_ocr_quality.asyncio(guid, client=client._client)
    expect(parsed.provider and parsed.confidence_details is not None, parsed)


async def not_asked_for(client, guid):
    expect(await client.get_figures_metadata(guid) is None)
    expect(await client.get_acroform_metadata(guid) is None)


async def failures(client):
    guid = await client.submit_and_process_document(BytesIO(load("blank.txt")), "text/plain")
    try:
        await client.wait_until_ready(guid, **FAST)
    except TimeoutError:
        raise
    except Exception as error:
        expect(TERMINAL in str(error), str(error))
    else:
        raise AssertionError("It did not raise")
    job = (await client.status(guid)).parsed
    expect(job.status == "ERROR" and job.error == TERMINAL, job)
    found = await list_jobs.asyncio(client=client._client, status="ERROR")
    expect([job.guid for job in found.content] == [guid] and found.content[0].status == "ERROR", found)
    deleted = await client.delete_job(guid)
    expect(deleted.status_code == 200, deleted)


async def ocr(client):
    for kind, word in (("markdown", "SH-2026-0117"), ("plain", "SH-2026-0117")):
        guid = await client.submit_and_ocr_document(BytesIO(load("invoice.pdf")), PDF, ocr_format=kind)
        text = await client.wait_until_ready(guid, **FAST)
        expect(word in (text if isinstance(text, str) else json.dumps(plain(text))), text)
        expect(word in await client.wait_until_ready(guid, result_format="json", **FAST))
    guid = await client.submit_and_ocr_document(BytesIO(load("scan.png")), "image/png", ocr_format="plain")
    text = await client.wait_until_ready(guid, **FAST)
    expect("INV" in str(plain(text)).upper(), text)


async def steps(client):
    uploaded = await client.upload_document(UploadDocumentBody(document=File(payload=BytesIO(load("invoice.pdf")))))
    guid = uploaded.parsed.guid
    expect(uploaded.status_code == 200 and guid, uploaded)
    processed = await client.process_document(guid, UploadCommand(prompt="the invoice's number", mime_type=PDF))
    expect(processed.status_code == 200 and processed.parsed.guid == guid, processed)
    await client.wait_until_ready(guid, **FAST)
    again = await client.process_document(guid, UploadCommand(schema=SCHEMA), depends_on=guid)
    expect(again.status_code == 200, again)
    await client.wait_until_ready(guid, **FAST)
    read = await client.ocr_document(guid, OcrCommand(ocr="DEFAULT", mime_type=PDF), ocr_format="markdown")
    expect(read.status_code == 200, read)
    await client.wait_until_ready(guid, **FAST)


async def one_call(client):
    for extra in ({}, {"schema": File(payload=BytesIO(SCHEMA.encode()))}):
        body = UploadFilesBody(document=File(payload=BytesIO(load("invoice.pdf"))), **extra)
        answer = await client.upload_files(body)
        expect(answer.status_code == 200 and answer.parsed.guid, answer)
        await client.wait_until_ready(answer.parsed.guid, **FAST)
    body = UploadFilesSyncBody(document=File(payload=BytesIO(load("invoice.pdf"))))
    answer = await upload_files_sync.asyncio_detailed(client=client._client, body=body)
    expect(answer.status_code == 200 and b"key_values" in answer.content, answer)
    body = OcrDocumentSyncBody(document=File(payload=BytesIO(load("invoice.pdf"))))
    answer = await ocr_document_sync.asyncio_detailed(client=client._client, body=body)
    expect(answer.status_code == 200 and "SH-2026-0117" in json.loads(answer.content), answer)


async def descriptions(client):
    found = await client.analyze_document_and_wait(load("invoice.pdf"), PDF, **FAST)
    expect("invoice" in json.dumps(plain(found)).lower(), found)
    guid = await client.generate_schema(load("invoice.pdf"), PDF, instructions="number and total")
    found = await client.wait_until_ready(guid, result_format="json", **FAST)
    expect(found["type"] == "object" and found["properties"], found)


async def extras(client):
    form = await client.extract_acroform_metadata(load("form.pdf"))
    expect(form["fields"], form)
    guid = await client.submit_and_process_document(load_io("form.pdf"), PDF, acro_form_metadata=True)
    await client.wait_until_ready(guid, **FAST)
    expect((await client.get_acroform_metadata(guid))["fields"])
    guid = await client.submit_and_process_document(load_io("figure.pdf"), PDF, describe_figures=True)
    await client.wait_until_ready(guid, **FAST)
    images = (await client.get_figures_metadata(guid))["images"]
    expect((await client.get_figure_image(guid, images[0]["id"]))[:4] == b"\x89PNG", images)
    guid = await client.submit_and_process_document(load_io("barcode.pdf"), PDF, schema='{"iban":"string"}', barcodes=True)
    found = await client.wait_until_ready(guid, result_format="json", **FAST)
    expect(found["iban"] == "DE89370400440532013000", found)


async def configurations(client):
    name = "invoices of ours"
    command = UploadCommand.from_dict(
        {
            "ocr": "AUTO",
            "llm": "MINI",
            "extractionMode": "SIMPLE",
            "schema": SCHEMA,
            "sourceLocationGranularity": "WORD",
            "mapReduce": {"enabled": False, "splitType": "PAGE", "header": {"enabled": False, "pageLimit": 1}},
            "ours": {"kept": [1]},
        }
    )
    saved = await client.save_configuration(name, command)
    expect(saved.status_code == 200 and saved.parsed.name == name and saved.parsed.storage_path, saved)
    expect((await client.save_configuration(name, command)).status_code == 409)
    listed = await client.list_configurations()
    expect([one.name for one in listed.parsed] == [name] and listed.parsed[0].created_at.year > 2000, listed)
    read = (await client.get_configuration(name)).parsed
    expect(read.to_dict() == command.to_dict(), read)
    uploaded = await client.upload_document(UploadDocumentBody(document=File(payload=load_io("invoice.pdf"))))
    processed = await client.process_document_with_configuration(uploaded.parsed.guid, name)
    expect(processed.status_code == 200, processed)
    found = await client.wait_until_ready(uploaded.parsed.guid, result_format="json", **FAST)
    expect(found["invoice_number"] == "SH-2026-0117", found)
    guid = await client.submit_and_process_document_with_configuration(load_io("invoice.pdf"), PDF, name)
    found = await client.wait_until_ready(guid, result_format="json", **FAST)
    expect(found["total"] == 517.2, found)
    body = UploadFilesSyncBody(document=File(payload=load_io("invoice.pdf")))
    answer = await upload_files_sync.asyncio_detailed(client=client._client, body=body, configuration=name)
    expect(json.loads(answer.content)["total"] == 517.2, answer)
    batch = await client.create_batch(max_concurrency=2)
    await client.upload_batch_document(batch, load_io("invoice.pdf"), mime_type=PDF)
    expect(await client.process_batch_with_configuration(batch, name) == batch)
    expect((await client.wait_until_ready(batch, result_format="json", **FAST))[0]["total"] == 517.2)
    expect((await client.delete_configuration(name)).status_code == 200)
    expect((await client.get_configuration(name)).status_code == 404)


async def pipeline_configurations(client):
    read = {"id": "read", "type": "extract", "schema": {"total": "number"}}
    end = {"id": "end", "type": "final", "output": {"data": "$nodes.read.result", "none": None}}
    pipeline = {"version": "2026-05", "nodes": [read, end], "finals": [{"node": "end"}]}
    saved = await client.save_pipeline_configuration("a pipeline", pipeline=pipeline)
    expect(saved.status_code == 200, saved)
    expect(await client.get_pipeline_configuration("a pipeline") == pipeline)
    expect(await client.get_pipeline_configuration("no pipeline") is None)
    guid = await client.submit_and_process_document_with_configuration(load_io("invoice.pdf"), PDF, "a pipeline")
    found = await client.wait_until_ready(guid, result_format="json", **FAST)
    expect(found == {"data": {"total": 517.2}, "none": None}, found)
    nodes = (await client.status(guid)).parsed.pipeline.nodes
    expect([(node.id, node.status) for node in nodes] == [("read", "COMPLETED"), ("end", "COMPLETED")], nodes)
    broken = {"nodes": [{"id": "read", "type": "no type"}]}
    expect((await client.save_pipeline_configuration("broken", pipeline=broken)).status_code == 400)


async def templates(client):
    name = "application.form-1"
    uploaded = await client.upload_template(name, load("template.pdf"))
    expect(uploaded.status_code == 200, uploaded)
    early = await client.fill_with_retry(name, TemplateFillRequest(fields={"agreed": True}))
    expect(early.status_code == 200 and early.content[:5] == b"%PDF-", early)
    fields = await client.wait_for_template_metadata(name, timeout=30, poll_interval=0.2)
    expect([field["name"] for field in fields] == ["applicant.name", "applicant.city", "agreed", "status", "logo"], fields)
    read = (await client.metadata(name)).parsed
    expect(read[0].additional_properties["templateName"] == name and read[0].type_ == "text", read)
    expect(read[3].options == ["Single", "Married"], read)
    expect((await client.upload_template(name, BytesIO(load("template.pdf")))).status_code == 409)
    listed = (await client.list_templates()).parsed
    expect([one.name for one in listed] == [name] and listed[0].created_at.year > 2000, listed)
    paths = await client.upload_template_images(name, {"logo.png": os.path.join(FOLDER, "logo.png")})
    expect(paths == {"logo.png": "images/logo.png"}, paths)
    request = TemplateFillRequest.from_dict(
        {
            "fields": {
                "applicant": {"name": "Ada Lovelace"},
                "agreed": True,
                "status": "Married",
                "logo": client.image_ref(paths["logo.png"], width_mm=20),
                "of another form": 1,
            },
            "ours": "kept",
        }
    )
    filled = await client.fill(name, request)
    expect(filled.status_code == 200 and filled.content[:5] == b"%PDF-", filled)
    expect(filled.headers["X-Sheaf-Unknown-Fields"] == "of%20another%20form", filled.headers)
    found = await client.extract_acroform_metadata(filled.content)
    values = {field["name"]: field["value"] for field in plain(found)["fields"]}
    expect(values["applicant.name"] == "Ada Lovelace" and values["status"] == "Married", values)
    expect((await client.fill("no-template", TemplateFillRequest(fields={}))).status_code == 404)
    gone = await client.delete_template(name)
    expect(gone.status_code == 200 and gone.parsed == [], gone)
    expect((await client.list_templates()).parsed == [])


def template_command():
    """The commands of templates, with a file each."""
    start = [*DOCUDEVS, "--api-url", URL, "--token", TOKEN]
    data, output = os.path.join(FOLDER, "data.json"), os.path.join(FOLDER, "filled.pdf")
    with open(data, "w") as file:
        json.dump({"fields": {"agreed": True}}, file)

    def run(*words):
        return subprocess.run([*start, *words], capture_output=True, text=True, timeout=60).stdout

    run("upload-template", "command", os.path.join(FOLDER, "template.pdf"))
    expect("command" in run("list-templates"))
    run("fill", "command", data, "--output", output)
    expect(load("filled.pdf")[:5] == b"%PDF-")
    expect("agreed" in run("template-metadata", "command"))
    expect("200" in run("delete-template", "command"))


async def forms(client):
    guid = await client.submit_and_ocr_document(load_io("flat.pdf"), PDF, ocr_format="plain")
    await client.wait_until_ready(guid, **FAST)
    started = await client.submit_pdf_acroform_operation(guid, page_range=[1], min_confidence=0.2, max_fields_per_page=50)
    made = started.parsed.job_guid if hasattr(started, "parsed") else started.job_guid
    report = plain(await client.wait_until_ready(made, **FAST))
    expect((await client.get_pdf_acroform(made))[:5] == b"%PDF-", report)
    found = await client.get_pdf_acroform_field_definitions(made)
    definitions = found["fieldDefinitions"]
    expect(len(definitions) > 2 and found["version"] == 1, found)
    expect(len((await client.get_acroform_metadata(made))["fields"]) == len(definitions), definitions)
    reviewed = [{**one, "reviewStatus": "accepted"} for one in definitions[:2]]
    reviewed[0]["fieldName"] = "renamed"
    applied = await client.submit_pdf_acroform_apply_operation(
        guid, field_definitions=reviewed, source_operation_guid=made
    )
    again = plain(applied.parsed)["jobGuid"] if isinstance(plain(applied.parsed), dict) else applied.parsed.job_guid
    await client.wait_until_ready(again, **FAST)
    names = [field["name"] for field in (await client.get_acroform_metadata(again))["fields"]]
    expect(names[0] == "renamed" and len(names) == 2, names)
    expect(await client.get_pdf_acroform_field_definitions(guid) is None)
    try:
        await client.get_pdf_acroform(guid)
    except FileNotFoundError:
        return
    raise AssertionError("A job without a form has one")


async def settings(client):
    me = await get_current_user.asyncio(client=client._client)
    expect(me.additional_properties or me.to_dict(), me)
    expect((await get_webhook.asyncio(client=client._client)).url is None)
    wish = WebhookSettings(url="https://hooks.sheaf.invalid/events")
    expect((await update_webhook.asyncio(client=client._client, body=wish)).url == wish.url)
    expect((await update_webhook.asyncio(client=client._client, body=WebhookSettings(url=None))).url is None)


async def providers(client):
    """The thin calls return the raw answer; the generated ones parse it."""
    made = json.loads((await client.create_llm_provider("n", "OPENAI", None, "a-secret-key", None, None)).content)
    parsed = await get_llm_provider.asyncio(made["id"], client=client._client)
    expect(parsed.api_url == "https://api.openai.com/v1" and parsed.model_type == "OPENAI", parsed)
    expect("a-secret-key" not in str(parsed.to_dict()), parsed)
    wish = CreateLlmProviderRequest(
        name="a", api_url="https://r.invalid", model_type="AZURE_OPENAI", deployment_name="d", credential_id=None
    )
    azure = await create_llm_provider.asyncio(client=client._client, body=wish)
    expect(azure.deployment_name == "d" and azure.status == "ACTIVE", azure)
    renamed = json.loads((await client.update_llm_provider(azure.id, name="b")).content)
    expect(renamed["name"] == "b", renamed)
    bound = json.loads((await client.update_llm_key_binding("HIGH", azure.id)).content)
    expect(bound["providerName"] == "b", bound)
    expect(json.loads((await client.update_llm_key_binding("HIGH", None)).content)["providerId"] is None)
    verified = await verify_llm_provider.asyncio_detailed(azure.id, client=client._client)
    expect(verified.status_code == 200, verified)
    scanner = json.loads((await client.create_ocr_provider("n")).content)
    parsed = await get_ocr_provider.asyncio(scanner["id"], client=client._client)
    expect(parsed.endpoint == "" and parsed.model_id == "", parsed)
    expect(len(json.loads((await client.list_ocr_keys()).content)) == 2)
    for one in [made["id"], azure.id]:
        expect((await client.delete_llm_provider(one)).status_code == 200)
    expect((await client.delete_ocr_provider(scanner["id"])).status_code == 200)


async def unknown(client):
    """What is no part of the service is the plain 404, and raises no parser's error."""
    nothing = "00000000-0000-7000-8000-000000000000"
    expect((await client.status(nothing)).status_code == 404)
    expect(await client.get_source_locations(nothing) is None)
    expect((await client.delete_job(nothing)).status_code == 404)
    expect((await get_dependencies.asyncio_detailed(nothing, client=client._client)).status_code == 404)


async def deletion(client, guid):
    parsed = (await delete_job_call.asyncio_detailed(guid, client=client._client)).parsed
    expect(parsed.jobs_deleted == 1, parsed)
    expect((await client.status(guid)).status_code == 404)


def command():
    """The command, with the address before it."""
    path = os.path.join(FOLDER, "invoice.pdf")
    start = [*DOCUDEVS, "--api-url", URL, "--token", TOKEN]
    said = subprocess.run([*start, "process", path, "--prompt", "number"], capture_output=True, text=True, timeout=120)
    expect("SH-2026-0117" in said.stdout, said.stdout + said.stderr)
    said = subprocess.run([*start, "ocr-only", path], capture_output=True, text=True, timeout=120)
    expect("SH-2026-0117" in said.stdout, said.stdout + said.stderr)


async def main():
    names = surface.record_calls()
    client = DocuDevsClient(api_url=URL, token=TOKEN)
    known = {}

    async def check(name, work):
        error = None
        try:
            known[name] = await work
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}"[:600] + " | " + traceback.format_exc()[-600:]
        print(json.dumps({"name": name, "error": error}), flush=True)

    async def in_thread(work):
        await asyncio.get_running_loop().run_in_executor(None, work)

    await check("extraction", extraction(client))
    guid = known.get("extraction", "none")
    await check("statuses", statuses(client, guid))
    await check("readings", readings(client, guid))
    await check("what was not asked for", not_asked_for(client, guid))
    await check("failures", failures(client))
    await check("ocr", ocr(client))
    await check("step by step", steps(client))
    await check("one call", one_call(client))
    await check("descriptions", descriptions(client))
    await check("extras", extras(client))
    await check("cases", case_work.cases(client))
    await check("configurations", configurations(client))
    await check("pipeline configurations", pipeline_configurations(client))
    await check("templates", templates(client))
    await check("commands of templates", in_thread(template_command))
    await check("forms", forms(client))
    await check("results", work.results(client))
    await check("batches", work.batches(client))
    await check("map-reduce", work.map_reduce(client))
    await check("pipelines", work.pipelines(client))
    await check("operations", work.operations(client))
    await check("operations of forms", work.form_operations(client))
    await check("analysis", work.analysis(client))
    await check("settings", settings(client))
    await check("providers", providers(client))
    await check("unknown", unknown(client))
    await check("deletion", deletion(client, guid))
    await check("command", in_thread(command))
    print(json.dumps({"name": "surface", "error": None, "not_called": sorted(set(names) - surface.called)}), flush=True)


asyncio.run(main())
