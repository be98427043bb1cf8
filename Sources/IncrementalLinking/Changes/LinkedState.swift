import Localization
import SwiftFacts

/// The inputs of the last stored links of a project's targets. A new commit is compared with these inputs.
struct LinkedState {
  struct Target {
    /// The digest of all inputs of linking except the declarations and literals of files. Links with different frames cannot be compared.
    var frame: String
    /// The name of the `LinkRecord`.
    var record: String
  }

  /// The linked targets.
  var targets: [TargetID: Target] = [:]
  /// The interface digests of the files of each linked target and of its dependencies, in file order.
  var interfaces: [TargetID: [FactsDigest]] = [:]

  /// - Parameter bytes: the encoded state. For invalid bytes, the state is empty.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    guard let read = bytes.withUnsafeBufferPointer({ try? Self.read($0) }) else { return }
    self = read
  }

  private init() {}

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> LinkedState {
    var cursor = try FactsCursor(bytes)
    var state = LinkedState()
    for _ in 0..<(try cursor.count()) {
      let id = TargetID(rawValue: try cursor.string())
      state.targets[id] = Target(frame: try cursor.string(), record: try cursor.string())
    }
    for _ in 0..<(try cursor.count()) {
      let id = TargetID(rawValue: try cursor.string())
      var digests: [FactsDigest] = []
      for _ in 0..<(try cursor.count()) { digests.append(try cursor.digest()) }
      state.interfaces[id] = digests
    }
    guard cursor.left == 0 else { throw FactsCursor.Malformed() }
    return state
  }

  var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(targets.sorted { $0.key < $1.key }) { stream, entry in
      stream.string(entry.key.rawValue)
      stream.string(entry.value.frame)
      stream.string(entry.value.record)
    }
    stream.list(interfaces.sorted { $0.key < $1.key }) { stream, entry in
      stream.string(entry.key.rawValue)
      stream.list(entry.value) { $0.digest($1) }
    }
    return stream.finished()
  }
}
