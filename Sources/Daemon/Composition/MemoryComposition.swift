import CatalogFormats
import FoundationEssentials
import Localization
import Pipeline
import TranslationVendors

/// Functions that set up the translation memory of a pipeline.
extension Composition {
  func memory(of definition: PipelineDefinition) -> RoundMemory? {
    guard let settings = definition.memory else { return nil }
    return RoundMemory { [readers] in
      try await readers.run { try settings.files.map(Self.document) }
    }
  }

  func memoryVendor(of definition: PipelineDefinition) -> [ConfiguredVendor] {
    guard let settings = definition.memory else { return [] }
    let name = definition.name
    let vendor = MemoryVendor(arrivesTranslated: settings.arrivesTranslated) { [weak registry] shipments in
      guard let context = registry?[name] else { throw CancellationError() }
      return try await context.translationMemory(for: shipments)
    }
    // The memory has no languages, because units are never routed to it.
    return [ConfiguredVendor(definition: VendorDefinition(kind: vendor.kind, languages: []), vendor: vendor)]
  }

  /// The largest TMX file that is read, in bytes.
  private static let limit = 256 << 20

  /// Checks a TMX file by reading it in the same way as rounds do.
  /// - Throws: `PipelineError` if the file cannot be used.
  static func checkMemory(at path: String) throws { _ = try document(at: path) }

  /// Reads a TMX file.
  /// - Throws: `PipelineError` if the file cannot be used. In this case nothing is sent to vendors, because the file may contain translations for
  ///   which a vendor would otherwise be paid.
  private static func document(at path: String) throws -> TMXDocument {
    let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    func fault(_ detail: String, _ diagnostics: [Diagnostic] = []) -> PipelineError {
      PipelineError(
        .unreadableInput, operation: "read the translation memory \(path)",
        detail: detail + ". Correct the file, or remove it from `memory.files`", disposition: .retry,
        diagnostics: diagnostics)
    }
    let bytes: [UInt8]
    do {
      bytes = try DirectoryStorage(root: "/").read(TreePath(trusted: String(full.dropFirst())), limit: limit)
    } catch let error as VendorError {
      throw fault(error.detail)
    }
    do { return try TMXDocument.read(bytes, at: path, limit: limit).document } catch {
      throw fault("it is not TMX", error.diagnostics)
    }
  }
}
