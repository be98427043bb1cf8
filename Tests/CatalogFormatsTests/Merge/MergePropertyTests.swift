import CatalogFormats
import Localization
import Testing

@Suite("Three-way merge of String Catalogs: properties of every merge")
struct MergePropertyTests {
  private static let rounds = 150

  private static func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> MergedFile {
    try MergeDriver.merge(MergeVersions(base: base, ours: ours, theirs: theirs), at: "App/Localizable.xcstrings")
  }

  @Test(
    "if one side changed only the layout, the merge has the other side's content; if one side is unchanged, the other side's bytes"
  )
  func identities() throws {
    var files = RandomCatalogFile(seed: 1)
    for _ in 0..<Self.rounds {
      let base = files.catalog()
      let (before, after) = (RandomCatalogFile.bytes(base), RandomCatalogFile.bytes(files.edited(base)))
      #expect(try Self.merge(before, before, after).bytes == after)
      #expect(try Self.merge(before, after, before).bytes == after)
      #expect(try Self.merge(before, after, after).bytes == after)
      // A newline at the end makes both sides differ from the base, so neither side is taken as a whole.
      let layout = before + [0x0A]
      let taken = try Self.merge(before, layout, after)
      #expect(taken.conflicts.isEmpty)
      #expect(taken.bytes == after + [0x0A])
      #expect(try Self.merge(before, after, layout).bytes == after + [0x0A])
    }
  }

  @Test("changes of different keys and languages are all applied, whichever side they are on")
  func disjoint() throws {
    var files = RandomCatalogFile(seed: 2)
    for _ in 0..<Self.rounds {
      let base = files.catalog()
      let keys = (0..<10).map { UnitKey("key \($0)") }
      let ours = files.edited(base, keys: Array(keys[..<4]))
      let theirs = files.edited(base, keys: Array(keys[4..<8]))
      var sides = [ours, theirs, ours]
      // The expected tree is ours with the other side's entries.
      for key in keys[4..<8] {
        sides[2] = sides[2].with("strings", sides[2]["strings"]?.with(key, theirs["strings"]?[key]))
      }
      for (number, language) in [(0, "de"), (1, "fr")] as [(Int, UnitKey)] {
        for key in [keys[8], keys[9], UnitKey("new \(number)")] {
          let entry = base["strings"]?[key] ?? .members([])
          let changed = files.edited(translation: entry["localizations"]?[language]) ?? files.translation()
          for side in [number, 2] {
            let strings = sides[side]["strings"] ?? .members([])
            let translations = (strings[key]?["localizations"] ?? .members([])).with(language, changed)
            let entry = (strings[key] ?? .members([])).with("localizations", translations)
            sides[side] = sides[side].with("strings", strings.with(key, entry))
          }
        }
      }
      let bytes = sides.map(RandomCatalogFile.bytes)
      for (ours, theirs) in [(bytes[0], bytes[1]), (bytes[1], bytes[0])] {
        let merged = try Self.merge(RandomCatalogFile.bytes(base), ours, theirs)
        #expect(merged.conflicts.isEmpty)
        #expect(String(decoding: merged.bytes, as: UTF8.self) == String(decoding: bytes[2], as: UTF8.self))
      }
    }
  }

  @Test("every new text of either side is in the merged file or in a reported conflict")
  func nothingLost() throws {
    var files = RandomCatalogFile(seed: 3)
    var conflicts = 0
    for _ in 0..<Self.rounds {
      let base = files.catalog()
      let (ours, theirs) = (files.edited(base), files.edited(base))
      let merged = try Self.merge(
        RandomCatalogFile.bytes(base), RandomCatalogFile.bytes(ours), RandomCatalogFile.bytes(theirs))
      conflicts += merged.conflicts.count
      let known = RandomCatalogFile.texts(base)
      let news = RandomCatalogFile.texts(ours).union(RandomCatalogFile.texts(theirs)).subtracting(known)
      let file = String(decoding: merged.bytes, as: UTF8.self)
      let told = merged.conflicts.map(\.conflict.description).joined(separator: "\n")
      for text in news {
        let mark = String(text.text.prefix { $0 != ">" }) + ">"
        #expect(file.contains(mark) || told.contains(mark), "\(mark)")
      }
      // Every key in the file comes from one of the sides.
      #expect(
        try StringCatalogFormat().read(merged.bytes, at: "x.xcstrings").entries.keys
          .allSatisfy { ours["strings"]?[$0] != nil || theirs["strings"]?[$0] != nil })
    }
    #expect(conflicts > Self.rounds)
  }

  @Test("exchanging the sides gives the same content without conflicts, and the same conflicts otherwise")
  func symmetry() throws {
    var files = RandomCatalogFile(seed: 4)
    var clean = 0
    for _ in 0..<Self.rounds {
      let base = files.catalog(keys: 3)
      let bytes = [base, files.edited(base), files.edited(base)].map(RandomCatalogFile.bytes)
      let one = try Self.merge(bytes[0], bytes[1], bytes[2])
      let other = try Self.merge(bytes[0], bytes[2], bytes[1])
      let places = { (file: MergedFile) in
        Set(file.conflicts.map { "\($0.conflict.key?.text ?? "") \($0.conflict.place)" })
      }
      #expect(places(one) == places(other))
      guard one.conflicts.isEmpty else { continue }
      clean += 1
      #expect(one.bytes == other.bytes)
    }
    #expect(clean > 20)
  }

  @Test("merging the result with either side again gives the same result")
  func settled() throws {
    var files = RandomCatalogFile(seed: 5)
    for _ in 0..<Self.rounds {
      let base = files.catalog()
      let bytes = [base, files.edited(base), files.edited(base)].map(RandomCatalogFile.bytes)
      let merged = try Self.merge(bytes[0], bytes[1], bytes[2]).bytes
      #expect(try Self.merge(bytes[1], merged, bytes[1]).bytes == merged)
      #expect(try Self.merge(bytes[2], bytes[2], merged).bytes == merged)
    }
  }
}
