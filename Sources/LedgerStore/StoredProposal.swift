import FoundationEssentials
import Pipeline

/// The stored form of `parts`: a JSON array of digests. If the number of the pull request is known, the array also contains this number with the
/// prefix `#`; if the content is retired, the array contains `retired`. Earlier versions of Dragoman treat both as digests that no part has.
extension ProposedContent {
  private static let numberSign = "#"
  private static let retirement = "retired"

  init(mark: String, stored: String) throws {
    var parts = try JSONDecoder().decode(Set<String>.self, from: Data(stored.utf8))
    let numbers = parts.filter { $0.hasPrefix(Self.numberSign) }
    parts.subtract(numbers)
    let isRetired = parts.remove(Self.retirement) != nil
    self.init(
      mark: mark, parts: parts, number: numbers.first.flatMap { Int($0.dropFirst()) }, isRetired: isRetired)
  }

  func stored() throws -> String {
    let numbers = number.map { [Self.numberSign + String($0)] } ?? []
    let signs = numbers + (isRetired ? [Self.retirement] : [])
    return String(decoding: try JSONEncoder().encode(signs + parts.sorted()), as: UTF8.self)
  }
}
