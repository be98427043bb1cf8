import FoundationEssentials
import Pipeline

/// The stored form of `parts`: a JSON array of digests. If the number of the pull request is known, the array also contains this number with the
/// prefix `#`. Earlier versions of Dragoman treat it as a digest that no part has.
extension ProposedContent {
  private static let numberSign = "#"

  init(mark: String, stored: String) throws {
    var parts = try JSONDecoder().decode(Set<String>.self, from: Data(stored.utf8))
    let numbers = parts.filter { $0.hasPrefix(Self.numberSign) }
    parts.subtract(numbers)
    self.init(mark: mark, parts: parts, number: numbers.first.flatMap { Int($0.dropFirst()) })
  }

  func stored() throws -> String {
    let numbers = number.map { [Self.numberSign + String($0)] } ?? []
    return String(decoding: try JSONEncoder().encode(numbers + parts.sorted()), as: UTF8.self)
  }
}
