internal import Localization
internal import Synchronization

/// The answers of an engine, which are kept on disk until they are stored in the ledger, so no text is paid for twice.
///
/// Each vendor has one file in the state folder. The lines of the file are JSON objects that record shipments and answers, and their return or
/// deletion.
package final class EngineAnswers: Sendable {
  private struct Line: Codable {
    var shipment: String?
    var language: String?
    var source: String?
    var context: String?
    /// The unit's catalog; `nil` in lines of earlier versions.
    var catalog: String?
    var text: String?
    /// For an answer, whether the ledger contains it. For a shipment, whether its bundle was acknowledged.
    var isReturned: Bool?
  }

  /// A source text, with the catalog and the form of a unit to which the text belongs.
  package struct Source: Hashable, Sendable {
    package var text: String
    /// The unit's catalog; `nil` in lines of earlier versions.
    package var catalog: String?
    /// The id of the form in the catalog.
    package var context: String

    package init(_ text: String, catalog: String?, context: String) {
      self.text = text
      self.catalog = catalog
      self.context = context
    }

    /// The same source in the form that earlier versions stored: without the catalog.
    fileprivate var former: Source { Source(text, catalog: nil, context: context) }
  }

  private struct Key: Hashable {
    var language: String
    var source: Source

    var former: Key { Key(language: language, source: source.former) }
  }

  private struct State {
    var isRead = false
    var shipments: Set<String> = []
    var texts: [Key: String] = [:]
    /// Answers that were not returned, because other forms of their units have no answers yet.
    var unreturned: Set<Key> = []
    /// Answers that are stored in the ledger.
    var returned: Set<Key> = []
    var pending: [UInt8] = []
  }

  private let lines: StateLines
  private let state = Mutex(State())

  /// - Parameter vendor: the vendor's name, which is part of the file's name.
  package init(folder: String, vendor: String) {
    lines = StateLines(folder: folder, name: "answers", vendor: vendor)
  }

  /// Records a shipment. If a text is sent again although its answer is in the ledger, a person has discarded the answer. The stored answer is then
  /// deleted, and the text is requested again.
  /// - Parameter texts: the source texts of the shipment.
  /// - Returns: whether the shipment was already recorded.
  package func note(
    _ shipment: String, texts: [Source] = [], in language: String = ""
  ) throws -> Bool {
    try withState { state in
      guard state.shipments.insert(shipment).inserted else { return true }
      state.pending += try StateLines.bytes(of: Line(shipment: shipment))
      for text in texts {
        let key = Key(language: language, source: text)
        for key in [key, key.former] where state.returned.remove(key) != nil {
          state.texts[key] = nil
          state.pending += try StateLines.bytes(of: Self.line(key, text: nil, isReturned: nil))
        }
      }
      try write(&state)
      return false
    }
  }

  package func holds(_ shipment: String) throws -> Bool { try withState { $0.shipments.contains(shipment) } }

  package func text(for source: Source, in language: String) throws -> String? {
    let key = Key(language: language, source: source)
    return try withState { $0.texts[key] ?? $0.texts[key.former] }
  }

  /// Stores an answer; ``sync()`` makes it durable.
  package func keep(_ text: String, for source: Source, in language: String) throws {
    try withState { state in
      let key = Key(language: language, source: source)
      state.texts[key] = text
      state.pending += try StateLines.bytes(of: Self.line(key, text: text, isReturned: nil))
    }
  }

  /// Marks an answer as not returned yet, so the answer is kept when the last shipment is forgotten.
  package func retain(_ source: Source, in language: String) throws {
    let key = Key(language: language, source: source)
    try withState { $0.unreturned.formUnion([key, key.former]) }
  }

  package func sync() throws { try withState { try write(&$0) } }

  /// Deletes the record of a shipment. With the last shipment, all answers except the retained ones are deleted too, because they are in the ledger.
  /// Until then, another shipment may need the answers, so those in `texts` are only marked as returned.
  /// - Parameter texts: the translations that the ledger now contains, with their source texts.
  package func forget(_ shipment: String, texts: [(source: Source, text: String)] = []) throws {
    try withState { state in
      state.shipments.remove(shipment)
      guard state.shipments.isEmpty else {
        state.pending += try StateLines.bytes(of: Line(shipment: shipment, isReturned: true))
        var known: [Source: Set<String>] = [:]
        for (source, text) in texts {
          for source in [source, source.former] { known[source, default: []].insert(text) }
        }
        for (key, text) in state.texts where known[key.source]?.contains(text) == true {
          guard state.returned.insert(key).inserted else { continue }
          state.pending += try StateLines.bytes(of: Self.line(key, text: text, isReturned: true))
        }
        return try write(&state)
      }
      state.texts = state.texts.filter { state.unreturned.contains($0.key) }
      state.unreturned = []
      state.returned = []
      state.pending = []
      var kept: [UInt8] = []
      for (key, text) in state.texts { kept += try StateLines.bytes(of: Self.line(key, text: text, isReturned: nil)) }
      try lines.replace(kept)
    }
  }

  private static func line(_ key: Key, text: String?, isReturned: Bool?) -> Line {
    Line(
      language: key.language, source: key.source.text, context: key.source.context, catalog: key.source.catalog,
      text: text, isReturned: isReturned)
  }

  private func withState<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      if !state.isRead {
        for line in try lines.read(Line.self) { Self.add(line, to: &state) }
        state.isRead = true
      }
      return try body(&state)
    }
  }

  private static func add(_ line: Line, to state: inout State) {
    if let shipment = line.shipment {
      if line.isReturned == true { state.shipments.remove(shipment) } else { state.shipments.insert(shipment) }
    }
    if let language = line.language, let source = line.source, let context = line.context {
      let key = Key(language: language, source: Source(source, catalog: line.catalog, context: context))
      state.texts[key] = line.text
      if line.isReturned == true { state.returned.insert(key) } else { state.returned.remove(key) }
    }
  }

  private func write(_ state: inout State) throws {
    try lines.append(state.pending)
    state.pending = []
  }
}
