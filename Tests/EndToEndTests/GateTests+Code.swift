import Foundation
import TestSupport
import Testing

/// Gates on catalogs that do not match the code.
extension GateTests {
  @Test(
    "sync --check fails if there is no catalog, and status --require fails if a catalog does not match the code"
  )
  func unseen() throws {
    let folder = try project()
    // The code uses the string again, but the catalog marks it as stale until the next sync. Until then, the string is not counted.
    let stale = Self.entry("Hello", [:]).replacing(
      "\"localizations\" : {  }", with: "\"extractionState\" : \"stale\"")
    try folder.write(Self.catalog([Self.entry("Bye", ["de": "Tschüss"]), stale]), to: Self.catalog)
    let gate = ["status", "--table", "Localizable", "--require", "100"]
    let revived = try dragoman(gate, in: folder.path)
    #expect(
      verdict(revived) == "FAIL 1 string of the code is stale in its catalog: \(Self.catalog): \"Hello\"", "\(revived)")
    #expect(revived.status == 1)
    // The text changed in code, but the catalog has the translation of the old text.
    let valued = Self.entry("Hello", ["de": "Hallo"]).replacing(
      "{ \"localizations\" : {",
      with:
        "{ \"extractionState\" : \"extracted_with_value\", \"localizations\" : { \"en\" : { \"stringUnit\" : "
        + "{ \"state\" : \"new\", \"value\" : \"Hi\" } },")
    try folder.write(Self.catalog([Self.entry("Bye", ["de": "Tschüss"]), valued]), to: Self.catalog)
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Bye\", bundle: .module)\n"
        + "let b = String(localized: \"Hello\", defaultValue: \"Good day\", bundle: .module)\n",
      to: "Sources/Kit/Kit.swift")
    let changed = try dragoman(gate, in: folder.path)
    #expect(
      verdict(changed) == "FAIL 1 source text in the code differs from that in the catalog: \(Self.catalog): \"Hello\"",
      "\(changed)")
    // No catalog has the strings of the code. The target has another catalog, so its strings still count.
    let other = "Sources/Kit/Resources/Other.xcstrings"
    try folder.write(
      Self.catalog([Self.entry("%lld", [:])]).replacing(
        "\"localizations\" : {  }", with: "\"extractionState\" : \"manual\""), to: other)
    try FileManager.default.removeItem(atPath: folder.file(Self.catalog))
    let without = try dragoman(["sync", "--check"], in: folder.path)
    #expect(verdict(without).hasPrefix("FAIL 2 strings of the code are in no catalog"), "\(without)")
    #expect(without.status == 1)
    #expect(verdict(without).hasSuffix("; `dragoman init` creates the catalog"), "\(without)")
    try folder.write("import Foundation\n", to: "Sources/Kit/Kit.swift")
    try FileManager.default.removeItem(atPath: folder.file("Sources/Tools/Resources/Tools.xcstrings"))
    try FileManager.default.removeItem(atPath: folder.file(other))
    let nothing = try dragoman(["sync", "--check"], in: folder.path)
    #expect(verdict(nothing) == "FAIL no String Catalog found" && nothing.status == 1, "\(nothing)")
  }

  @Test(
    "a string that is not in its .strings table fails the gate with the next step; sync does not change .strings files")
  func stringsTable() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    try folder.write("import Foundation\n", to: "Sources/Tools/Tools.swift")
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n"
        + "let b = String(localized: \"New\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    for language in ["en", "de"] {
      try folder.write("\"Hello\" = \"Hello\";\n", to: "Sources/Kit/Resources/\(language).lproj/Localizable.strings")
    }
    let end = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(
      verdict(end) == "FAIL 1 string of the code is in no catalog: Sources/Kit/Kit.swift:3: \"New\"; "
        + "add them to the files of the table, or let `dragoman convert` make a String Catalog of it", "\(end)")
  }

  @Test("a catalog outside all targets fails the gate, unless all its strings are manual")
  func apart() throws {
    let manual = "\"Name\" : { \"extractionState\" : \"manual\", \"localizations\" : { } }"
    for (entries, isKeptByHand) in [([manual], true), ([manual, "\"Birds\" : { }"], false)] {
      let folder = try project(["Store/AppStore.xcstrings": Self.catalog(entries)])
      let check = try dragoman(["sync", "--check"], in: folder.path)
      #expect((check.status == 0) == isKeptByHand, "\(check.output) \(check.errors)")
      let status = try dragoman(["status", "--require", "0"], in: folder.path)
      #expect(verdict(status).contains("no known target") != isKeptByHand)
    }
  }

  @Test(
    "strings of a target without a catalog fail the gate, unless another catalog has them; init creates the catalog")
  func targetWithoutCatalog() throws {
    let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Kit", defaultLocalization: "en",
        targets: [
          .target(name: "Kit", resources: [.process("Resources")]), .target(name: "More"),
          .testTarget(name: "MoreTests"),
        ])

      """
    let call = { (key: String) in "import Foundation\nlet a = String(localized: \"\(key)\", bundle: .module)\n" }
    let folder = try TemporaryFolder()
    try folder.write(manifest, to: "Package.swift")
    try folder.write(call("Bye"), to: "Sources/Kit/Kit.swift")
    try folder.write(Self.catalog([Self.entry("Bye", ["de": "Tschüss"])]), to: Self.catalog)
    try folder.write(call("Bye"), to: "Sources/More/More.swift")
    try folder.write(call("Only in a test"), to: "Tests/MoreTests/MoreTests.swift")
    let gates = [["status", "--require", "100"], ["sync", "--check"]]
    for gate in gates {
      let end = try dragoman(gate, in: folder.path)
      #expect(end.status == 0, "the key is in a catalog of the same table: \(end.output)\(end.errors)")
    }
    try folder.write(call("Hello"), to: "Sources/More/More.swift")
    for gate in gates {
      let end = try dragoman(gate, in: folder.path)
      #expect(end.status == 1 && verdict(end).hasPrefix("FAIL"), "\(gate): \(end.output)\(end.errors)")
      #expect(
        verdict(end).contains(
          "1 string of the code is in no catalog, because its target has none: Sources/More/More.swift:2: \"Hello\""),
        "\(end.output)")
    }
    let start = try dragoman(["init"], in: folder.path)
    #expect(
      start.output.hasPrefix("Sources/More/Resources/Localizable.xcstrings: created, with 1 string\n"), "\(start)")
    #expect(try dragoman(["sync", "--check"], in: folder.path).status == 0)
    #expect(try dragoman(["status", "--require", "100"], in: folder.path).output.hasPrefix("FAIL de 50 %"))
  }

  /// Returns a package whose code has the keys `Hello` and `New`, with these files in its folder of resources.
  private func table(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    try folder.write("import Foundation\n", to: "Sources/Tools/Tools.swift")
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n"
        + "let b = String(localized: \"New\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    for (file, text) in files { try folder.write(text, to: "Sources/Kit/Resources/\(file)") }
    return folder
  }

  @Test("a key that is only in files of target languages fails the gate")
  func onlyInOtherFiles() throws {
    let hello = "\"Hello\" = \"Hello\";\n"
    let folder = try table([
      "en.lproj/Localizable.strings": hello, "fr.lproj/Localizable.strings": hello,
      "de.lproj/Localizable.strings": hello + "\"New\" = \"Neu\";\n",
    ])
    for requirement in ["100", "de=100", "fr=0"] {
      let end = try dragoman(["status", "--require", requirement], in: folder.path)
      #expect(end.status == 1)
      #expect(
        verdict(end) == "FAIL 1 string of the code is only in the files of other languages: Sources/Kit/Kit.swift:3: "
          + "\"New\" (de); Sources/Kit/Resources/en.lproj/Localizable.strings, the file of the source language, lacks it: "
          + "add them to the files of the table, or let `dragoman convert` make a String Catalog of it", "\(end)")
    }
    try folder.write(hello + "\"New\" = \"New\";\n", to: "Sources/Kit/Resources/en.lproj/Localizable.strings")
    #expect(try dragoman(["status", "--require", "de=100"], in: folder.path).status == 0)
  }

  @Test("a key that is only in the stringsdict of the source language is counted")
  func heldByRules() throws {
    let rules = { (text: String) in
      """
      <plist version="1.0"><dict><key>New</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string>
      <key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
      <key>NSStringFormatValueTypeKey</key><string>lld</string>
      <key>one</key><string>\(text)</string><key>other</key><string>\(text)</string></dict></dict></dict></plist>
      """
    }
    let hello = "\"Hello\" = \"Hello\";\n"
    let folder = try table([
      "en.lproj/Localizable.strings": hello, "de.lproj/Localizable.strings": hello + "\"New\" = \"Neu\";\n",
      "en.lproj/Localizable.stringsdict": rules("%lld new"), "de.lproj/Localizable.stringsdict": rules("%lld neu"),
    ])
    let end = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    // German has the key only in its .stringsdict, which is enough.
    try folder.write(hello, to: "Sources/Kit/Resources/de.lproj/Localizable.strings")
    for arguments in [["status", "--require", "100"], ["check"]] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == 0 && !(end.output + end.errors).contains("New"), "\(end)")
    }
    try folder.write(
      "import Foundation\nlet b = String(localized: \"New\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    for language in ["en", "de"] {
      try FileManager.default.removeItem(
        atPath: folder.file("Sources/Kit/Resources/\(language).lproj/Localizable.strings"))
    }
    let alone = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(alone.status == 0, "\(alone)")
  }
}
