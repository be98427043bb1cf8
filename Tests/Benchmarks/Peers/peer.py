#!/usr/bin/env python3
"""peer.py WORK FILE OUT ROUNDS: does WORK the given number of times and prints the median wall time in seconds.

`version-json`, `version-orjson`, … print a peer's version instead, and fail if the peer is not installed."""
import sys
import time


def json_work(file, out):
    import json

    with open(file, encoding="utf-8") as stream:
        document = json.load(stream)
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(document, stream, ensure_ascii=False, indent=2, separators=(",", " : "))


def json_load(file, out):
    import json

    with open(file, encoding="utf-8") as stream:
        json.load(stream)


def orjson_work(file, out):
    import orjson

    with open(file, "rb") as stream:
        document = orjson.loads(stream.read())
    with open(out, "wb") as stream:
        stream.write(orjson.dumps(document, option=orjson.OPT_INDENT_2))


def orjson_load(file, out):
    import orjson

    with open(file, "rb") as stream:
        orjson.loads(stream.read())


def lxml_work(file, out):
    from lxml import etree

    etree.parse(file).write(out, encoding="UTF-8", xml_declaration=True)


def toolkit_xliff(file, out):
    from translate.storage.xliff import Xliff1File

    store = Xliff1File.parsefile(file)
    len(store.units)
    store.savefile(out)


def toolkit_strings(file, out):
    from translate.storage.properties import stringsutf8file

    store = stringsutf8file()
    with open(file, "rb") as stream:
        store.parse(stream.read())
    with open(out, "wb") as stream:
        stream.write(bytes(store))


def version_json():
    return "Python " + sys.version.split()[0]


def version_orjson():
    import orjson

    return orjson.__version__


def version_lxml():
    from lxml import etree

    return etree.__version__


def version_toolkit():
    from translate import __version__

    import translate.storage.xliff, translate.storage.properties

    return __version__.sver


# The imports that a process of each peer makes before its work. Their time is subtracted as start-up time.
STARTS = {
    "json": lambda: __import__("json"),
    "orjson": lambda: __import__("orjson"),
    "lxml": lambda: __import__("lxml.etree"),
    "toolkit": version_toolkit,
}
WORKS = {
    "json": json_work, "json-load": json_load, "orjson": orjson_work, "orjson-load": orjson_load, "lxml": lxml_work,
    "toolkit-xliff": toolkit_xliff, "toolkit-strings": toolkit_strings,
}


def main():
    work = sys.argv[1]
    if work.startswith("version-"):
        print(globals()["version_" + work[len("version-"):]]())
        return
    STARTS[work.split("-")[0]]()
    if len(sys.argv) < 5:
        return
    file, out, rounds = sys.argv[2], sys.argv[3], int(sys.argv[4])
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        WORKS[work](file, out)
        times.append(time.perf_counter() - start)
    print(sorted(times)[len(times) // 2])


main()
