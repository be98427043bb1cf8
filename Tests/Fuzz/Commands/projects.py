"""The projects for fuzzing commands: a small project with a file of every kind, hostile projects, and mutations of both."""
import io
import os
import stat
import subprocess
import zipfile

SEEDS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Seeds")


def seed(name):
    with open(os.path.join(SEEDS, name + ".seed"), "rb") as file:
        return file.read()


def base():
    """Returns the files by path: a package and an app with an Xcode project, and returned bundles."""
    xliff = seed("xliff/small.xliff")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr(zipfile.ZipInfo("de.xcloc/contents.json"), '{"version":"1.0","targetLocale":"de"}')
        archive.writestr(zipfile.ZipInfo("de.xcloc/Localized Contents/de.xliff"), xliff)
    return {
        "App.xcodeproj/project.pbxproj": seed("project-file/project.pbxproj"),
        "App/A.swift": seed("swift-app/views.swift"),
        "App/Intents.swift": seed("swift-app/intents.swift"),
        "App/Window.m": seed("objective-c/window.m"),
        "App/Localizable.xcstrings": seed("catalog/small.xcstrings"),
        "App/Info.plist": seed("info-plist/Info.plist"),
        "App/Base.lproj/Main.storyboard": seed("storyboard/main.storyboard"),
        "App/de.lproj/Main.strings": b'"a.text" = "Titel";\n',
        "App/en.lproj/Table.strings": seed("strings/text.strings"),
        "App/de.lproj/Table.strings": seed("strings/small.strings"),
        "App/en.lproj/Table.stringsdict": seed("stringsdict/small.stringsdict"),
        "App/uk.lproj/Table.stringsdict": seed("stringsdict/all.stringsdict"),
        "App/fr.lproj/Table.strings": seed("strings/utf16.strings"),
        "App/Open.intentdefinition": seed("intent-definition/Open.intentdefinition"),
        "App/Debug.xcconfig": b'#include "Other.xcconfig"\nPRODUCT_NAME = $(TARGET_NAME)\n',
        "Kit/Package.swift": seed("manifest/Package.swift"),
        "Kit/Sources/A/A.swift": seed("swift/views.swift"),
        "Kit/Sources/A/R/Localizable.xcstrings": seed("catalog/small.xcstrings"),
        "in/de.xliff": xliff,
        "in/de.xcloc.zip": zipped.getvalue(),
        "in/de.xcloc/contents.json": b'{"version":"1.0","targetLocale":"de"}',
        "in/de.xcloc/Localized Contents/de.xliff": xliff,
    }


def units(count):
    return b"".join(b'"k%d" : { "localizations" : { "de" : { "stringUnit" : { "state" : "new", "value" : "%%d" } } } }, ' % n for n in range(count))


