"""Reads words of PDFs with one library. Reads lines of paths, answers lines of JSON: words, wall and cpu seconds."""
import json
import sys
import time


def reader_of(name):
    if name == "pymupdf":
        import pymupdf

        def read(path):
            with pymupdf.open(path) as document:
                return [word[4] for page in document for word in page.get_text("words")]

    elif name == "pypdfium2":
        import pypdfium2

        def read(path):
            document = pypdfium2.PdfDocument(path)
            try:
                return [word for page in document for word in page.get_textpage().get_text_bounded().split()]
            finally:
                document.close()

    elif name == "pdfplumber":
        import pdfplumber

        def read(path):
            with pdfplumber.open(path) as document:
                return [word["text"] for page in document.pages for word in page.extract_words()]

    elif name == "kreuzberg":
        import kreuzberg

        def read(path):
            return kreuzberg.extract_file_sync(path).content.split()

    else:
        raise SystemExit(f"unknown library {name}")
    return read


read = reader_of(sys.argv[1])
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        answer = {"words": read(line.rstrip("\n"))}
    except Exception as error:  # a peer may refuse a file
        answer = {"error": type(error).__name__, "words": []}
    answer["wall"] = (time.perf_counter() - wall) * 1000
    answer["cpu"] = (time.process_time() - cpu) * 1000
    print(json.dumps(answer), flush=True)
