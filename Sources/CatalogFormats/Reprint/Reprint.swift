package import Localization
internal import StructuredText

/// Prints a file again from its parsed values, in Xcode's layout. The result shows whether Xcode wrote the file (cli.md `reprint`).
package enum Reprint {
  /// Returns whether a file of this name can be reprinted.
  package static func recognizes(_ path: TreePath) -> Bool {
    ["xcstrings", "xliff", "strings", "stringsdict"].contains(path.ending)
  }

  /// Prints a file again from its parsed values. Only the order of the keys (in XLIFF, of units and files) and the final newline of the
  /// original layout are kept. A String Catalog also keeps its encoding and its notation of U+2028, which only some versions of Xcode escape
  /// (xcode-formats.md A1.4). A `.strings` or `.stringsdict` file also keeps its encoding, or its binary form, and a `.strings` file in text form
  /// keeps its layout if it is one of Xcode's (xcode-formats.md F).
  /// - Throws: `InputFault` if the file cannot be read, if its values cannot be printed, or if its format is unknown.
  package static func reprint(_ bytes: [UInt8], at path: TreePath) throws(InputFault) -> [UInt8] {
    switch path.ending {
    case "xcstrings":
      // A UTF-8 byte order mark is part of the document but is not printed with the document's values, so the encoding adds it.
      return TextEncoding(sniffing: bytes).bytes(of: catalog(try CatalogTree(bytes, at: path)))
    case "xliff": return try XLIFF.reprint(bytes, at: path.text)
    case "strings":
      let printed = try StringsFile.read(bytes, at: path).reprinted()
      guard !printed.contains(0) || (try? StringsFile.read(printed, at: path)) != nil else {
        throw InputFault.otherEncoding(at: path, "printed again")
      }
      return printed
    case "stringsdict": return try TableList.read(bytes, at: path, limits: StringsFile.limits).reprinted(at: path)
    default:
      throw InputFault(
        Diagnostic(
          path: path.text, severity: .error,
          message: "reprint supports only .xcstrings, .strings, .stringsdict and .xliff files",
          hint: "use a file with one of these endings"))
    }
  }

  private static func catalog(_ tree: CatalogTree) -> [UInt8] {
    let document = tree.document
    var output: [UInt8] = []
    output.reserveCapacity(document.bytes.count + 64)
    JSONPrinter(.xcode(of: document)).print(document, into: &output) { object, _ in
      object == tree.strings ? nil : MemberOrder.reordered(object, of: document)
    }
    if document.bytes.last == UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
    return output
  }

  /// Returns the offset of the first byte at which two files differ; `nil` if they are equal.
  package static func firstDifference(_ a: [UInt8], _ b: [UInt8]) -> Int? {
    let count = min(a.count, b.count)
    let (left, right) = (a.span, b.span)
    for index in 0..<count where left[index] != right[index] { return index }
    return a.count == b.count ? nil : count
  }
}
