import Localization
import StringExtraction
import Testing

/// A project with two targets, whose files are made from variants. Each step changes, removes or restores one file.
private struct ChangingProject {
  /// A file and its possible contents. `#` is replaced with a number that changes the bodies of the file.
  private static let files: [(path: TreePath, variants: [String])] = [
    ("Kit/Kit.swift", ["public func kit(_ text: LocalizedStringKey) {}", "public func kit(_ text: String) {}"]),
    (
      "Kit/Inner.swift", [#"func inner() { kit("inner #") }"#, #"func other() { let text = "no"; kit("other #") }"#]
    ),
    ("App/Row.swift", ["struct Row { var title: LocalizedStringKey }", "struct Row { var title: String }"]),
    (
      "App/Note.swift",
      [
        #"func note(_ text: LocalizedStringKey, _ more: LocalizedStringKey = "default #") { Text("noted #") }"#,
        #"func note(_ text: String, _ more: LocalizedStringKey = "default #") { Text("noted #") }"#,
        #"func note(text: LocalizedStringKey) {}"#,
      ]
    ),
    (
      "App/Use.swift",
      [
        #"func use() { _ = Row(title: "row #"); note("note #"); kit("kit #"); let s: Label = "alias #" }"#,
        #"let used = Row(title: "row #"); func use() { note("note #") }"#,
      ]
    ),
    ("App/Count.swift", ["let count = 3", "let count = 2.5", #"let count = "text #""#, "let count = makeCount()"]),
    ("App/Make.swift", ["func makeCount() -> Int { # }", #"func makeCount() -> String { "made #" }"#]),
    (
      "App/Shown.swift",
      [#"let shown = Text("count \(count) #")"#, #"let shown: LocalizedStringKey = "shown \(count)""#]
    ),
    (
      "App/Extension.swift",
      [
        #"extension Row { static let sample = Row(title: "sample #"); var line: LocalizedStringKey { "line #" } }"#,
        #"extension Row { var line: String { "line #" } }"#, "",
      ]
    ),
    (
      "App/Kind.swift",
      [#"enum Kind: LocalizedStringKey { case a = "raw #" }"#, #"enum Kind: String { case a = "raw #" }"#]
    ),
    ("App/Alias.swift", ["typealias Label = LocalizedStringKey", "typealias Label = String", "typealias Label ="]),
    (
      "App/Widget.swift",
      [
        #"import WidgetKit; func configure(_ c: some WidgetConfiguration) { c.configurationDisplayName("widget #") }"#,
        #"func configure(_ c: some WidgetConfiguration) { c.configurationDisplayName("widget #") }"#,
      ]
    ),
    (
      "App/Texts.swift",
      [
        #"let t = String(localized: "key #", defaultValue: "value # \(count)", table: "Table #", comment: "comment #")"#,
        ##"let t = NSLocalizedString("key #", tableName: "Birds", value: "#", comment: ""); let u = Text("\(count, specifier: "%#d")")"##,
      ]
    ),
    ("App/Script.swift", [#"Text("script #")"#, #"Text("\(Row.sample.line) #")"#]),
  ]

  private var choices = Self.files.map { _ in (variant: 0, number: 0) }
  private(set) var isThere = Self.files.map { _ in true }
  var random: TestRandom

  init(seed: UInt64) { random = TestRandom(state: seed) }

  /// Changes, removes or restores one file.
  mutating func step() {
    let file = Int.random(in: choices.indices, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: isThere[file].toggle()
    case 1..<5: choices[file].number += 1
    default:
      choices[file].variant = Int.random(in: Self.files[file].variants.indices, using: &random)
    }
  }

  var fixture: ExtractionFixture {
    var bytes: [TreePath: [UInt8]] = [:]
    for (index, file) in Self.files.enumerated() where isThere[index] {
      let text = file.variants[choices[index].variant].split(separator: "#", omittingEmptySubsequences: false)
      bytes[file.path] = Array(text.joined(separator: "\(choices[index].number)").utf8)
    }
    var fixture = ExtractionFixture(bytes: bytes)
    let target = fixture.project.targets[0]
    let entries = bytes.map { path, bytes in
      TreeEntry(path: path, kind: .file, blob: BlobID(rawValue: String(hexadecimal(bytes).prefix(40))))
    }.sorted { $0.path < $1.path }
    fixture.project.targets = ["App", "Kit"].map { name in
      var own = target
      own.id = TargetID(rawValue: name)
      own.name = name
      own.swiftSources = entries.filter { $0.path.isWithin(TreePath(trusted: name)) }
      own.dependencies = name == "App" ? [TargetID(rawValue: "Kit")] : []
      return own
    }
    return fixture
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.finishHexadecimal()
  }
}

/// A random number generator that gives the same numbers in every run (splitmix64).
struct TestRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite struct IncrementalTests {
  @Test("after any changes, the results with and without the cache are equal", arguments: [1, 2, 3, 4] as [UInt64])
  func sameAsCold(_ seed: UInt64) throws {
    var project = ChangingProject(seed: seed)
    let cache = MemoryFactCache()
    for step in 0..<40 {
      var fixture = project.fixture
      fixture.options.threads = 1 + step % 4
      let cold = try fixture.extract()
      let warm = try fixture.extract(cache: cache)
      #expect(warm.strings == cold.strings, "seed \(seed), step \(step)")
      #expect(warm.diagnostics == cold.diagnostics)
      #expect(warm.incompleteCatalogs == cold.incompleteCatalogs)
      let isSpoiled = step == 0 || step % 13 == 0
      #expect(isSpoiled || warm.parsedFiles <= 1)
      if step % 13 == 12 { cache.spoil() }
      if step % 13 != 12 { project.step() }
    }
  }

  private func extraction(_ files: [String: String], _ cache: MemoryFactCache) throws -> Extraction {
    var fixture = ExtractionFixture(files)
    fixture.project.targets[0].swiftSources = fixture.project.targets[0].swiftSources.map { entry in
      var digest = ContentDigest()
      digest.update(text: files[entry.path.text] ?? "")
      return TreeEntry(
        path: entry.path, kind: .file, blob: BlobID(rawValue: String(digest.finishHexadecimal().prefix(40))))
    }
    return try fixture.extract(cache: cache)
  }

  @Test(
    "a new text or position links no file, a changed body only its file, and a changed interface all affected files",
    arguments: [
      (#"func f(_ a: Int = 1) { Text("other") }"#, 0), (#"func f(_ a: Int = 2) { Text("text") }"#, 0),
      (#"func f(_ a: Int = 1) { Text("text", comment: "c") }"#, 1), (#"func f(_ a: Int = 1) { print("text") }"#, 1),
      (#"func f(_ a: Int = 1) { Text("") }"#, 1), (#"func f(_ a: Int = 1) { Text("a \(a)") }"#, 1),
      (#"func f(_ a: String = "") { Text("text") }"#, 1), (#"func g(_ a: Int = 1) { Text("text") }"#, 1),
      ("func f(_ a: Int = 1) { Text(\"text\") }\nlet x = 1", 1),
      ("func f(_ a: Int = 1) { Text(\"text\") }\nlet b = 1", 1),
      ("func f(_ a: Int = 1) { Text(\"text\") }\nstruct Text {}", 3),
      ("// Comment\n\nfunc f(_ a: Int = 1) { Text(\"text\") }", 0),
      ("import SwiftUI\nfunc f(_ a: Int = 1) { Text(\"text\") }", 1),
      ("import SpeziViews\nfunc f(_ a: Int = 1) { Text(\"text\") }", 3),
    ])
  func linksWhatCanHaveChanged(_ source: String, _ linked: Int) throws {
    let cache = MemoryFactCache()
    var files = ["A.swift": #"func f(_ a: Int = 1) { Text("text") }"#, "B.swift": "let b = Text(\"b\")", "C.swift": ""]
    #expect(try extraction(files, cache).linkedFiles == 3)
    #expect(try extraction(files, cache).linkedFiles == 0)
    files["A.swift"] = source
    let next = try extraction(files, cache)
    #expect(next.strings == (try extraction(files, MemoryFactCache()).strings))
    #expect(next.linkedFiles == linked)
    #expect(next.parsedFiles == 1)
  }
}
