internal import Localization

/// A reader of lists that are split into pages by offset. No element that exists during the whole reading is left out, even if people add and delete
/// other elements at the same time.
///
/// Each page must begin with the last element of the previous page. If a page is empty or begins with another element, the list has shifted, and an
/// element may have been skipped. The list is then read again.
enum OffsetPages {
  struct Page<Element: Sendable>: Sendable {
    var elements: [Element]
    var isLast: Bool
  }

  private static let mostReadings = 5

  /// Reads all elements of a list.
  /// - Parameters:
  ///   - operation: the operation, for error messages.
  ///   - mostPages: the maximum number of pages to read: more than any real list has. Without a limit, a faulty server could return pages forever.
  ///   - page: reads the page that begins at an offset.
  /// - Throws: `protocolFault` if the list shifts during each of several attempts, or has invalid or too many pages; the errors of `page`.
  static func read<Element: Sendable, ID: Hashable>(
    _ operation: String, id: (Element) -> ID, mostPages: Int, page: (Int) async throws -> Page<Element>
  ) async throws -> [Element] {
    for _ in 0..<mostReadings {
      if let found = try await readOnce(operation, id: id, mostPages: mostPages, page: page) { return found }
    }
    throw VendorError(
      kind: .protocolFault, at: operation,
      detail: "the list changed while it was read, \(mostReadings) times in a row. The next poll reads it again")
  }

  /// Reads all elements in one attempt.
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
