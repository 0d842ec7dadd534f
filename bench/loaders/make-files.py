"""Makes the files of the loaders' bench with the programs that people make files with, and writes down what they say and where.

Needs LibreOffice, pandoc, Chromium, qpdf and poppler's pdftotext, and from PyPI: python-docx, openpyxl, xlsxwriter, nbformat, nbclient, ipykernel,
msoffcrypto-tool. Run it in this folder: python3 make-files.py. It replaces files/, expected/ and locked/, which the hostile files take theirs from. What it makes is committed, since the next version of any of
these programs writes other bytes.

Each entry of expected/ has the text that the file was made from, and for markers in it (M01, M02 ...) the place that a citation must name. Places
are found by other means than ours: pdftotext for pages, the XML of the document for paragraphs, the writer's own cells, lines of the file.
"""
import csv, json, re, shutil, subprocess, sys, tempfile, zipfile
from pathlib import Path
from xml.etree import ElementTree
from texts import TEXTS, STONES, CODE

HERE = Path(__file__).parent
FILES, EXPECTED = HERE / "files", HERE / "expected"
WORK = Path(tempfile.mkdtemp())
for folder in (FILES, EXPECTED):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def run(*command, **options):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180, **options)


def office(path, to, out=WORK):
    run("soffice", "--headless", f"-env:UserInstallation=file://{WORK}/office", "--convert-to", to, "--outdir", str(out), str(path))


def expect(name, source, places, **more):
    (EXPECTED / f"{name}.json").write_text(json.dumps({"source": source, "places": places, **more}, ensure_ascii=False, indent=1) + "\n")


# A document is a list of blocks: (kind, value). Markers are put into paragraphs, items and cells.
class Document:
    def __init__(self, title):
        self.title, self.blocks, self.markers = title, [], 0

    def mark(self):
        self.markers += 1
        return f"M{self.markers:02d}x"

    def heading(self, level, text):
        self.blocks.append(("h", (level, text)))
        return self

    def para(self, text):
        self.blocks.append(("p", f"{self.mark()} {text}"))
        return self

    def items(self, texts, ordered=False):
        self.blocks.append(("ol" if ordered else "ul", [f"{self.mark()} {text}" for text in texts]))
        return self

    def table(self, rows):
        self.blocks.append(("t", [[cell if at else f"{cell} {self.mark()}" if row else cell for at, cell in enumerate(cells)] for row, cells in enumerate(rows)]))
        return self

    def code(self, text):
        self.blocks.append(("c", text))
        return self

    def page(self):
        self.blocks.append(("page", None))
        return self

    def text(self):
        parts = []
        for kind, value in self.blocks:
            if kind == "h": parts.append(value[1])
            elif kind in ("p", "c"): parts.append(value)
            elif kind in ("ul", "ol"): parts.extend(value)
            elif kind == "t": parts.extend(" ".join(row) for row in value)
        return "\n".join(parts)

    def names(self):
        return [f"M{number:02d}x" for number in range(1, self.markers + 1)]

    def markdown(self):
        out = []
        for kind, value in self.blocks:
            if kind == "h": out.append("#" * value[0] + " " + value[1])
            elif kind == "p": out.append(value)
            elif kind == "ul": out.append("\n".join(f"- {item}" for item in value))
            elif kind == "ol": out.append("\n".join(f"{n}. {item}" for n, item in enumerate(value, 1)))
            elif kind == "t": out.append("\n".join(["| " + " | ".join(value[0]) + " |", "|" + " --- |" * len(value[0])] + ["| " + " | ".join(row) + " |" for row in value[1:]]))
            elif kind == "c": out.append("```python\n" + value + "```")
        return "\n\n".join(out) + "\n"

    def html(self, lang="en", style=""):
        esc = lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
        out = [f'<!DOCTYPE html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{esc(self.title)}</title><style>@page {{ size: A5; margin: 15mm }} body {{ font-family: "Noto Sans", "Noto Sans CJK SC", sans-serif; font-size: 11pt }} pre {{ white-space: pre-wrap }} {style}</style></head><body>']
        broken = ""
        for kind, value in self.blocks:
            if kind == "page":
                broken = ' style="break-before: page"'
                continue
            if kind == "h": out.append(f"<h{value[0]}{broken}>{esc(value[1])}</h{value[0]}>")
            elif kind == "p": out.append(f"<p{broken}>{esc(value)}</p>")
            elif kind in ("ul", "ol"): out.append(f"<{kind}{broken}>\n" + "\n".join(f"<li>{esc(item)}</li>" for item in value) + f"\n</{kind}>")
            elif kind == "t": out.append(f"<table border=1{broken}>" + "\n".join("<tr>" + "".join(f"<{'td' if at else 'th'}>{esc(cell)}</{'td' if at else 'th'}>" for cell in row) + "</tr>" for at, row in enumerate(value)) + "</table>")
            elif kind == "c": out.append(f"<pre{broken}>{esc(value)}</pre>")
            broken = ""
        return "\n".join(out) + "\n</body></html>\n"


