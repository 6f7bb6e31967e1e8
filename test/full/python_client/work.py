"""Work over documents: batches, map-reduce, pipelines, operations, results in all formats."""

import json

from common import FAST, PDF, expect, load, load_io, plain, raised
from docudevs.models import UploadCommand
from docudevs.pipeline import Pipeline, eq

LINES = json.dumps({"lines": [{"description": "string", "amount": "number"}]})


async def results(client):
    guid = await client.submit_and_process_document(load_io("invoice.pdf"), PDF, schema=LINES, trace=True)
    await client.wait_until_ready(guid, **FAST)
    found = await client.result_json(guid)
    expect(len(found["lines"]) == 3, found)
    expect(b"Gold stamping" in (await client.result(guid)).content)
    expect("Gold stamping" in await client.result_csv(guid))
    expect((await client.result_excel(guid))[:2] == b"PK")
    expect((await client.get_trace(guid))["events"] is not None)
    found = await client.submit_and_wait_for_document_with_source_locations(load_io("invoice.pdf"), PDF, schema='{"total":"number"}')
    expect(found.source_locations["locations"]["/total"]["pageAnchors"], found)


async def batches(client):
    documents = [load_io("invoice.pdf"), load_io("invoice.pdf")]
    batch = await client.submit_and_process_batch(documents, PDF, schema='{"total":"number"}', max_concurrency=2)
    found = await client.wait_until_ready(batch, result_format="json", **FAST)
    expect([one["total"] for one in found] == [517.2, 517.2], found)
    batch = await client.create_batch()
    place = await client.upload_batch_document(batch, load_io("invoice.pdf"), mime_type=PDF, file_name="ä.pdf")
    expect(place["index"] == 0 and place["totalDocuments"] == 1, place)
    expect(await client.process_batch(batch, mime_type=PDF, prompt="the total") == batch)
    expect(plain(await client.schedule_batch(batch))["jobGuid"] == batch)
    await client.wait_until_ready(batch, **FAST)
    await client.save_configuration("of a batch", UploadCommand(schema='{"total":"number"}'))
    batch = await client.submit_and_process_batch_with_configuration([load_io("invoice.pdf")], PDF, configuration_name="of a batch")
    expect((await client.wait_until_ready(batch, result_format="json", **FAST))[0]["total"] == 517.2)
    await client.delete_configuration("of a batch")


async def map_reduce(client):
    guid = await client.submit_and_process_document_map_reduce(load_io("invoice.pdf"), PDF, schema=LINES, pages_per_chunk=1)
    await client.wait_until_ready(guid, **FAST)
    job = (await client.status(guid)).parsed
    expect(job.map_reduce_status.total_chunks == 1, job)
    found = await client.submit_and_wait_for_map_reduce(guid, schema=LINES, pages_per_chunk=1, stop_when_empty=True, **FAST)
    expect("Gold stamping" in json.dumps(plain(found)), found)
    again = await client.process_document_map_reduce(guid, schema=LINES, split_type="markdown_header", split_header_level=2)
    expect(again.status_code == 200, again)
    await client.wait_until_ready(guid, **FAST)
    command = client.build_upload_command_map_reduce(schema=LINES, mime_type=PDF, pages_per_chunk=2, overlap_pages=1, dedup_key="description")
    expect((await client.process_document(guid, command)).status_code == 200)
    await client.wait_until_ready(guid, **FAST)


def pipeline():
    made = Pipeline()
    made.description("A total, judged").max_nodes(2).ocr(mode="DEFAULT", quality_artifact=True)
    total = made.extract("read", schema={"total": "number"}, source_locations=True)
    size = made.validate_bucket("size", input="$nodes.read.result.total", buckets=[{"name": "small", "max": 100}, {"name": "large", "min": 100}])
    made.final_candidate("small", output={"kind": "small"}, when=eq("$nodes.size.result.bucket", "small"))
    made.final_candidate("large", output={"kind": "large", "total": "$nodes.read.result.total"}, when=eq("$nodes.size.result.bucket", "large"), depends_on=[total, size])
    made.final_order("small", "large")
    return made


