package import CatalogFormats

/// Earlier translations: in the catalogs of the watched branches, by vendors, and in TMX files.
package struct RoundMemory: Sendable {
  /// Reads the TMX files that the pipeline file names.
  package var documents: @Sendable () async throws -> [TMXDocument]

  package init(documents: @escaping @Sendable () async throws -> [TMXDocument] = { [] }) { self.documents = documents }
}
