import Foundation
import TestSupport
import Testing

/// `dragoman memory`, which fills one project with the translations of another project.
struct MemoryTests {
  private func catalog(_ entries: String) -> String {
    "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(entries)\n  },\n  \"version\" : \"1.0\"\n}"
  }

  private func entry(_ key: String, _ german: String?) -> String {
    guard let german else { return "    \"\(key)\" : {\n\n    }" }
    return """
          "\(key)" : {
            "localizations" : {
              "de" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "\(german)"
                }
              }
            }
          }
      """
  }

  @Test("translations of one project are exported as TMX, used to fill another project, and imported there")
  func round() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      catalog([entry("Open", "Öffnen"), entry("Save", "Sichern")].joined(separator: ",\n")),
      to: "old/App/Localizable.xcstrings")
    try folder.write(
      catalog([entry("Close", "Schließen"), entry("New", nil), entry("Save", nil)].joined(separator: ",\n")),
      to: "new/App/Localizable.xcstrings")
    var end = try dragoman(["memory", "export", "old", "--output", "old.tmx"], in: folder.path)
    #expect(end.status == 0 && end.errors.contains("2 translations"), "\(end)")
    end = try dragoman(["memory", "fill", "new", "--from", "old.tmx", "--output", "filled"], in: folder.path)
    #expect(end.status == 0 && end.output == "de.xliff: 1 string filled\n", "\(end)")
    end = try dragoman(["import", "filled/de.xliff", "--project", "new"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    let written = try String(decoding: folder.read("new/App/Localizable.xcstrings"), as: UTF8.self)
    #expect(written.contains("\"state\" : \"needs_review\"") && written.contains("\"value\" : \"Sichern\""))
    #expect(written.contains("Schließen") && !written.contains("Öffnen"))
    // No text is left to fill.
    end = try dragoman(["memory", "fill", "new", "--from", "old.tmx", "--output", "again"], in: folder.path)
    #expect(end.status == 0 && end.output.isEmpty && end.errors.contains("no translation"), "\(end)")
  }

  @Test(
    "a TMX file without usable translations is reported with the reason",
    arguments: [
      ("en", "", "no unit has a translation"), ("fr", "Sichern", "no unit has a text in its source language, fr"),
    ])
  func nothingToTake(source: String, german: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(catalog(entry("Save", nil)), to: "new/App/Localizable.xcstrings")
    try folder.write(
      """
      <tmx version="1.4"><header srclang="\(source)"/><body><tu><tuv xml:lang="en"><seg>Save</seg></tuv>\
      <tuv xml:lang="de"><seg>\(german)</seg></tuv></tu></body></tmx>
      """, to: "t.tmx")
    let end = try dragoman(
      ["memory", "fill", "new", "--from", "t.tmx", "--from", "t.tmx", "--output", "filled"], in: folder.path)
    #expect(end.status == 0 && end.errors.contains("t.tmx: warning: \(message)"), "\(end)")
    #expect(end.errors.contains("correct srclang") == (source == "fr"), "\(end)")
  }

  @Test(
    "texts that XML cannot represent are skipped and reported with their location, and a TMX file given twice is read once"
  )
  func controls() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      catalog([entry("Open", "Öffnen"), entry("Save", "Si\\u0007chern")].joined(separator: ",\n")),
      to: "old/App/Localizable.xcstrings")
    var end = try dragoman(["memory", "export", "old", "--output", "old.tmx"], in: folder.path)
    #expect(
      end.status == 0
        && end.errors.contains(
          "App/Localizable.xcstrings:16:16: warning: skipped: the text in de contains a control character"),
      "\(end)")
    end = try dragoman(
      ["memory", "fill", "old", "--from", "old.tmx", "--from", "old.tmx", "--output", "filled"], in: folder.path)
    #expect(end.status == 0 && !end.errors.contains("old.tmx: warning"), "\(end)")
  }

  @Test("if a catalog is unreadable, the others are exported and filled, and the exit code is 65")
  func unreadableCatalog() throws {
    let folder = try TemporaryFolder()
    try folder.write(catalog(entry("Open", "Öffnen")), to: "old/App/Localizable.xcstrings")
    try folder.write(
      catalog([entry("Close", "Schließen"), entry("Open", nil)].joined(separator: ",\n")),
      to: "new/App/Localizable.xcstrings")
    for project in ["old", "new"] { try folder.write("{", to: "\(project)/Kit/Localizable.xcstrings") }
    var end = try dragoman(["memory", "export", "old", "--output", "old.tmx"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("old.tmx: 1 translation."), "\(end)")
    end = try dragoman(["memory", "fill", "new", "--from", "old.tmx", "--output", "filled"], in: folder.path)
    #expect(end.status == 65 && end.output == "de.xliff: 1 string filled\n", "\(end)")
    #expect(FileManager.default.fileExists(atPath: folder.file("filled/de.xliff")))
  }

  @Test("if a table's file of a language is unreadable, the exit code of memory export is 65")
  func unreadableLanguage() throws {
    let folder = try TemporaryFolder()
    for (language, text) in [("en", "\"a\" = \"a\";"), ("de", "\"a\" = \"a"), ("fr", "\"a\" = \"b\";")] {
      try folder.write(text, to: "App/\(language).lproj/Localizable.strings")
    }
    let end = try dragoman(["memory", "export", ".", "--output", "a.tmx"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("App/de.lproj/Localizable.strings:1:7: error"), "\(end)")
    #expect(end.errors.contains("a.tmx: 1 translation."), "\(end)")
  }

  @Test("a file that is not TMX is reported with its location, and no file is written")
  func faults() throws {
    let folder = try TemporaryFolder()
    try folder.write(catalog(entry("Save", nil)), to: "new/App/Localizable.xcstrings")
    try folder.write("<tmx>\n<body>", to: "broken.tmx")
    let end = try dragoman(["memory", "fill", "new", "--from", "broken.tmx", "--output", "filled"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("broken.tmx:2:"), "\(end)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("filled")))
    #expect(
      try dragoman(["memory", "fill", "new", "--from", "none.tmx", "--output", "f"], in: folder.path).status == 66)
  }
}
