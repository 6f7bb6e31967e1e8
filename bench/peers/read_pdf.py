"""Reads PDFs with one library. Reads lines of JSON (work, file), answers lines of JSON: words or cells, wall and cpu in ms."""
import json
import sys
import time


def pymupdf_works():
    import pymupdf

    def words(path):
        with pymupdf.open(path) as document:
            return [word[4] for page in document for word in page.get_text("words")]

    return {"words": words}


def pypdfium2_works():
    import pypdfium2

    def words(path):
        document = pypdfium2.PdfDocument(path)
        try:
            return [word for page in document for word in page.get_textpage().get_text_bounded().split()]
        finally:
            document.close()

    return {"words": words}


def cells_of(tables):
    return [cell for table in tables for row in table for cell in row if cell and cell.strip()]


def pdfplumber_works():
    import pdfplumber

    def words(path):
        with pdfplumber.open(path) as document:
            return [word["text"] for page in document.pages for word in page.extract_words()]

    def tables(path):
        with pdfplumber.open(path) as document:
            return cells_of([table for page in document.pages for table in page.extract_tables()])

    return {"words": words, "tables": tables}


def kreuzberg_works():
    from kreuzberg import ExtractionConfig, extract_file_sync

    # Without its cache, which would answer every round but the first, and without recognition, as ours.
    plain = ExtractionConfig(use_cache=False, disable_ocr=True)
    markdown = ExtractionConfig(use_cache=False, disable_ocr=True, output_format="markdown")
    return {
        "words": lambda path: extract_file_sync(path, config=plain).content.split(),
        "markdown": lambda path: extract_file_sync(path, config=markdown).content.split(),
    }


def camelot_works():
    import camelot

    def tables(path):
        found = camelot.read_pdf(path, pages="all", flavor="lattice", suppress_stdout=True)
        return cells_of([table.data for table in found])

    return {"tables": tables}


works = {
    "pymupdf": pymupdf_works,
    "pypdfium2": pypdfium2_works,
    "pdfplumber": pdfplumber_works,
    "kreuzberg": kreuzberg_works,
    "camelot": camelot_works,
}[sys.argv[1]]()
out = sys.stdout
sys.stdout = sys.stderr  # what a library prints is no answer
print(json.dumps({"ready": True}), file=out, flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        answer = {"words": works[asked["work"]](asked["file"])}
    except Exception as error:  # a peer may refuse a file
        answer = {"error": type(error).__name__, "words": []}
    answer["wall"] = (time.perf_counter() - wall) * 1000
    answer["cpu"] = (time.process_time() - cpu) * 1000
    print(json.dumps(answer), file=out, flush=True)
