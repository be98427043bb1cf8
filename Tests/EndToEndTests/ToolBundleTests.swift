import Foundation
import TestSupport
import Testing

/// `import` of ordinary bad input: valid parts are imported, and the others are reported.
@Suite("Bundles changed by other tools")
struct ToolBundleTests {
  /// A catalog that was sorted by hand, with a text that has two lines.
  private static let catalog = #"""
    {
      "sourceLanguage" : "en",
      "strings" : {
        "Zebra" : {
          "extractionState" : "manual"
        },
        "%lld birds" : {
          "extractionState" : "manual",
          "localizations" : {
            "en" : {
              "variations" : {
                "plural" : {
                  "one" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%lld bird"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%lld birds"
                    }
                  }
                }
              }
            }
          }
        },
        "Two\nlines" : {
          "extractionState" : "manual"
        }
      },
      "version" : "1.0"
    }

    """#

  private static let xliff = """
    <?xml version="1.0" encoding="UTF-8"?>
    <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
      <file original="App/Localizable.xcstrings" source-language="en" target-language="de" datatype="plaintext">
        <body>
          <trans-unit id="Zebra">
            <source>Zebra</source>
            <target>Zebra-de</target>
          </trans-unit>
          <trans-unit id="%lld birds|==|plural.one">
            <source>%lld bird</source>
            <target>%lld Vogel</target>
          </trans-unit>
          <trans-unit id="%lld birds|==|plural.other">
            <source>%lld birds</source>
            <target>%lld Vögel</target>
          </trans-unit>
          <trans-unit id="Two&#10;lines">
            <source>Two
    lines</source>
            <target>Zwei
    Zeilen</target>
          </trans-unit>
        </body>
      </file>
    </xliff>

    """

  private func project(_ bundle: [UInt8], catalog: String = Self.catalog) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(catalog, to: "App/Localizable.xcstrings")
    try folder.write("", to: "App/A.swift")
    try Data(bundle).write(to: URL(filePath: folder.file("de.xliff")))
    return folder
  }

  /// Returns the bundle in the form in which a translation tool or a system saves it.
  private static func saved(by tool: String) -> [UInt8] {
    let text = xliff
    switch tool {
    case "Windows": return Array("\u{FEFF}\(text.replacing("\n", with: "\r\n"))".utf8)
    case "old Mac": return Array(text.replacing("\n", with: "\r").utf8)
    case "UTF-16":
      let wide = "\u{FEFF}" + text.replacing("UTF-8", with: "UTF-16")
      return wide.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    case "memoQ":
      return Array(
        text.replacing("<xliff ", with: "<xliff xmlns:mq=\"MQXliff\" ")
          .replacing("<trans-unit ", with: "<trans-unit mq:status=\"ManuallyConfirmed\" ")
          .replacing(
            "<target>",
            with: "<seg-source><mrk mtype=\"seg\" mid=\"1\">x</mrk></seg-source><target><mrk mtype=\"seg\" mid=\"1\">"
          )
          .replacing(
            "</target>", with: "</mrk></target><alt-trans><source>Old</source><target>Alt</target></alt-trans>"
          ).utf8)
    case "Crowdin":
      return Array(
        text.replacing("<trans-unit ", with: "<trans-unit approved=\"yes\" xml:space=\"preserve\" ")
          .replacing("<target>", with: "<target state=\"final\">").utf8)
    case "Phrase":
      return Array(
        text.replacing("<target>", with: "<target state=\"signed-off\" state-qualifier=\"exact-match\">").utf8)
    case "Lokalise":
      return Array(
        text.replacing("App/Localizable", with: "App\\Localizable")
          .replacing("datatype", with: "product-name=\"Lokalise\" datatype").utf8)
    case "prefix":
      return Array(
        text.replacing("xmlns=", with: "xmlns:x=").replacing("</", with: "</x:").replacing("<", with: "<x:")
          .replacing("<x:/x:", with: "</x:").replacing("<x:?", with: "<?").utf8)
    default: return Array(text.utf8)
    }
  }

  @Test(
    "a bundle that was saved by another tool is imported like the original",
    arguments: ["Windows", "old Mac", "UTF-16", "memoQ", "Crowdin", "Phrase", "Lokalise", "prefix"])
  func tools(tool: String) throws {
    let plain = try project(Self.saved(by: "nothing"))
    #expect(try dragoman(["import", "de.xliff"], in: plain.path).status == 0)
    let expected = String(decoding: try plain.read("App/Localizable.xcstrings"), as: UTF8.self)
    #expect(expected.contains("Zwei\\nZeilen") && expected.contains("%lld Vögel"))
    let folder = try project(Self.saved(by: tool))
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    #expect(String(decoding: try folder.read("App/Localizable.xcstrings"), as: UTF8.self) == expected)
  }

  @Test("a plural form that import adds is reported with the reason: it was missing, untranslated or held")
  func filledForms() throws {
    func filled(_ one: String, _ arguments: String...) throws -> String {
      let text = Self.xliff.replacing("<target>%lld Vogel</target>", with: one)
      let folder = try project(Array(text.utf8))
      let end = try dragoman(["import", "de.xliff"] + arguments, in: folder.path)
      return end.output.split(separator: "\n").first { $0.contains("filled") }.map(String.init) ?? ""
    }
    let form = "App/Localizable.xcstrings: de: filled: \"%lld birds|==|plural.one\": "
    let shown = "; people see the source text until it is translated"
    #expect(try filled("<target>%@ Vogel</target>") == form + "its translation is held" + shown)
    #expect(try filled("<target>%lld Vogel</target>", "--skip", "key=%lld birds") == "")
    #expect(try filled("") == form + "without a translation in the bundle" + shown)
    let gone = Self.xliff.replacing(
      #/ *<trans-unit id="%lld birds\|==\|plural.one">.*?</trans-unit>\n/#.dotMatchesNewlines(), with: "")
    let folder = try project(Array(gone.utf8))
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(end.output.contains(form + "missing in the bundle" + shown), "\(end)")
  }

  @Test("a missing plural form is filled with the former text if that text was used for all numbers")
  func filledFromFormerText() throws {
    let former =
      #"      "localizations" : {\n        "de" : {"stringUnit" : {"state" : "translated", "value" : "%lld Piepmatz"}},\n"#
    let catalog = Self.catalog.replacing("      \"localizations\" : {\n", with: former.replacing("\\n", with: "\n"))
    let text = Self.xliff.replacing("<target>%lld Vogel</target>", with: "<target>%@ Vogel</target>")
    let folder = try project(Array(text.utf8), catalog: catalog)
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(
      end.output.contains("its translation is held; people see the former text for all numbers until it is translated"),
      "\(end)")
  }

  @Test("an id whose line break or Unicode normalization a tool changed is reported with the matching key")
  func alteredIDs() throws {
    let catalog = Self.catalog.replacing("\"Zebra\"", with: "\"Zébra\"")
    let text = Self.xliff.replacing("Two&#10;lines\"", with: "Two\nlines\"")
      .replacing("Zebra<", with: "Ze\u{301}bra<").replacing("\"Zebra\"", with: "\"Ze\u{301}bra\"")
    let folder = try project(Array(text.utf8), catalog: catalog)
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(end.status == 1)
    #expect(
      end.errors.hasPrefix(
        """
        App/Localizable.xcstrings: warning: the catalog has the key "Two\\nlines", but the bundle has "Two lines", which differs only in white space
          hint: return ids as they were exported: a line break or tab in an XML attribute that is not written as &#10; or &#9; is read as a space
        App/Localizable.xcstrings: warning: the catalog has the key "Zébra", but the bundle has "Ze\u{301}bra", which differs only in Unicode normalization
          hint: return ids as they were exported; the tool that wrote the bundle normalizes them
        2 taken,
        """), "\(end.errors)")
  }

  @Test("--language with a language that neither project nor bundles have is refused with the known languages")
  func languageOfNoBundle() throws {
    let folder = try project(Self.saved(by: "nothing"))
    for (argument, words) in [
      ("de_AT=de", "the bundles have no language de_AT; nothing was written; did you mean `de`? (de)"),
      ("pt-PT", "the bundles have no language pt-PT; nothing was written (de)"),
      ("de=de-CJ", "have the language de-CJ; nothing was written; did you mean `de`?"),
    ] {
      let end = try dragoman(["import", "de.xliff", "--language", argument], in: folder.path)
      #expect(end.status == 66 && end.errors.contains(words), "\(end.errors)")
      #expect(try folder.read("App/Localizable.xcstrings") == Array(Self.catalog.utf8))
    }
    try folder.write("", to: "App/de-CH.lproj/A.strings")
    #expect(try dragoman(["import", "de.xliff", "--language", "DE=de-CH"], in: folder.path).status == 0)
    #expect(String(decoding: try folder.read("App/Localizable.xcstrings"), as: UTF8.self).contains("\"de-CH\""))
  }

  @Test("a catalog whose entries were ordered by hand keeps its order")
  func order() throws {
    let folder = try project(Self.saved(by: "nothing"))
    _ = try dragoman(["import", "de.xliff"], in: folder.path)
    let text = String(decoding: try folder.read("App/Localizable.xcstrings"), as: UTF8.self)
    let places = try ["\"Zebra\"", "\"%lld birds\"", "\"Two\\nlines\""].map {
      try #require(text.range(of: $0)).lowerBound
    }
    #expect(places == places.sorted())
    let rest = text.split(separator: "\n").filter { !Self.catalog.contains($0) }
    #expect(rest.allSatisfy { !$0.contains("Zebra\"") || $0.contains("value") })
  }

  @Test("no file is written if import needs a new file and the project that must list it has merge conflicts")
  func newFileMidMerge() throws {
    let table = Self.xliff.replacing("App/Localizable.xcstrings", with: "App/en.lproj/T.strings")
    let folder = try project(Array(table.utf8))
    try folder.write("\"Zebra\" = \"Zebra\";\n", to: "App/en.lproj/T.strings")
    try folder.write("{\n<<<<<<< HEAD\n", to: "App.xcodeproj/project.pbxproj")
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(end.status == 65 && end.output.isEmpty, "\(end)")
    #expect(
      end.errors.contains(
        "error: nothing was written, because the import would create App/de.lproj/T.strings, and the project that must list it "
          + "cannot be read"), "\(end)")
    #expect(end.errors.contains("App.xcodeproj/project.pbxproj:2:1: error: conflict markers"), "\(end)")
    #expect(throws: (any Error).self) { try folder.read("App/de.lproj/T.strings") }
  }

  @Test("if a catalog has merge conflicts, its units are held with the location, and other catalogs are written")
  func midMerge() throws {
    let both = Self.xliff.replacing(
      "  </file>\n",
      with: "  </file>\n"
        + Self.xliff.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast(2)
        .joined(separator: "\n").replacing("App/Localizable", with: "App/Other") + "\n")
    let folder = try project(
      Array(both.utf8),
      catalog: Self.catalog.replacing("    \"Two", with: "<<<<<<< HEAD\n=======\n>>>>>>> theirs\n    \"Two"))
    try folder.write(Self.catalog, to: "App/Other.xcstrings")
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(end.status == 1, "\(end)")
    #expect(end.output.contains("App/Other.xcstrings: de: taken: \"Zebra\""), "\(end)")
    #expect(
      end.output.contains("App/Localizable.xcstrings: de: held: \"Zebra\": the project's file is unreadable"))
    #expect(end.output.contains("conflict markers of an unfinished merge"))
  }

  @Test("a reason that quotes several lines stays on one line, and a file without target-language is reported")
  func reasons() throws {
    let changed = try project(Array(Self.xliff.replacing("<source>Two", with: "<source>Three").utf8))
    let held = try dragoman(["import", "de.xliff"], in: changed.path)
    #expect(held.status == 1 && held.output.contains("the current source text “Two\\nlines”"), "\(held)")
    let without = try project(Array(Self.xliff.replacing(" target-language=\"de\"", with: "").utf8))
    let end = try dragoman(["import", "de.xliff"], in: without.path)
    #expect(end.status == 1 && end.output.contains("its file has no target-language"), "\(end)")
    #expect(!end.output.contains("pipeline"))
  }

  @Test(
    "a bundle without translations and a bundle that repeats the source are reported; a dry run reports that it wrote no files"
  )
  func nothingNew() throws {
    let bare = Self.xliff.split(separator: "<target>").map { part in
      part.split(separator: "</target>").last ?? ""
    }.joined()
    let untranslated = try project(Array(bare.utf8))
    let end = try dragoman(["import", "de.xliff"], in: untranslated.path)
    #expect(end.status == 1 && end.errors.contains("none of its 4 units has a translation"), "\(end)")
    #expect(
      end.errors.contains("4 without a translation") || end.output.contains("4 without a translation"), "\(end)")
    let same = Self.xliff.replacing("Zebra-de", with: "Zebra").replacing("Vogel", with: "bird").replacing(
      "Vögel", with: "birds"
    )
    .replacing("Zwei\nZeilen", with: "Two\nlines")
    let folder = try project(Array(same.utf8))
    let back = try dragoman(["import", "de.xliff", "--dry-run"], in: folder.path)
    #expect(back.errors.contains("the same as their source text"), "\(back)")
    #expect((back.output + back.errors).contains("Nothing was written."))
    #expect(String(decoding: try folder.read("App/Localizable.xcstrings"), as: UTF8.self) == Self.catalog)
  }

  @Test("a missing plural form is filled with the source text and reported, even if the language has another form")
  func filled() throws {
    // A unit without a target counts as missing.
    let one = Self.xliff.replacing("        <target>%lld Vögel</target>\n", with: "")
    let folder = try project(Array(one.utf8))
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(
      end.output.contains(
        "filled: \"%lld birds|==|plural.other\": without a translation in the bundle; people see the source text"),
      "\(end)")
  }
}
