import CatalogFormats
import Foundation
import Localization
import Testing

/// The files under `Fixtures`, and the whole corpus where it lies beside the package.
enum Fixture {
  static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().appending(
    path: "Fixtures")
  static let corpus = folder.appending(path: "../../../../shared/corpus").standardizedFileURL

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: path))) }

  /// The files of an ending, fixtures first, then those of the corpus that are no fixtures; by path from their folder.
  static func all(_ ending: String) -> [FixtureFile] {
    let fixtures = files(in: folder, ending)
    let known = Set(fixtures.map(\.path))
    return fixtures + files(in: corpus, ending).filter { !known.contains($0.path) }
  }

  private static func files(in folder: URL, _ ending: String) -> [FixtureFile] {
    guard let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false)) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted().map {
      FixtureFile(path: $0, folder: folder)
    }
  }
}

struct FixtureFile: Sendable, CustomTestStringConvertible {
  var path: String
  var folder: URL

  var testDescription: String { path }
  var treePath: TreePath { TreePath(trusted: path) }
  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: path))) }
}

extension FixtureFile {
  /// Expects the file to print anew byte for byte; one that Xcode did not write to print otherwise, but then the same again.
  /// - Parameter foreign: the files that Xcode did not write, by the end of their path and the trace of it within.
  func expectReprint(foreign: [(name: String, trace: String)]) throws {
    let bytes = try bytes()
    let printed = try Reprint.reprint(bytes, at: treePath)
    let text = String(decoding: bytes, as: UTF8.self)
    if foreign.contains(where: { path.hasSuffix($0.name) && text.contains($0.trace) }) {
      #expect(Reprint.firstDifference(bytes, printed) != nil)
      #expect(try Reprint.reprint(printed, at: treePath) == printed)
    } else {
      #expect(Reprint.firstDifference(bytes, printed) == nil)
    }
  }
}

/// A generator that gives the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
