package import CatalogFormats

/// The sources of earlier translations: the catalogs of the watched branches, the returns of vendors, and TMX files.
package struct RoundMemory: Sendable {
  /// Reads the TMX files that the pipeline file names.
  package var documents: @Sendable () async throws -> [TMXDocument]

  package init(documents: @escaping @Sendable () async throws -> [TMXDocument] = { [] }) { self.documents = documents }
}
