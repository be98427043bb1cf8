package import Localization

/// A cache for reading commits for the history and for reviews of pull requests. It reads from the cache of the stages and adds facts of files
/// to it, but does not replace the stored tree that the next commit is compared with: an old tree would make reading the next push slower.
package struct BackgroundCache: Cache {
  private let cache: any Cache
  private static let prefix = "history "

  package init(_ cache: any Cache) { self.cache = cache }

  package func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] {
    try cache.facts(for: blobs, version: version)
  }

  package func store(_ facts: [BlobID: [UInt8]], version: String) throws { try cache.store(facts, version: version) }

  package func recent(_ name: String) throws -> [UInt8]? {
    try cache.recent(Self.prefix + name) ?? cache.recent(name)
  }

  package func keep(_ bytes: [UInt8], as name: String) throws { try cache.keep(bytes, as: Self.prefix + name) }

  package func value(for key: String) throws -> [UInt8]? { try cache.value(for: key) }

  /// Does nothing: strings of old trees are seldom needed again, and would displace the strings of newer trees.
  package func setValue(_ value: [UInt8], for key: String) {}
}
