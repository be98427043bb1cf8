import Localization
import StringExtraction
import SwiftLinking
import Synchronization
import Testing

@Suite struct SourceStringExtractorTests {
  @Test("comments, tables and default values are read, and each comment is included once, in sorted order")
  func details() throws {
    let source = #"""
      let a = String(localized: "bird", table: "Birds", comment: "b")
      let b = Text("bird", tableName: "Birds", comment: "a")
      let c = Text("bird", tableName: "Birds", comment: "b")
      let d = String(localized: "key", defaultValue: "\(1) of \(2)")
      let e = NSLocalizedString("old", value: "Old", comment: "c")
      """#
    let strings = try ExtractionFixture(["A.swift": source]).extract().strings
    #expect(strings.map(\.catalog.text) == ["Birds.xcstrings", "Localizable.xcstrings", "Localizable.xcstrings"])
    #expect(strings.map(\.key.text) == ["bird", "key", "old"])
    #expect(strings.map(\.comment) == ["a\nb", nil, "c"])
    #expect(strings.map(\.value) == [nil, "%1$lld of %2$lld", "Old"])
    #expect(strings.first?.sites.map(\.line) == [1, 2, 3])
    #expect(strings.first?.sites.map(\.column) == [27, 14, 14])
    #expect(strings.map(\.sites[0].api) == ["String", "String", "NSLocalizedString"])
  }

  @Test("literals joined with + are one literal in NSLocalizedString and functions that settings name")
  func joinedLiterals() throws {
    let source = #"""
      let a = NSLocalizedString("one " + "two", comment: "said " + "twice")
      let b = message(
        "three, " +
          "four " + "and five", value: "3" + "45", comment: "")
      let c = NSLocalizedString("no" + name, comment: "no")
      let d = NSLocalizedString("no" + "no \(name)", comment: "no")
      let e = Text("no" + "no")
      """#
    var fixture = ExtractionFixture(["A.swift": source])
    fixture.options.macros = ["message"]
    let strings = try fixture.extract().strings
    #expect(strings.map(\.key.text) == ["one two", "three, four and five"])
    #expect(strings.map(\.comment) == ["said twice", nil])
    #expect(strings.map(\.value) == [nil, "345"])
    #expect(strings.map(\.sites[0].line) == [1, 3])
  }

  @Test("the functions named in the pipeline file are recognized, with comment, value and table")
  func macros() throws {
    var fixture = ExtractionFixture([
      "A.swift": #"let a = message("one", comment: "c"); let b = other("no", comment: "no"); let c = message(x)"#
    ])
    fixture.options.macros = ["message"]
    let strings = try fixture.extract().strings
    #expect(strings.map(\.key.text) == ["one"])
    #expect(strings.map(\.comment) == ["c"])
  }

  @Test("only declarations of a target and its dependencies are visible to its sources")
  func targets() throws {
    let files = [
      "Kit/Row.swift": "public struct Row { public init(_ key: LocalizedStringKey) {} }",
      "App/App.swift": #"let a = Row("one")"#, "Tool/main.swift": #"let a = Row("no")"#,
    ]
    var fixture = ExtractionFixture(files)
    func target(_ name: String, _ dependencies: [String] = []) -> ProjectTarget {
      ProjectTarget(
        id: TargetID(rawValue: name), name: name, kind: .folder, folder: TreePath(trusted: name),
        swiftSources: files.keys.filter { $0.hasPrefix(name + "/") }
          .map { TreeEntry(path: TreePath(trusted: $0), kind: .file) },
        dependencies: dependencies.map { TargetID(rawValue: $0) }, resourceFolder: TreePath(trusted: name))
    }
    fixture.project.targets = [target("App", ["Kit"]), target("Kit"), target("Tool")]
    let strings = try fixture.extract().strings
    #expect(strings.map(\.catalog.text) == ["App/Localizable.xcstrings"])
    #expect(strings.map(\.key.text) == ["one"])
  }

  @Test("a file that cannot be parsed is reported and makes its catalogs incomplete, and other files are extracted")
  func unreadable() throws {
    let good = Array(#"let a = Text("good")"#.utf8)
    let files: [TreePath: [UInt8]] = [
      "Good.swift": good, "Deep.swift": Array(String(repeating: "[", count: 1000).utf8),
      "Long.swift": Array(("let x = a" + String(repeating: ".b()", count: 100_000)).utf8),
      "Bytes.swift": Array("let a = \"".utf8) + [0xFF], "Empty.swift": [],
      "Mark.swift": [0xEF, 0xBB, 0xBF] + Array(#"let b = Text("mark")"#.utf8),
      "Return.swift": Array("let c = 1\r\nlet d = Text(\"return\")\r\n".utf8),
      "Broken.swift": Array("let e = Text(\"before\")\nfunc {{{ \nlet f = Text(\"after\"".utf8),
    ]
    let extraction = try ExtractionFixture(bytes: files).extract()
    #expect(Set(extraction.strings.map(\.key.text)).isSuperset(of: ["good", "mark", "return", "before"]))
    #expect(
      Set(extraction.diagnostics.map(\.path)) == ["Broken.swift", "Bytes.swift", "Deep.swift", "Long.swift"])
    #expect(extraction.diagnostics.allSatisfy { $0.line != nil && $0.column != nil })
    #expect(extraction.incompleteCatalogs.keys.sorted() == ["Birds.xcstrings", "Localizable.xcstrings"])
    let line = extraction.strings.first { $0.key == "return" }?.sites.first?.line
    #expect(line == 2)
  }

  @Test("catalogs whose keys may come from an unread source are incomplete, each with the reason")
  func incomplete() throws {
    #expect(try ExtractionFixture(["A.swift": "let a = 1"]).extract().incompleteCatalogs.isEmpty)
    let code = try ExtractionFixture(["A.swift": "let a = 1", "B.m": "/* open"]).extract().incompleteCatalogs
    #expect(code["Localizable.xcstrings"]?.map(\.path) == ["B.m"])
    let table = try ExtractionFixture(["A.swift": #"let a = NSLocalizedString("a", tableName: name, comment: "")"#])
      .extract()
    #expect(table.incompleteCatalogs["Birds.xcstrings"]?.first?.line == 1)
    var interface = ExtractionFixture(["A.swift": "let a = 1", "Base.lproj/Main.storyboard": ""])
    interface.project.catalogs = ["mul.lproj/Main.xcstrings", "InfoPlist.xcstrings"].map {
      ProjectCatalog(
        path: TreePath(trusted: $0), table: TreePath(trusted: $0).stem, sourceLanguage: "en",
        targets: [TargetID(rawValue: ".")])
    }
    #expect(try interface.extract().incompleteCatalogs.count == 2)
  }

  @Test("a fault in code does not make the catalog of a storyboard incomplete")
  func interfaceCatalog() throws {
    let storyboard = "<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB\"><scenes/></document>"
    var fixture = ExtractionFixture(["A.swift": "func {", "Base.lproj/Main.storyboard": storyboard])
    let catalog: TreePath = "mul.lproj/Main.xcstrings"
    fixture.project.targets[0].catalogs["Main"] = catalog
    fixture.project.catalogs.append(
      ProjectCatalog(path: catalog, table: "Main", sourceLanguage: "en", targets: [TargetID(rawValue: ".")]))
    #expect(try fixture.extract().incompleteCatalogs.keys.sorted() == ["Birds.xcstrings", "Localizable.xcstrings"])
  }

  @Test("each blob is parsed once; a blob with a damaged cache entry is parsed again, with the same result")
  func cached() throws {
    var fixture = ExtractionFixture(["A.swift": MechanismTests.extracted.map(\.source).joined(separator: "\n")])
    let blob = BlobID(rawValue: String(repeating: "a", count: 40))
    fixture.project.targets[0].swiftSources = [TreeEntry(path: "A.swift", kind: .file, blob: blob)]
    let cache = MemoryFactCache()
    let first = try fixture.extract(cache: cache)
    let second = try fixture.extract(cache: cache)
    cache.spoil()
    let third = try fixture.extract(cache: cache)
    #expect([first, second, third].map(\.parsedFiles) == [1, 0, 1])
    #expect(!first.strings.isEmpty && first.strings == second.strings && first.strings == third.strings)
  }

  @Test("a Core Data model and a Swift file with the same bytes do not share a cache entry")
  func emptyModel() throws {
    let model = TreePath(trusted: "M.xcdatamodeld/M.xcdatamodel/contents")
    var fixture = ExtractionFixture(["A.swift": "", model.text: ""])
    let blob = BlobID(rawValue: String(repeating: "e", count: 40))
    let files = ["A.swift", model].map { TreeEntry(path: $0, kind: .file, blob: blob) }
    let cache = MemoryFactCache()
    fixture.project.targets[0].swiftSources = [files[0]]
    #expect(try fixture.extract(cache: cache).diagnostics.isEmpty)
    fixture.project.targets[0].swiftSources = files
    for _ in 0..<2 {
      let extraction = try fixture.extract(cache: cache)
      #expect(extraction.diagnostics.map(\.path) == [model.text])
      #expect(!extraction.incompleteCatalogs.isEmpty)
    }
  }

  @Test("a regex literal that looks like a comment hides no keys")
  func regexLiterals() throws {
    let source = #"""
      func f() {
        if let m = t.wholeMatch(of: /\/\/\s*(.+)/) {  // inline
          g(m)
        } else if let m = t.wholeMatch(of: /\/\*+\s*(.+)\s*\*\//) {  // block
          g(m)
        }
        Text("regex")
      }
      """#
    let extraction = try ExtractionFixture(["A.swift": source]).extract()
    #expect(extraction.diagnostics.isEmpty)
    #expect(extraction.strings.map(\.key.text) == ["regex"])
  }

  @Test("the explanation contains the type to which a literal was resolved")
  func explains() throws {
    let fixture = ExtractionFixture(["A.swift": "let a = Text(\"taken\")\nlet b: String = \"taken\""])
    let found = try SourceStringExtractor().explain(
      "taken", in: fixture.project, from: fixture.tree, options: fixture.options, cache: nil)
    #expect(found.map(\.explanation.isTaken) == [true, false])
    #expect(found.map(\.explanation.type) == ["LocalizedStringKey", "String"])
  }

  @Test(
    "resolving cyclic declarations terminates",
    arguments: [
      "struct A { var b = A() }; let c = A().b", "class A: B {}; class B: A {}; let c = A().d()",
      "typealias A = B; typealias B = A; let c: A = \"no\"",
      "protocol P: P {}; extension P { func f() {} }; func g(_ p: P) { p.f() }",
      "struct A<T> { var b = A<A<T>>() }; let c = A<Int>().b.b", "let a = b; let b = a; let c = Text(a)",
      "struct A { let b = B() }; struct B { let a = A() }; let c = A().b.a.b",
      "extension A { struct A {} }; struct A { let a: A.A.A }",
      "func f() -> F { f() }; let x = f().y().z", "enum E: E { case a = \"no\" }",
    ])
  func circles(_ source: String) throws {
    let strings = try ExtractionFixture(["A.swift": source + "\nlet end = Text(\"end\")"]).extract().strings
    #expect(strings.map(\.key.text) == ["end"])
  }

  @Test("a truncated or changed encoding gives either the same facts or none")
  func damage() throws {
    let source = MechanismTests.extracted[2].source
    let whole = try #require(FactsProbe.encoded(source))
    for cut in stride(from: 0, to: whole.count, by: 7) { #expect(!FactsProbe.decodes(Array(whole.prefix(cut)))) }
    for index in stride(from: 0, to: whole.count, by: 5) {
      var bytes = whole
      bytes[index] ^= 0x55
      _ = FactsProbe.decodes(bytes)
    }
  }
}
