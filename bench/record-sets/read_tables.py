"""Finds the tables of one-page PDFs with one library. Reads lines of JSON (file, way), answers lines of JSON: tables as lists of cells (text, row, column, rowSpan, columnSpan)."""
import json
import sys


def cell(text, row, column, row_span, column_span):
    return {"text": text, "row": row, "column": column, "rowSpan": row_span, "columnSpan": column_span}


def boxed_cells(table):
    """Spans by the edges of all cells: both libraries give None at the positions under a span."""
    boxes = [box for row in table.rows for box in row.cells if box]
    lefts, tops = sorted({box[0] for box in boxes}), sorted({box[1] for box in boxes})
    found = []
    for at, (row, texts) in enumerate(zip(table.rows, table.extract())):
        for column, (box, text) in enumerate(zip(row.cells, texts)):
            if box and text and text.strip():
                row_span = sum(box[1] <= top < box[3] - 0.01 for top in tops)
                column_span = sum(box[0] <= left < box[2] - 0.01 for left in lefts)
                found.append(cell(text, at, column, max(row_span, 1), max(column_span, 1)))
    return found


def pdfplumber_tables(file, way):
    import pdfplumber

    settings = {"vertical_strategy": way, "horizontal_strategy": way}
    with pdfplumber.open(file) as document:
        return [boxed_cells(table) for page in document.pages for table in page.find_tables(settings)]


def pymupdf_tables(file, way):
    import pymupdf

    with pymupdf.open(file) as document:
        return [boxed_cells(table) for page in document for table in page.find_tables(strategy=way).tables]


def camelot_tables(file, way):
    import camelot

    tables = []
    for table in camelot.read_pdf(file, pages="1", flavor=way, suppress_stdout=True):
        grid, found = table.cells, []
        has_edges = any(one.left for row in grid for one in row[1:])  # only lines tell of spans
        for at, row in enumerate(grid):
            for column, one in enumerate(row):
                text = one.text.strip()
                if not text:
                    continue
                column_span, row_span = 1, 1
                if has_edges:
                    while column + column_span < len(row) and not row[column + column_span].left:
                        column_span += 1
                    while at + row_span < len(grid) and not grid[at + row_span][column].top:
                        row_span += 1
                found.append(cell(text, at, column, row_span, column_span))
        tables.append(found)
    return tables


read = {"pdfplumber": pdfplumber_tables, "pymupdf": pymupdf_tables, "camelot": camelot_tables}[sys.argv[1]]
out = sys.stdout
sys.stdout = sys.stderr  # what a library prints is no answer
print(json.dumps({"ready": True}), file=out, flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = {"tables": read(asked["file"], asked["way"])}
    except Exception as error:  # a library may refuse a file
        answer = {"error": type(error).__name__ + ": " + str(error), "tables": []}
    print(json.dumps(answer), file=out, flush=True)
