internal import Foundation
internal import Localization

extension SharedGlossary {
  /// The maximum size of the file in bytes.
  private static let limit = 16 << 20

  /// Reads a glossary file.
  /// - Parameter path: an absolute path, or a path relative to the working directory. The file must not be in a Git repository, because
  ///   authors of a repository must not be able to give instructions to a model.
  /// - Throws: `VendorError` if the file cannot be used.
  package init(at path: String) throws {
    let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let bytes: [UInt8]
    do { bytes = try OperatorFile.bytes(of: full, key: "", limit: Self.limit) } catch {
      throw VendorError(kind: .configuration, at: "glossary \(path)", detail: error.detail)
    }
    do {
      let (glossary, diagnostics) = try Glossary.read(bytes, at: path)
      self.init(
        glossary: glossary, digest: ContentDigest.hexadecimal(of: bytes),
        skipped: diagnostics.filter { $0.severity != .note })
    } catch {
      throw Self.fault(error.diagnostics, at: path)
    }
  }

  /// Reads a glossary file, and accepts the file only if no part of it had to be ``skipped``.
  /// - Throws: `VendorError` if the file or a part of it cannot be used.
  package static func whole(at path: String) throws -> SharedGlossary {
    let read = try SharedGlossary(at: path)
    guard read.skipped.isEmpty else { throw fault(read.skipped, at: path) }
    return read
  }

  private static func fault(_ diagnostics: [Diagnostic], at path: String) -> VendorError {
    VendorError(
      kind: .configuration, at: "glossary \(path)",
      detail: diagnostics.map { fault in
        (fault.line.map { "line \($0): " } ?? "") + fault.message + (fault.hint.map { " (\($0))" } ?? "")
      }.joined(separator: "; "))
  }
}