def simple(lang, pages=False):
    title, paragraphs = TEXTS[lang]
    document = Document(title).heading(1, title)
    for at, paragraph in enumerate(paragraphs):
        if pages and at and at % 2 == 0: document.page()
        document.para(paragraph)
    return document


def manual():
    title, paragraphs = TEXTS["en"]
    document = Document(title).heading(1, title).para(paragraphs[0]).heading(2, "Ground and stones").para(paragraphs[1])
    document.items(["a spade and a pick", "a hammer of two kilograms", "a line and a level"]).para(paragraphs[2]).page()
    document.heading(2, "Prices of stone").para("Prices are for one tonne, delivered, in the spring of the year.").table(STONES).page()
    document.heading(2, "Building").items(["dig the trench", "lay the foot", "raise both faces together", "set the copes"], ordered=True)
    for paragraph in paragraphs[3:6]: document.para(paragraph)
    document.page().heading(3, "Computing the batter").para(paragraphs[6]).code(CODE).para(paragraphs[7])
    return document


def lines_of(path, names, encoding="utf-8"):
    lines = path.read_bytes().decode(encoding).lstrip("\ufeff").splitlines()
    return {name: f"line {next(number for number, line in enumerate(lines, 1) if name in line)}" for name in names}


def pages_of(path, names):
    text = subprocess.run(["pdftotext", str(path), "-"], check=True, capture_output=True).stdout.decode()
    pages = text.split("\f")
    return {name: f"page {next(number for number, page in enumerate(pages, 1) if name in page)}" for name in names}


W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def paragraphs_of(path, names):
    root = ElementTree.fromstring(zipfile.ZipFile(path).read("word/document.xml"))
    texts = ["".join(text.text or "" for text in p.iter(W + "t")) for p in root.iter(W + "p")]
    texts = [text for text in texts if text.strip()]
    return {name: f"paragraph {next(number for number, text in enumerate(texts, 1) if name in text)}" for name in names}


# --- text, markdown, code -------------------------------------------------------------------------------------------------------------
def put_text(name, text, codec="utf-8", mark=b"", names=(), **more):
    path = FILES / name
    path.write_bytes(mark + text.encode(codec))
    expect(name, text, lines_of(path, names, codec), **more)


def plain(document):
    return "\n\n".join(value[1] if kind == "h" else value for kind, value in document.blocks if kind in ("h", "p")) + "\n"


for lang in ("en", "de", "zh", "ru", "hi", "ar"):
    document = simple(lang)
    put_text(f"text-{lang}.txt", plain(document), names=document.names(), language=lang, encoding="utf-8")
for lang, encoding, label in (("de", "cp1252", "windows-1252"), ("fr", "cp1252", "windows-1252"), ("es", "cp1252", "windows-1252"), ("ja", "shift_jis", "shift_jis"), ("zh", "gb18030", "gb18030"), ("el", "utf-16-le", "utf-16le"), ("ja", "utf-16-be", "utf-16be")):
    document = simple(lang)
    put_text(f"text-{lang}-{label}.txt", plain(document), encoding, names=document.names(), language=lang, encoding=label)
