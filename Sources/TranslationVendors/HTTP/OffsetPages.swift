internal import Localization

/// A list that a vendor gives in pages by offset, read whole although people add and delete elements meanwhile.
///
/// Each page begins with the last element of the page before. If another element is there, the list has shifted: an element that was never
/// shown would seem to be missing, so the list is read again.
enum OffsetPages {
  struct Page<Element: Sendable>: Sendable {
    var elements: [Element]
    var isLast: Bool
  }

  private static let mostReadings = 5

  /// - Parameters:
  ///   - operation: for the fault.
  ///   - mostPages: the maximum number of pages, more than any list has. It stops at a server whose list never ends.
  ///   - page: reads the page that begins at an offset.
  /// - Throws: a fault that may be tried again later, if the list does not keep still.
  static func read<Element: Sendable, ID: Hashable>(
    _ operation: String, id: (Element) -> ID, mostPages: Int, page: (Int) async throws -> Page<Element>
  ) async throws -> [Element] {
    for _ in 0..<mostReadings {
      if let found = try await readOnce(operation, id: id, mostPages: mostPages, page: page) { return found }
    }
    throw VendorError(
      kind: .protocolFault, at: operation,
      detail: "the list changed while it was read, \(mostReadings) times in a row. The next look reads it again")
  }

  /// - Returns: `nil` if the list shifted.
  private static func readOnce<Element: Sendable, ID: Hashable>(
    _ operation: String, id: (Element) -> ID, mostPages: Int, page: (Int) async throws -> Page<Element>
  ) async throws -> [Element]? {
    var found: [Element] = []
    var seen: Set<ID> = []
    var last: ID?
    var offset = 0
    for _ in 0..<mostPages {
      try Task.checkCancellation()
      let shown = try await page(offset)
      if let last, shown.elements.first.map(id) != last { return nil }
      found += shown.elements.filter { seen.insert(id($0)).inserted }
      if shown.isLast { return found }
      guard shown.elements.count > 1, let end = shown.elements.last else {
        throw VendorError(kind: .protocolFault, at: operation, detail: "a page of the list has fewer than two elements")
      }
      offset += shown.elements.count - 1
      last = id(end)
    }
    throw VendorError(kind: .protocolFault, at: operation, detail: "the list has more than \(mostPages) pages")
  }
}
