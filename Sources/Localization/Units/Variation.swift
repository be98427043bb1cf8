/// A plural category of CLDR: `one`, `few`, `other`. Any name is allowed, because files also contain other names (`=0`; xcode-formats.md A5).
package struct PluralCategory: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let zero = PluralCategory(rawValue: "zero")
  package static let one = PluralCategory(rawValue: "one")
  package static let two = PluralCategory(rawValue: "two")
  package static let few = PluralCategory(rawValue: "few")
  package static let many = PluralCategory(rawValue: "many")
  package static let other = PluralCategory(rawValue: "other")
  /// The six categories of CLDR, in their usual order.
  package static let all: [PluralCategory] = [.zero, .one, .two, .few, .many, .other]

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A device class that a text varies by: `iphone`, `mac`, `other` (xcode-formats.md A5). Any name is allowed, for future devices.
package struct Device: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let other = Device(rawValue: "other")
  /// The devices that Xcode supports.
  package static let all: [Device] = ["applevision", "applewatch", "appletv", "ipad", "iphone", "ipod", "mac", "other"]
    .map(Device.init(rawValue:))

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// One step from a text unit to one of its forms.
package enum VariationStep: Hashable, Sendable {
  case plural(PluralCategory)
  case device(Device)
  case substitution(String)
}

/// The path from a text unit to one of its forms. It is empty for a text without variations, and `substitutions.birds.plural.one` for a
/// form of a substitution.
package struct VariationPath: Hashable, Sendable, ExpressibleByArrayLiteral {
  package var steps: [VariationStep]
  package init(_ steps: [VariationStep]) { self.steps = steps }
  package init(arrayLiteral elements: VariationStep...) { self.steps = elements }
  package static let root = VariationPath([])
  package var isRoot: Bool { steps.isEmpty }
  package func appending(_ step: VariationStep) -> VariationPath { VariationPath(steps + [step]) }
}