document = simple("ru")
put_text("text-ru-utf-16-marked.txt", plain(document), "utf-16-le", b"\xff\xfe", document.names(), language="ru", encoding="utf-16le")
document = simple("fr")
put_text("text-fr-windows-lines.txt", plain(document).replace("\n", "\r\n"), names=document.names(), language="fr", encoding="utf-8")
put_text("batter.py", CODE, names=())
put_text("Makefile", "walls: stones\n\tlay --dry stones\n\nstones:\n\tsort stones\n", names=())

document = manual()
put_text("manual.md", document.markdown(), names=document.names(), title=document.title, language="en")
for lang in ("de", "ja"):
    document = simple(lang)
    put_text(f"notes-{lang}.md", document.markdown(), names=document.names(), title=document.title, language=lang)
(WORK / "manual.md").write_text(manual().markdown())
run("pandoc", str(WORK / "manual.md"), "-t", "gfm", "-o", str(FILES / "manual-pandoc.md"))
expect("manual-pandoc.md", manual().text(), lines_of(FILES / "manual-pandoc.md", manual().names()), title=manual().title)

# --- HTML -----------------------------------------------------------------------------------------------------------------------------
document = manual()
(FILES / "manual.html").write_text(document.html())
expect("manual.html", document.text(), lines_of(FILES / "manual.html", document.names()), title=document.title, language="en")
run("pandoc", "-s", "--metadata", f"title={document.title}", str(WORK / "manual.md"), "-o", str(FILES / "manual-pandoc.html"))
expect("manual-pandoc.html", document.text(), lines_of(FILES / "manual-pandoc.html", document.names()), title=document.title)
document = simple("fr")
page = document.html("fr").replace('charset="utf-8"', 'charset="windows-1252"')
(FILES / "page-fr-windows-1252.html").write_bytes(page.encode("cp1252"))
expect("page-fr-windows-1252.html", document.text(), lines_of(FILES / "page-fr-windows-1252.html", document.names(), "cp1252"), title=document.title, encoding="windows-1252", language="fr")
for lang in ("ar", "ko"):
    document = simple(lang)
    (FILES / f"page-{lang}.html").write_text(document.html(lang))
    expect(f"page-{lang}.html", document.text(), lines_of(FILES / f"page-{lang}.html", document.names()), title=document.title, language=lang)


# --- PDF ------------------------------------------------------------------------------------------------------------------------------
def chromium(name, html, document, **more):
    source = WORK / f"{name}.html"
    source.write_text(html)
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", f"--user-data-dir={WORK}/chromium", "--no-pdf-header-footer", f"--print-to-pdf={FILES / (name + '.pdf')}", str(source))
    expect(f"{name}.pdf", document.text(), pages_of(FILES / f"{name}.pdf", document.names()), title=document.title, **more)


def office_pdf(name, source, document, **more):
    office(source, "pdf")
    shutil.copy(WORK / f"{Path(source).stem}.pdf", FILES / f"{name}.pdf")
    expect(f"{name}.pdf", document.text(), pages_of(FILES / f"{name}.pdf", document.names()), **more)


document = manual()
chromium("manual-chromium", document.html(), document, language="en")
for lang in ("en", "de", "fr", "es", "ru", "el", "zh", "ja", "tr", "vi", "pl"):
    document = simple(lang, pages=True)
    chromium(f"chromium-{lang}", document.html(lang), document, language=lang)
document = simple("en", pages=True)
chromium("columns-chromium", document.html("en", "body { columns: 2; hyphens: auto; text-align: justify }"), document)
long = Document("Log of a wall").heading(1, "Log of a wall")
for day in range(1, 61):
    if day % 4 == 1 and day > 1: long.page()
    long.para(f"Day {day}: {TEXTS['en'][1][day % 8]}")
chromium("long-chromium", long.html(), long)

# --- DOCX -----------------------------------------------------------------------------------------------------------------------------
def put_docx(name, document, source=None, **more):
    expect(name, source or document.text(), paragraphs_of(FILES / name, document.names()), **more)


run("pandoc", str(WORK / "manual.md"), "-o", str(FILES / "manual-pandoc.docx"))
put_docx("manual-pandoc.docx", manual(), language="en", title=manual().title)
for lang in ("de", "ru", "zh", "hi"):
    document = simple(lang)
    (WORK / "simple.md").write_text(document.markdown())
    run("pandoc", str(WORK / "simple.md"), "-o", str(FILES / f"pandoc-{lang}.docx"))
    put_docx(f"pandoc-{lang}.docx", document, language=lang)
