package import CatalogFormats

/// The TMX files of a pipeline's translation memory. The other sources of the memory are the catalogs of the watched branches and the
/// returns of vendors.
package struct RoundMemory: Sendable {
  /// Reads the TMX files that the pipeline file names.
  package var documents: @Sendable () async throws -> [TMXDocument]

  package init(documents: @escaping @Sendable () async throws -> [TMXDocument] = { [] }) { self.documents = documents }
}
