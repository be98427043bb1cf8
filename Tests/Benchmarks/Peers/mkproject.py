#!/usr/bin/env python3
"""mkproject.py XLIFF FOLDER: writes the source-language tables and String Catalogs from which an XLIFF file was exported"""
import json, os, sys
import xml.etree.ElementTree as ET

NS = "{urn:oasis:names:tc:xliff:document:1.2}"


def table(units):
    quoted = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "\n".join(f"/* {note} */\n{quoted(key)} = {quoted(source)};\n" for key, source, note in units)


def catalog(units):
    strings = {
        key: {
            "comment": note,
            "extractionState": "manual",
            "localizations": {"en": {"stringUnit": {"state": "translated", "value": source}}},
        }
        for key, source, note in units
    }
    whole = {"sourceLanguage": "en", "strings": strings, "version": "1.0"}
    return json.dumps(whole, ensure_ascii=False, indent=2, separators=(",", " : "))


for file in ET.parse(sys.argv[1]).iter(NS + "file"):
    units = [
        (unit.get("id"), unit.findtext(NS + "source"), unit.findtext(NS + "note")) for unit in file.iter(NS + "trans-unit")
    ]
    path = os.path.join(sys.argv[2], file.get("original"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(catalog(units) if path.endswith(".xcstrings") else table(units))