notes = Document("Notes").heading(1, "Notes").para("The foot is wide[^1] and the top is narrow[^2].").para("Its volume is $V = a b c$ for a block, and the batter is $s$.")
notes_md = notes.markdown() + "\n[^1]: About seventy centimetres.\n\n[^2]: Never below thirty.\n"
(WORK / "notes.md").write_text(notes_md)
run("pandoc", str(WORK / "notes.md"), "-o", str(FILES / "notes-pandoc.docx"))
source = "Notes\nM01x The foot is wide and the top is narrow.\nM02x Its volume is V = a b c for a block, and the batter is s.\nAbout seventy centimetres.\nNever below thirty."
put_docx("notes-pandoc.docx", notes, source)

(WORK / "manual-office.html").write_text(manual().html())
run("soffice", "--headless", f"-env:UserInstallation=file://{WORK}/office", "--infilter=HTML (StarWriter)", "--convert-to", "docx:MS Word 2007 XML", "--outdir", str(WORK), str(WORK / "manual-office.html"))
shutil.copy(WORK / "manual-office.docx", FILES / "manual-office.docx")
put_docx("manual-office.docx", manual(), language="en")
office_pdf("manual-office", FILES / "manual-office.docx", manual())
for lang in ("el", "ja", "ar"):
    document = simple(lang)
    (WORK / f"office-{lang}.html").write_text(document.html(lang))
    run("soffice", "--headless", f"-env:UserInstallation=file://{WORK}/office", "--infilter=HTML (StarWriter)", "--convert-to", "docx:MS Word 2007 XML", "--outdir", str(WORK), str(WORK / f"office-{lang}.html"))
    shutil.copy(WORK / f"office-{lang}.docx", FILES / f"office-{lang}.docx")
    put_docx(f"office-{lang}.docx", document, language=lang)

import docx
from docx.enum.text import WD_BREAK


def python_docx(document):
    out = docx.Document()
    for kind, value in document.blocks:
        if kind == "h": out.add_heading(value[1], value[0])
        elif kind == "p": out.add_paragraph(value)
        elif kind in ("ul", "ol"):
            for item in value: out.add_paragraph(item, style="List Bullet" if kind == "ul" else "List Number")
        elif kind == "t":
            table = out.add_table(rows=len(value), cols=len(value[0]))
            for row, cells in enumerate(value):
                for column, cell in enumerate(cells): table.cell(row, column).text = cell
        elif kind == "c": out.add_paragraph(value.rstrip("\n"))
        elif kind == "page": out.paragraphs[-1].add_run().add_break(WD_BREAK.PAGE)
    return out


for name, document in (("manual-python", manual()), ("python-tr", simple("tr")), ("python-vi", simple("vi")), ("python-pl", simple("pl", pages=True))):
    out = python_docx(document)
    out.core_properties.title, out.core_properties.author = document.title, "A. Mason"
    out.save(FILES / f"{name}.docx")
    put_docx(f"{name}.docx", document, title=document.title)
office_pdf("python-office-pl", FILES / "python-pl.docx", simple("pl", pages=True), language="pl")
office_pdf("manual-python-office", FILES / "manual-python.docx", manual())
office_pdf("office-el", FILES / "office-el.docx", simple("el"), language="el")
office_pdf("office-zh", FILES / "pandoc-zh.docx", simple("zh"), language="zh")

# --- XLSX and CSV ---------------------------------------------------------------------------------------------------------------------
import datetime, openpyxl, xlsxwriter
from openpyxl.styles import Font


def sheet_source(rows):
    return "\n".join(" ".join(str(cell) for cell in row if cell != "") for row in rows)