async def pipelines(client):
    guid = await client.process_pipeline_document(load_io("invoice.pdf"), PDF, pipeline=pipeline(), trace=True)
    found = await client.wait_until_ready(guid, result_format="json", **FAST)
    expect(found == {"kind": "large", "total": 517.2}, found)
    nodes = {node["id"]: node["status"] for node in await client.get_pipeline_nodes(guid)}
    expect(nodes == {"read": "COMPLETED", "size": "COMPLETED", "small": "SKIPPED", "large": "COMPLETED"}, nodes)
    again = await client.process_uploaded_pipeline_document(guid, pipeline=pipeline().to_dict(), mime_type=PDF)
    expect(again.status_code == 200, again)
    await client.wait_until_ready(guid, **FAST)
    command = client.build_upload_command_pipeline(pipeline=pipeline(), mime_type=PDF)
    expect((await client.process_document(guid, command)).status_code == 200)
    await client.wait_until_ready(guid, **FAST)


async def operations(client):
    guid = await client.submit_and_process_document(load_io("figure.pdf"), PDF, extract_figures=True)
    await client.wait_until_ready(guid, **FAST)
    found = plain(await client.submit_and_wait_for_error_analysis(guid, **FAST))
    expect(found, found)
    found = plain(await client.submit_and_wait_for_image_selection(guid, "the harbour", top_k=1, **FAST))
    expect(found, found)
    found = plain(await client.submit_and_wait_for_operation(guid, "error-analysis", **FAST))
    expect(found, found)
    given = {"focus_areas": ["numbers"], "confidence_threshold": 0.5}
    found = plain(
        await client.submit_and_wait_for_operation_with_parameters(guid, "error-analysis", custom_parameters=given, **FAST)
    )
    expect(found, found)
    started = await client.submit_operation(guid, "error-analysis")
    await client.wait_until_ready(started.job_guid, **FAST)
    wish = {"prompt": "the harbour", "topK": "1", "useVision": "false"}
    started = await client.submit_operation_with_parameters(guid, "image-select", custom_parameters=wish)
    await client.wait_until_ready(started.job_guid, **FAST)
    listed = await client.get_operation_status(guid)
    expect(listed.total_operations == 6 and listed.operations[0].status == "COMPLETED", listed)
    read = await client.get_operation_result(guid, "error-analysis")
    expect(read.resultAvailable and read.result, read)
    # Without a model a generative task has nobody to ask: its job fails at once.
    task = await client.create_generative_task(guid, "Sum up")
    for work in (client.wait_until_ready(task.job_guid, **FAST), client.submit_and_wait_for_generative_task(guid, "Sum up", **FAST)):
        error = await raised(work)
        expect(not isinstance(error, TimeoutError), error)


async def form_operations(client):
    guid = await client.submit_and_ocr_document(load_io("flat.pdf"), PDF, ocr_format="plain")
    await client.wait_until_ready(guid, **FAST)
    made = await client.submit_and_wait_for_pdf_acroform_operation(guid, **FAST)
    expect(made.pdf[:5] == b"%PDF-" and made.parent_job_guid == guid, made)
    definitions = (await client.get_pdf_acroform_field_definitions(made.operation_job_guid))["fieldDefinitions"]
    applied = await client.submit_and_wait_for_pdf_acroform_apply_operation(guid, field_definitions=definitions[:1], **FAST)
    expect(applied.pdf[:5] == b"%PDF-" and applied.operation_job_guid != made.operation_job_guid, applied)


async def analysis(client):
    guid = await client.analyze_document(load("invoice.pdf"), PDF, ocr="DEFAULT")
    found = await client.wait_until_ready(guid, result_format="json", **FAST)
    expect(found["document_type"] == "invoice", found)
