package import Localization
internal import StructuredText

/// Converts columns from UTF-8 bytes, which diagnostics use, to UTF-16 code units, which SARIF and editors use. Each file is read on first
/// use.
package final class UTF16Columns {
  private struct File {
    /// The file's content in UTF-8.
    var text: [UInt8]
    /// The offset at which each line starts. Only LF ends a line, as in `TextPosition`.
    var starts = [0]

    init(_ text: [UInt8]) {
      self.text = text
      let span = text.span
      for index in span.indices where span[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    }
  }

  private let tree: any SourceTree
  private var files: [TreePath: File?] = [:]

  package init(of tree: any SourceTree) { self.tree = tree }

  /// Converts a column of one line. A column after the end of the line is treated as the end of the line.
  /// - Parameters:
  ///   - column: the column in UTF-8 bytes, counted from 1.
  ///   - line: the line, counted from 1.
  /// - Returns: the column in UTF-16 code units, counted from 1; `nil` if the file cannot be read or has no such line.
  package func column(_ column: Int, ofLine line: Int, in path: TreePath) -> Int? {
    guard let file = file(at: path), line > 0, line <= file.starts.count, column > 0 else { return nil }
    let start = file.starts[line - 1]
    let end = line < file.starts.count ? file.starts[line] - 1 : file.text.count
    return String(decoding: file.text[start..<min(start + column - 1, end)], as: UTF8.self).utf16.count + 1
  }

  private func file(at path: TreePath) -> File? {
    if let known = files[path] { return known }
    let bytes = try? tree.read(path)
    let file = bytes.flatMap { try? TextEncoding(sniffing: $0).text(of: $0) }.map(File.init)
    files[path] = .some(file)
    return file
  }
}