prices = [["Stone", "Density", "Price", "Delivered", "Share"]]
shown = [["Stone", "Density", "Price", "Delivered", "Share"]]
places = {}
for number in range(1, 41):
    mark = f"M{number:02d}x"
    date = datetime.date(2026, 1 + number % 12, 1 + number % 28)
    prices.append([f"{STONES[1 + number % 4][0]} {mark}", 2 + number / 100, 1000.5 * number, date, number / 200])
    shown.append([f"{STONES[1 + number % 4][0]} {mark}", f"{2 + number / 100:.2f}", f"{1000.5 * number:,.2f}", date.isoformat(), f"{number / 2:.1f}%"])
    places[mark] = f"Prices!A{number + 1}"

book = xlsxwriter.Workbook(str(FILES / "prices-xlsxwriter.xlsx"))
sheet = book.add_worksheet("Prices")
formats = [None, book.add_format({"num_format": "0.00"}), book.add_format({"num_format": "#,##0.00"}), book.add_format({"num_format": "yyyy-mm-dd"}), book.add_format({"num_format": "0.0%"})]
for row, cells in enumerate(prices):
    for column, cell in enumerate(cells):
        if isinstance(cell, datetime.date): sheet.write_datetime(row, column, datetime.datetime.combine(cell, datetime.time()), formats[column])
        else: sheet.write(row, column, cell, formats[column] if row else None)
book.close()
expect("prices-xlsxwriter.xlsx", "Prices\n" + sheet_source(shown), places)

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Costs of 2026"
sheet["B2"] = "M01x Costs of the north wall"
for row, cells in enumerate([["Item", "Number", "Each", "Sum"], ["stone M02x", 12, 48.5], ["sand M03x", 3, 20], ["days of work M04x", 8, 240]], 4):
    for column, cell in enumerate(cells, 2): sheet.cell(row, column, cell)
    if row > 4:
        sheet.cell(row, 5, f"=C{row}*D{row}").number_format = "#,##0.00"
        sheet.cell(row, 4).number_format = "0.00"
sheet["B8"], sheet["E8"] = "total M05x", "=SUM(E5:E7)"
sheet["E8"].number_format = '#,##0.00 "EUR"'
days = book.create_sheet("Days")
days.append(["Day", "Hour", "Rain", "Note"])
for number in range(1, 11):
    days.append([datetime.date(2026, 4, number), datetime.time(7, 30), number % 3 == 0, f"M{number + 5:02d}x course {number} | left side"])
    days.cell(number + 1, 1).number_format = "dd/mm/yyyy"
    days.cell(number + 1, 2).number_format = "h:mm"
hidden = book.create_sheet("Hidden rates")
hidden.append(["Rate", "Value"])
hidden.append(["M16x hour", 30])
hidden.sheet_state = "hidden"
groups = book.create_sheet("Groups")
for row in [["Wall", "Part", "Length"], ["North", "foot M17x", 12], ["", "face M18x", 11], ["South", "foot M19x", 9]]: groups.append(row)
groups.merge_cells("A2:A3")
book.save(WORK / "costs.xlsx")
office(WORK / "costs.xlsx", "xlsx:Calc MS Excel 2007 XML", FILES)
source = "Costs of 2026\nM01x Costs of the north wall\nItem Number Each Sum\nstone M02x 12 48.50 582.00\nsand M03x 3 20.00 60.00\ndays of work M04x 8 240.00 1,920.00\ntotal M05x 2,562.00 EUR\nDays\nDay Hour Rain Note\n"
source += "".join(f"{number:02d}/04/2026 7:30 {'TRUE' if number % 3 == 0 else 'FALSE'} M{number + 5:02d}x course {number} | left side\n" for number in range(1, 11))
source += "Hidden rates\nRate Value\nM16x hour 30\nGroups\nWall Part Length\nNorth foot M17x 12\nNorth face M18x 11\nSouth foot M19x 9"
places = {"M01x": "'Costs of 2026'!B2", **{f"M{n:02d}x": f"'Costs of 2026'!B{n + 3}" for n in range(2, 6)}, **{f"M{n + 5:02d}x": f"Days!D{n + 1}" for n in range(1, 11)}, "M16x": "'Hidden rates'!A2", "M17x": "Groups!B2", "M18x": "Groups!B3", "M19x": "Groups!B4"}
expect("costs.xlsx", source, places, notes=["hidden"])

