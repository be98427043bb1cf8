internal import Foundation
internal import Localization

extension SharedGlossary {
  /// The largest file that is read, in bytes.
  private static let limit = 16 << 20

  /// - Parameter path: absolute, or from the working directory. Not in a Git repository: its authors must not be able to write instructions
  ///   for a model.
  /// - Throws: `VendorError` if the file cannot be used.
  package init(at path: String) throws {
    let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let bytes: [UInt8]
    do { bytes = try OperatorFile.bytes(of: full, key: "", limit: Self.limit) } catch {
      throw VendorError(kind: .configuration, at: "glossary \(path)", detail: error.detail)
    }
    do {
      self.init(
        glossary: try Glossary.read(bytes, at: path).glossary, digest: ContentDigest.hexadecimal(of: bytes))
    } catch {
      throw VendorError(
        kind: .configuration, at: "glossary \(path)",
        detail: error.diagnostics.map { fault in
          (fault.line.map { "line \($0): " } ?? "") + fault.message + (fault.hint.map { " (\($0))" } ?? "")
        }.joined(separator: "; "))
    }
  }
}
