internal import Localization
internal import StructuredText

/// The order of the keys in a property-list table, detected from the file: an order of Apple's tools, or the order in which people write the members
/// of an entry.
struct TableOrder: Sendable {
  /// The order of the top-level keys; `nil` if they are unsorted. If there is no order, new keys are appended.
  private let root: (@Sendable (String, String) -> Bool)?
  /// Whether the keys within entries are in code point order.
  private let sortsInner: Bool

  init(of list: PropertyListValue) {
    let members = list.dictionary ?? []
    root = Self.order(of: members.map(\.key))
    sortsInner = members.allSatisfy { Self.isSorted($0.value) }
  }

  /// Returns the first order of Apple's tools in which all keys are sorted; `nil` if there is none.
  static func order(of keys: [String]) -> (@Sendable (String, String) -> Bool)? {
    let orders: [@Sendable (String, String) -> Bool] = [
      { codePoints($0, $1) }, { CatalogOrder.precedes($0, $1) }, { UnitOrder.precedes($0, $1) },
    ]
    return orders.first { precedes in zip(keys, keys.dropFirst()).allSatisfy { !precedes($1, $0) } }
  }

  private static func codePoints(_ a: String, _ b: String) -> Bool {
    a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
  }

  private static func isSorted(_ value: PropertyListValue) -> Bool {
    guard let members = value.dictionary else { return true }
    return zip(members, members.dropFirst()).allSatisfy { !codePoints($1.key, $0.key) }
      && members.allSatisfy { isSorted($0.value) }
  }

  /// Returns a key's rank in the order in which people write the members of an entry or a variable.
  private static func rank(_ key: String) -> Int {
    switch key {
    case "NSStringLocalizedFormatKey": 0
    case "NSStringFormatSpecTypeKey": 2
    case "NSStringFormatValueTypeKey": 3
    case "zero": 4
    case "one": 5
    case "two": 6
    case "few": 7
    case "many": 8
    case "other": 9
    default: 1
    }
  }

  func precedes(_ a: String, _ b: String, level: Int) -> Bool {
    if level == 0 { return root?(a, b) ?? false }
    return sortsInner ? Self.codePoints(a, b) : Self.rank(a) < Self.rank(b)
  }

  func sorted(_ members: [TextDictionary.Member], level: Int) -> [TextDictionary.Member] {
    members.enumerated().sorted {
      precedes($0.element.key, $1.element.key, level: level)
        || (!precedes($1.element.key, $0.element.key, level: level) && $0.offset < $1.offset)
    }.map(\.element)
  }

  /// Returns the positions, in ascending order, at which to insert new members among the existing members. Each new member is inserted after the last
  /// existing member that does not have to follow it.
  func places(of added: [TextDictionary.Member], among keys: [String], level: Int) -> [(
    place: Int, members: [TextDictionary.Member]
  )] {
    let place = place(among: keys, level: level)
    var places: [Int: [TextDictionary.Member]] = [:]
    for member in sorted(added, level: level) { places[place(member.key), default: []].append(member) }
    return places.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the position at which to insert a key into a sorted list: before the first key that must follow it.
  static func place(of key: String, among keys: [String], _ precedes: (String, String) -> Bool) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(key, keys[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns a function that finds the position of a key without comparing it with every other key.
  private func place(among keys: [String], level: Int) -> (String) -> Int {
    guard level > 0 || root != nil else { return { _ in keys.count } }
    guard level > 0, !sortsInner else {
      // The order was detected, so all keys are in this order and a binary search is possible.
      return { key in Self.place(of: key, among: keys) { precedes($0, $1, level: level) } }
    }
    // The order that people use has few ranks. The position is after the last member of the same or a lower rank.
    var ends = [Int](repeating: 0, count: 10)
    for (index, key) in keys.enumerated() { ends[Self.rank(key)] = index + 1 }
    for rank in ends.indices.dropFirst() { ends[rank] = max(ends[rank], ends[rank - 1]) }
    return { ends[Self.rank($0)] }
  }
}