rows, places = [["Länge", "Stein", "Bemerkung"]], {}
for number in range(1, 31):
    rows.append([f"{number},5", f"Granit {number}", f"M{number:02d}x {TEXTS['de'][1][number % 4]}"])
csv_text = "\n".join(";".join(f'"{cell}"' if "," in cell or ";" in cell or '"' in cell else cell for cell in (c.replace('"', '""') for c in row)) for row in rows) + "\n"
put_text("steine.csv", csv_text, names=[f"M{number:02d}x" for number in range(1, 31)], language="de", encoding="utf-8")
put_text("steine-windows-1252.csv", csv_text, "cp1252", names=[f"M{number:02d}x" for number in range(1, 31)], language="de", encoding="windows-1252")
run("soffice", "--headless", f"-env:UserInstallation=file://{WORK}/office", "--infilter=CSV:59,34,76", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(FILES), str(FILES / "steine.csv"))
expect("steine.xlsx", "steine\n" + sheet_source(rows), {f"M{number:02d}x": f"steine!C{number + 1}" for number in range(1, 31)}, language="de")
for name, options in (("prices.csv", "44,34,76,1"), ("prices.tsv", "9,34,76,1")):
    office(FILES / "prices-xlsxwriter.xlsx", f"csv:Text - txt - csv (StarCalc):{options},,0,false,true,false")
    shutil.copy(WORK / "prices-xlsxwriter.csv", FILES / name)
    # LibreOffice drops zeros at the end, so that what it wrote is read by another parser.
    with open(FILES / name, newline="") as file: written = list(csv.reader(file, delimiter="," if name.endswith("csv") else "\t"))
    expect(name, sheet_source(written), lines_of(FILES / name, [f"M{number:02d}x" for number in range(1, 41)]))
for lang in ("zh", "ru"):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = TEXTS[lang][0]
    sheet.append(["No", "Text"])
    for number, paragraph in enumerate(TEXTS[lang][1], 1): sheet.append([number, f"M{number:02d}x {paragraph}"])
    book.save(FILES / f"openpyxl-{lang}.xlsx")
    title = TEXTS[lang][0]
    shown_name = title if re.fullmatch(r"\w+", title) else f"'{title}'"
    expect(f"openpyxl-{lang}.xlsx", title + "\nNo Text\n" + "\n".join(f"{number} M{number:02d}x {paragraph}" for number, paragraph in enumerate(TEXTS[lang][1], 1)), {f"M{number:02d}x": f"{shown_name}!B{number + 1}" for number in range(1, len(TEXTS[lang][1]) + 1)}, language=lang)
book = xlsxwriter.Workbook(str(FILES / "many-xlsxwriter.xlsx"))
places, source = {}, []
for name in ("North", "South", "It's east"):
    sheet = book.add_worksheet(name)
    source.append(name)
    for row in range(60):
        cells = [f"{name[0]}{row}c{column}" for column in range(6)]
        sheet.write_row(row + 4, 2, cells)
        source.append(" ".join(cells))
        places[f"{name[0]}{row}c3"] = f"""{name if name.isalpha() else "'It''s east'"}!F{row + 5}"""
book.close()
expect("many-xlsxwriter.xlsx", "\n".join(source), {name: place for at, (name, place) in enumerate(places.items()) if at % 7 == 0})

