internal import HTTPTransport
internal import Pipeline
internal import TranslationVendors

/// Functions that read lists of numbered pages.
enum ForgePages {
  /// Reads pages until a page is not full, or until they have `limit` elements.
  /// - Parameter size: the number of elements of a full page.
  static func all<Element>(
    limit: Int, of size: Int, _ page: (Int) async throws -> [Element]
  ) async throws -> [Element] {
    var all: [Element] = []
    for number in 1...max(1, (limit + size - 1) / size) {
      let found = try await page(number)
      all += found
      if found.count < size { break }
    }
    return Array(all.prefix(limit))
  }

  enum Order { case oldest, newest }

  /// Reads up to 1,000 comments from each end of a list. The caller's comment is among the first comments, or among the last if it was added late.
  /// - Parameter page: reads one page of 100 comments. Its arguments are the number of the page, from 1, and the order of the list.
  static func comments(
    _ page: (Int, Order) async throws -> [PullRequestComment]
  ) async throws -> ReadComments {
    let (limit, size) = (1000, 100)
    let oldest = try await all(limit: limit, of: size) { try await page($0, .oldest) }
    guard oldest.count == limit else { return ReadComments(oldest) }
    let known = Set(oldest.map(\.id))
    var newest: [PullRequestComment] = []
    for number in 1...(limit / size) {
      let found = try await page(number, .newest)
      if number == 1, let first = found.first, known.contains(first.id), first.id != oldest.last?.id {
        // The server ignores the requested order.
        return ReadComments(oldest, isWhole: false)
      }
      newest += found.filter { !known.contains($0.id) }
      if found.count < size || found.contains(where: { known.contains($0.id) }) {
        return ReadComments(oldest + newest.reversed())
      }
    }
    return ReadComments(oldest + newest.reversed(), isWhole: false)
  }

  /// Returns the first wanted element; `nil` if the read pages have none. Reads pages until a page has a wanted element or is not full.
  /// - Parameters:
  ///   - size: the number of elements of a full page.
  ///   - pages: the maximum number of pages to read.
  static func first<Element>(
    of size: Int, atMost pages: Int, _ page: (Int) async throws -> [Element], where isWanted: (Element) -> Bool
  ) async throws -> Element? {
    for number in 1...pages {
      let found = try await page(number)
      if let wanted = found.first(where: isWanted) { return wanted }
      if found.count < size { break }
    }
    return nil
  }
}

extension VendorHTTP {
  /// Sends a change of an object, such as a comment, that may belong to another account.
  /// - Returns: `false` if the server refuses the change because of the account, or if the object no longer exists.
  func change(_ request: Request) async throws -> Bool {
    let response = try await send(request, accepting: [403, 404])
    return response.status != 403 && response.status != 404
  }
}