# The hostile files by their numbers in the review of hostile input. Each replaces one file.
HOSTILE = {
    "H1 types": ("App/A.swift", b"struct B<X,Y,Z>{}\ntypealias A<T>=B<A<T>,A<T>,A<T>>\nlet a: A<Int>\nText(a)\n"),
    "H1 calls": ("App/A.swift", b"func d<T>(_:T)->(T,T)\nlet x = " + b"d(" * 60 + b"1" + b")" * 60 + b"\nText(x)\n"),
    "H1 closures": ("App/A.swift", b"let a0=1\n" + b"".join(b"let a%d={(a%d,a%d)}\n" % (n + 1, n, n) for n in range(60)) + b"Text(a60)\n"),
    "H2 lines": ("App/A.swift", b"f(" + b"\n" * 250_000),
    "H2 hashes": ("App/A.swift", b"#" * 200_000),
    "H2 generics": ("App/A.swift", b"f(" + b"a<b," * 8000 + b"c)\n"),
    "H2 overloads": ("App/A.swift", b"".join(b"func o(_ a: T%d) {}\n" % n for n in range(3000)) + b"o(1)\n" * 3000),
    "H3 joined": ("Kit/Package.swift", b'// swift-tools-version: 6.0\nimport PackageDescription\nvar a = ["aaaaaaaaaaaaaaaa"]\n'
                  + b"a = [a.joined(), a.joined(), a.joined(), a.joined()]\n" * 1000 + b'let package = Package(name: a.joined())\n'),
    "H5 languages": ("App/Localizable.xcstrings", b'{ "sourceLanguage" : "en", "strings" : { "a" : { "localizations" : { '
                     + b", ".join(b'"l%d" : { "stringUnit" : { "state" : "new", "value" : "x" } }' % n for n in range(10_000))
                     + b' } } }, "version" : "1.0" }'),
    "H5 tag": ("App/Localizable.xcstrings", b'{ "sourceLanguage" : "' + b"a" * 200_000 + b'", "strings" : { }, "version" : "1.0" }'),
    "H7 includes": ("App/Debug.xcconfig", b"".join(b'#include "gone%d.xcconfig"\n' % n for n in range(40_000))),
    "H11 keys": ("App/Localizable.xcstrings", '{ "sourceLanguage" : "en", "strings" : { "a\\u001b[31m\u202e|<b>\\u0085" : { "localizations" : { "de" : { "stringUnit" : '
                 '{ "state" : "new", "value" : "\u2028" } } } } }, "version" : "1.0" }'.encode()),
    "H12 widths": ("in/de.xliff", None),
    "deep JSON": ("App/Localizable.xcstrings", b'{ "strings" : ' + b'{ "a" : ' * 50_000),
    "many keys": ("App/Localizable.xcstrings", b'{ "sourceLanguage" : "en", "strings" : { ' + units(20_000)[:-2] + b' }, "version" : "1.0" }'),
    "deep XML": ("in/de.xliff", b"<xliff version='1.2'>" + b"<g>" * 100_000),
    "entities": ("in/de.xliff", b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><xliff version="1.2">&b;</xliff>'),
    "brackets": ("App/A.swift", b"Text(" * 20_000),
    "C brackets": ("App/Window.m", b"NSLocalizedString(@\"a\", (" * 20_000),
    "old style": ("App/en.lproj/Table.strings", b"{ a = (" * 20_000),
    "no end": ("App/A.swift", b'let a = """\n' + b"\\(" * 20_000),
}

WORDS = [b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> theirs\n", b"\xff\xfe", b"\x00", b"\x1b[31m", "\u202e".encode(), "\u0085".encode(), b"%n%n%s",
         b"%999999999d", b"%1$999999999999999999d", b"%#@n@", b"$(X:upper)", b"$(", b"\\(", b'"""', b"#if", b"{", b"}", b"[", b"]", b"(", b")",
         b"<", b">", b"&#0;", b"&a;", b"<![CDATA[", b"<!--", b"|==|plural.one", b"|==|", b"../", b"\r\n", b"\r", b"\t", b"\xc3", b"null", b"-1",
         b"99999999999999999999", b"1e999", b".lproj", b"Base", b"mul", b"@arg", b"%arg", b"'", b'\\u0000', b'\\ud800']

NAMES = ["a\x1b[31mb.swift", "\u202etxt.strings", "n" * 200 + ".xcstrings", "App/zz.lproj/Table.strings", "App/ .lproj/Table.strings",
         "App/de.lproj/Table.stringsdict", "App/Localizable.strings", "App/x\ny.swift", "App/en.lproj/Table.strings/x", "App/Other.xcstrings",
         "App/-.xcstrings", "App/\u0000x", "Pods/A.swift", "App/Info.plist", "Kit/Package@swift-5.9.swift", "in/de.xcloc/de.xliff"]


def widths(text):
    return text.replace(b"</target>", b" %999999999d %n%n%s %1$999999999999999999d</target>")


def mutated(randomness, command, number):
    """Returns files by path. A tuple is a special file: ("link", place), ("pipe",), ("folder",), ("closed", bytes)."""
    files = base()
    names = list(HOSTILE)
    # Each hostile file is used first unchanged and then in mutations. Some mutations also have a hostile file.
    if number < len(names) or randomness.random() < 0.1:
        name = names[number] if number < len(names) else randomness.choice(names)
        path, content = HOSTILE[name]
        files[path] = widths(files[path]) if content is None else content
        if path == "in/de.xliff":
            files["in/de.xcloc/Localized Contents/de.xliff"] = files[path]
        if number < len(names):
            return files
    wanted = {
        "import": ["in/de.xliff", "in/de.xcloc.zip", "in/de.xcloc/contents.json", "in/de.xcloc/Localized Contents/de.xliff", "App/Localizable.xcstrings"],
        "compile": ["App/Localizable.xcstrings", "Kit/Sources/A/R/Localizable.xcstrings"],
        "convert": [p for p in files if p.endswith((".strings", ".stringsdict", ".pbxproj", ".storyboard"))],
        "status": [p for p in files if p.endswith((".xcstrings", ".strings", ".stringsdict", ".pbxproj", ".swift", ".plist"))],
    }.get(command, [p for p in files if not p.startswith("in/")])
    for _ in range(randomness.randint(1, 4)):
        path = randomness.choice(wanted)
        if isinstance(files.get(path), bytes):
            files = changed(files, path, randomness)
    return files


def changed(files, path, randomness):
    text = files[path]
    place = randomness.randrange(len(text) + 1)
    other = randomness.randrange(len(text) + 1)
    first, last = min(place, other), max(place, other)
    kind = randomness.randrange(16)
    if kind == 0:
        files[path] = text[:place]
    elif kind == 1:
        files[path] = text[:first] + text[last:]
    elif kind == 2:
        files[path] = text[:last] + text[first:]
    elif kind in (3, 4, 5):
        for _ in range(randomness.randint(1, 6)):
            place = randomness.randrange(len(text) + 1)
            text = text[:place] + randomness.choice(WORDS) + text[place:]
        files[path] = text
    elif kind == 6:
        bytes_ = bytearray(text)
        for _ in range(randomness.randint(1, 8)):
            if bytes_:
                bytes_[randomness.randrange(len(bytes_))] = randomness.randrange(256)
        files[path] = bytes(bytes_)
    elif kind == 7:
        lines = text.split(b"\n")
        randomness.shuffle(lines)
        files[path] = b"\n".join(lines)
    elif kind == 8:
        files[path] = text[:place] + text[first:last][:60] * randomness.choice([10, 1000, 20_000]) + text[place:]
    elif kind == 9:
        files[path], files[randomness.choice(list(files))] = files[randomness.choice(list(files))], text
    elif kind == 10:
        files[randomness.choice(NAMES)] = text
    elif kind == 11:
        files[path] = randomness.choice([("link", randomness.choice(["A.swift", "..", "/dev/zero", "BESIDE/victim", path])), ("pipe",), ("folder",)])
    elif kind == 12:
        files[path] = text.decode("utf-8", "replace").encode(randomness.choice(["utf-16", "utf-16-be", "utf-8-sig"]))
    elif kind == 13:
        files[path] = text.replace(b"\n", b"\r\n")
    elif kind == 14:
        files[path] = text.replace(b'"', randomness.choice([b"'", b"", "\u201c".encode()]), randomness.randint(1, 5))
    else:
        del files[path]
    return files


def write(folder, files, beside, isRepository, randomness):
    """Writes the project with two commits: the base, and the current files."""
    def git(*words, **more):
        environment = {"PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": "1700000000 +0000",
                       "GIT_COMMITTER_DATE": "1700000000 +0000"}
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false", *words], cwd=folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, **more).stdout

    os.makedirs(folder)
    if isRepository:
        git("init", "-q", "-b", "main")
        for path, content in base().items():
            put(folder, path, content, beside)
        git("add", "-A")
        git("commit", "-q", "-m", "base")
        for path in base():
            os.unlink(os.path.join(folder, path))
    for path, content in files.items():
        put(folder, path, content, beside)
    if isRepository:
        git("add", "-A", "--ignore-errors")
        git("commit", "-q", "--allow-empty", "-m", "mutated")
        if randomness.random() < 0.03:
            bomb(git)


def bomb(git):
    """H4: makes a newest commit with ten tree objects, each of which contains the next one ten times."""
    blob = git("hash-object", "-w", "--stdin", input=b"let a = 1\n").strip()
    tree = git("mktree", input=b"100644 blob " + blob + b"\tA.swift\n").strip()
    for _ in range(10):
        tree = git("mktree", input=b"".join(b"040000 tree %s\td%d\n" % (tree, n) for n in range(10))).strip()
    commit = git("commit-tree", tree.decode(), "-p", "HEAD", "-m", "bomb").strip()
    git("update-ref", "HEAD", commit.decode())


def put(folder, path, content, beside):
    if "\0" in path:
        return
    place = os.path.join(folder, path)
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if isinstance(content, bytes):
            with open(place, "wb") as file:
                file.write(content)
        elif content[0] == "link":
            os.symlink(content[1].replace("BESIDE", beside), place)
        elif content[0] == "pipe":
            os.mkfifo(place)
        else:
            os.makedirs(place)
    except OSError:
        pass  # Two of the files cannot exist together, and one of them is enough.


def pipes(folder, names):
    """Returns the named pipes in a folder, because they cannot be copied."""
    return [name for name in names if stat.S_ISFIFO(os.lstat(os.path.join(folder, name)).st_mode)]
