import CatalogFormats
import Foundation
import Localization
import TestSupport
import Testing

/// A file for property tests of the formats. The file is either a few lines in this module or a real file of the corpus.
struct SampleFile: Sendable, CustomTestStringConvertible {
  var path: String
  /// The content; `nil` for a file of the corpus, whose content is read on demand.
  private var content: [UInt8]?

  /// - Parameter path: the path below `own`, the folder name that distinguishes these files from those of the corpus.
  init(_ path: String, _ text: String) { self.init(path, Array(text.utf8)) }

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = "own/" + path
    content = bytes
  }

  private init(corpus path: String) { self.path = path }

  var testDescription: String { path }
  var treePath: TreePath { TreePath(trusted: path) }
  func bytes() throws -> [UInt8] { try content ?? Array(SharedFolder.corpus.data(path)) }

  /// Returns the files with an extension: our own files, and the files of the corpus if the corpus exists.
  static func all(_ ending: String) -> [SampleFile] {
    (catalogs + tables + dictionaries + exports).filter { $0.path.hasSuffix(ending) } + corpus(ending)
  }

  /// Returns the files with an extension in the corpus, or no files if the corpus does not exist.
  static func corpus(_ ending: String) -> [SampleFile] {
    SharedFolder.corpus.paths(endingIn: ending).map(SampleFile.init(corpus:))
  }

  /// Expects that reprinting does not change the file. For a file that Xcode did not write, expects instead that reprinting changes the file, and
  /// that a second reprint changes nothing.
  /// - Parameter foreign: the ends of the paths of files that Xcode did not write, each with a text in the file that Xcode does not write.
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

@Suite struct SampleFileTests {
  @Test(
    "the corpus contains files of every format",
    .enabled(if: SharedFolder.corpus.isThere, "\(SharedFolder.corpus.notice)"),
    arguments: [".xcstrings", ".strings", ".stringsdict", ".xliff", ".xcloc/contents.json"])
  func corpus(ending: String) { #expect(!SampleFile.corpus(ending).isEmpty) }
}