# --- JSON -----------------------------------------------------------------------------------------------------------------------------
records = [{"id": number, "mark": f"M{number:02d}x", "lang": lang, "text": text} for number, (lang, text) in enumerate(((lang, text) for lang in ("en", "de", "ja") for text in TEXTS[lang][1]), 1)]
names = [record["mark"] for record in records]
put_text("records.json", json.dumps(records, ensure_ascii=False, indent=2) + "\n", names=names)
put_text("records-ascii.json", json.dumps({"records": records}, indent=1) + "\n", names=names)
put_text("records.jsonl", "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), names=names)
put_text("events.ndjson", "".join(json.dumps({"at": f"2026-11-{1 + number % 28:02d}", "event": f"M{number:02d}x laid", "n": number}) + "\r\n" for number in range(1, 41)), names=[f"M{number:02d}x" for number in range(1, 41)])

# --- notebooks ------------------------------------------------------------------------------------------------------------------------
import nbformat, nbclient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

book = new_notebook(cells=[
    new_markdown_cell("# Batter of a wall\n\nM01x " + TEXTS["en"][1][4]),
    new_code_cell(CODE + "\n# M02x the end"),
    new_markdown_cell("## Volumes\n\nM03x The volume is $V = abc$."),
    new_code_cell("for name in ['north', 'south']:\n    print('M04' + 'x', name)\n'M05' + 'x result'"),
    new_raw_cell("M06x raw text"),
    new_code_cell("1 / 0  # M07x"),
], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})
nbclient.NotebookClient(book, allow_errors=True, timeout=120).execute()
nbformat.write(book, FILES / "batter-jupyter.ipynb")
source = "\n".join([book.cells[0].source, book.cells[1].source, "0 0.7\n1 0.662\n2 0.625\n3 0.588", book.cells[2].source, book.cells[3].source, "M04x north\nM04x south\n'M05x result'", "M06x raw text", "1 / 0  # M07x", "ZeroDivisionError: division by zero"])
code_lines = book.cells[1].source.split("\n")
expect("batter-jupyter.ipynb", source, {"M01x": "cell 1, line 3", "M02x": f"cell 2, line {len(code_lines)}", "M03x": "cell 3, line 3", "M04x": "output of cell 4, line 1", "M05x": "output of cell 4, line 3", "M06x": "cell 5, line 1", "M07x": "cell 6, line 1"}, title="Batter of a wall")
for lang in ("de", "zh", "ru"):
    title, paragraphs = TEXTS[lang]
    cells = [new_markdown_cell(f"# {title}")]
    for number, paragraph in enumerate(paragraphs, 1):
        cells.append(new_markdown_cell(f"M{number:02d}x {paragraph}"))
        cells.append(new_code_cell(f"länge = {number}\n# M{number + 20:02d}x\nprint(länge * 2)"))
    nbformat.write(new_notebook(cells=cells), FILES / f"nbformat-{lang}.ipynb")
    expect(f"nbformat-{lang}.ipynb", "\n".join(cell.source for cell in cells), {**{f"M{n:02d}x": f"cell {2 * n}, line 1" for n in range(1, len(paragraphs) + 1)}, **{f"M{n + 20:02d}x": f"cell {2 * n + 1}, line 2" for n in range(1, len(paragraphs) + 1)}}, title=title, language=lang)
run("pandoc", str(WORK / "manual.md"), "-t", "ipynb", "-o", str(FILES / "manual-pandoc.ipynb"))
made = json.loads((FILES / "manual-pandoc.ipynb").read_text())
places = {}
for number, cell in enumerate(made["cells"], 1):
    for line, text in enumerate("".join(cell["source"]).split("\n"), 1):
        for name in re.findall(r"M\d\dx", text): places.setdefault(name, f"cell {number}, line {line}")
expect("manual-pandoc.ipynb", manual().text(), places, title=manual().title)

# --- files with a password --------------------------------------------------------------------------------------------------------------
from msoffcrypto.format.ooxml import OOXMLFile

LOCKED = HERE / "locked"
shutil.rmtree(LOCKED, ignore_errors=True)
LOCKED.mkdir()
for name, bits in (("rc4-40", "40"), ("rc4-128", "128"), ("aes-256", "256")):
    run("qpdf", "--allow-weak-crypto", "--encrypt", "user", "owner", bits, "--", str(FILES / "chromium-en.pdf"), str(LOCKED / f"{name}.pdf"))
run("qpdf", "--encrypt", "", "owner", "256", "--print=none", "--", str(FILES / "chromium-en.pdf"), str(LOCKED / "no-printing.pdf"))
for source in ("manual-pandoc.docx", "costs.xlsx"):
    with open(FILES / source, "rb") as plain_file, open(LOCKED / f"agile.{source[-4:]}", "wb") as out: OOXMLFile(plain_file).encrypt("password", out)

shutil.rmtree(WORK, ignore_errors=True)
print(len(list(FILES.iterdir())), "files,", sum(path.stat().st_size for path in FILES.iterdir()), "bytes")
