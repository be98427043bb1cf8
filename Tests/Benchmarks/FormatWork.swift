import CatalogFormats
import Foundation
import Localization
import StructuredText

/// An operation on a localization file, run in its own process. Its memory is measured from outside the process, and its time inside.
enum FormatWork: String {
  /// No work, to measure the cost of starting a process.
  case empty
  /// Parses only the syntax of the file.
  case parse
  /// Reads the file into the values of `Catalog`, as every command does with a catalog.
  case read
  /// Parses the file and prints it from its values, like `load` and `dump` of Python's `json`.
  case reprint
  /// Reads the file into a `Catalog` and prints the file without the original bytes.
  case rewrite
  /// Reads the file, changes one text of one language, and writes it as an edit of the bytes.
  case edit
  /// Parses an XLIFF file into exchange units.
  case units

  /// Runs the operation.
  /// - Returns: the median wall time of the rounds in seconds, including reading the file and writing the result.
  func seconds(file: String, output: String, rounds: Int) throws -> Double {
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      try perform(file: file, output: output)
      times.append((ContinuousClock.now - start).seconds)
    }
    return times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }

  private func perform(file: String, output: String) throws {
    guard self != .empty else { return }
    let bytes = try readFile(file)
    let path = TreePath(trusted: String(file.drop { $0 == "/" }))
    let files = CatalogFiles(bytes, at: path)
    // An XLIFF file is not a catalog, so only `units` and `reprint` support it.
    let format: any CatalogFormat = CatalogFormatRegistry.standard.format(for: path) ?? StringCatalogFormat()
    switch self {
    case .empty: break
    case .parse: try use(JSONDocument.parse(bytes))
    case .read: try use(format.read(files))
    case .reprint: try writeFile(FileContent(Reprint.reprint(bytes, at: path)), output)
    case .rewrite:
      let written = try format.write(format.read(files), over: CatalogFiles(nil, at: path))
      try writeFile(FileContent(written[path] ?? []), output)
    case .edit:
      var catalog = try format.read(files)
      try Self.changeOneText(of: &catalog)
      try writeFile(format.splice(catalog, over: files)[path] ?? FileContent([]), output)
    case .units: try use(XLIFF.read(bytes, at: file))
    }
  }

  /// Changes the text in one language of the first entry in the second half of the catalog that has a plain text.
  private static func changeOneText(of catalog: inout Catalog) throws {
    let source = catalog.sourceLanguage
    for index in catalog.entries.indices.dropFirst(catalog.entries.count / 2) {
      let translations = catalog.entries.values[index].translations
      for (language, translation) in translations where language != source || translations.count == 1 {
        guard case .text(let unit) = translation.text else { continue }
        catalog.entries.values[index].translations[language] = Translation(unit.value + " changed", state: unit.state)
        return
      }
    }
    throw BenchmarkFailure("the catalog has no text to change")
  }

  private func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }
}

/// Returns the bytes of a file without making a second copy of them.
private func readFile(_ path: String) throws -> [UInt8] {
  let file = try FileHandle(forReadingFrom: URL(filePath: path))
  let count = Int(try file.seekToEnd())
  return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    while filled < count {
      let got = pread(file.fileDescriptor, buffer.baseAddress.map { $0 + filled }, count - filled, filled)
      guard got > 0 else { throw BenchmarkFailure("\(path) cannot be read") }
      filled += got
    }
  }
}

private func writeFile(_ content: FileContent, _ path: String) throws {
  guard FileManager.default.createFile(atPath: path, contents: nil) else {
    throw BenchmarkFailure("\(path) cannot be written")
  }
  let file = try FileHandle(forWritingTo: URL(filePath: path))
  for run in content.runs {
    try run.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let put = write(file.fileDescriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        guard put > 0 else { throw BenchmarkFailure("\(path) cannot be written") }
        written += put
      }
    }
  }
}
