/// A value that workers share. Its name is a digest of everything that the value depends on.
package struct SharedValue: Hashable, Sendable {
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Values that all workers of a fleet share: facts of files, and the strings of trees. A value may be lost or tampered with at any time:
/// `SharedCache` checks the values that it reads.
///
/// Calls block on the network, for at most a few seconds if there is no response.
package protocol SharedValues: Sendable {
  /// The location, without credentials, for messages.
  var place: String { get }

  /// Returns the key with which all workers seal values. Only workers can read the key.
  func key() throws -> [UInt8]

  /// Returns the values that are stored under these names. The number of requests does not grow with the number of names.
  func values(named names: [String]) throws -> [String: [UInt8]]

  /// Stores values together. Each value replaces a stored value with the same name.
  /// - Precondition: names are unique.
  func add(_ values: [SharedValue]) throws

  /// Deletes values that have not been used for a long time and, if more than `limit` bytes are stored, the least recently used values.
  func prune(to limit: Int) throws
}

/// Objects in a bucket that all workers share. Calls block.
package protocol PackBucket: Sendable {
  /// The location, without credentials, for messages.
  var place: String { get }

  /// Returns the contents of objects, except those that do not exist or are larger than `limit` bytes.
  func read(_ names: [String], limit: Int) throws -> [String: [UInt8]]

  func write(_ name: String, _ bytes: [UInt8]) throws

  /// Removes objects. It is not an error if an object does not exist.
  func remove(_ names: [String]) throws
}
