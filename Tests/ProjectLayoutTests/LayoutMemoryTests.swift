import Localization
import ProjectLayout
import Synchronization
import Testing

/// A tree of texts that can be compared with related trees, and that counts how often it is read.
private struct FamilyTree: VersionedTree {
  final class Family: Sendable {
    let trees = Mutex<[[String: String]]>([])
    let reads = Mutex(0)
  }

  let family: Family
  let number: Int
  private let texts: [String: String]
  private let base: InMemoryTree

  init(_ texts: [String: String], of family: Family) {
    self.family = family
    self.texts = texts
    number = family.trees.withLock { trees in
      if let known = trees.firstIndex(of: texts) { return known }
      trees.append(texts)
      return trees.count - 1
    }
    base = InMemoryTree(texts: texts)
  }

  var id: String { String(number) }

  private func named(_ entry: TreeEntry) -> TreeEntry {
    entry.isFile
      ? TreeEntry(path: entry.path, kind: entry.kind, blob: BlobID(rawValue: texts[entry.path.text] ?? "")) : entry
  }

  func modifiedFiles(since earlier: String) -> [TreeEntry]? {
    guard let index = Int(earlier) else { return nil }
    let old = family.trees.withLock { $0[index] }
    guard Set(old.keys) == Set(texts.keys) else { return nil }
    return texts.filter { old[$0.key] != $0.value }.map { path, text in
      TreeEntry(path: TreePath(trusted: path), kind: .file, blob: BlobID(rawValue: text))
    }.sorted { $0.path < $1.path }
  }

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    family.reads.withLock { $0 += 1 }
    return try base.list(folder).map(named)
  }

  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { try base.entry(at: path).map(named) }

  func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    family.reads.withLock { $0 += 1 }
    return try base.read(path)
  }
}

@Suite("Remembered layouts")
struct LayoutMemoryTests {
  private static let texts = [
    "Package.swift": manifest("targets: [.target(name: \"Kit\", resources: [.process(\"Resources\")])]"),
    "Sources/Kit/Kit.swift": "let a = 1", "Sources/Kit/More.swift": "let b = 1",
    "Sources/Kit/Resources/Localizable.xcstrings": catalog("de"),
    "App/App.xcodeproj/project.pbxproj": pbxproj(), "App/Main.swift": "let c = 1", "App/Info.plist": "<plist/>",
  ]

  @Test(
    "if only code changed, the remembered layout is used without reading the tree, and files have their new ids"
  )
  func code() throws {
    let family = FamilyTree.Family()
    let layout = RepositoryLayout(remembers: true)
    _ = try layout.project(in: FamilyTree(Self.texts, of: family), excluding: [])
    var texts = Self.texts
    texts["Sources/Kit/Kit.swift"] = "let a = 2"
    let changed = FamilyTree(texts, of: family)
    family.reads.withLock { $0 = 0 }
    let told = try layout.project(in: changed, excluding: [])
    #expect(family.reads.withLock { $0 } == 0)
    #expect(try told == RepositoryLayout().project(in: changed, excluding: []))
    #expect(told["Kit"]?.swiftSources.map(\.blob?.rawValue) == ["let a = 2", "let b = 1"])
  }

  @Test("different exclusion patterns give a different layout")
  func excluded() throws {
    let layout = RepositoryLayout(remembers: true)
    let tree = FamilyTree(Self.texts, of: FamilyTree.Family())
    for excluded in [[], ["App"], []] {
      #expect(
        try layout.project(in: tree, excluding: excluded) == RepositoryLayout().project(in: tree, excluding: excluded))
    }
  }

  @Test("after any edits, additions and removals, the remembered layout equals a newly computed one", arguments: 0..<40)
  func edits(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % bound
    }
    let family = FamilyTree.Family()
    let layout = RepositoryLayout(remembers: true)
    var texts = Self.texts
    for _ in 0..<12 {
      switch next(8) {
      case 0:
        texts["Package.swift"] = manifest(
          "targets: [.target(name: \"Kit\"\(next(2) == 0 ? ", exclude: [\"More.swift\"]" : "")), .target(name: \"More\")]"
        )
      case 1: texts["Sources/Kit/Resources/Localizable.xcstrings"] = catalog(["de", "uk", "fr"][next(3)])
      case 2: texts["Sources/More/New\(next(3)).swift"] = "let x = \(next(3))"
      case 3: texts["Sources/More/New\(next(3)).swift"] = nil
      case 4: texts["App/App.xcodeproj/project.pbxproj"] = next(2) == 0 ? pbxproj() : "broken"
      case 5: texts["Sources/Kit/Kit.swift"] = "let a = \(next(3))"
      case 6: texts["App/Main.swift"] = "let c = \(next(3))"
      default: texts["App/Info.plist"] = "<plist>\(next(3))</plist>"
      }
      let tree = FamilyTree(texts, of: family)
      #expect(try layout.project(in: tree, excluding: []) == RepositoryLayout().project(in: tree, excluding: []))
    }
  }
}
