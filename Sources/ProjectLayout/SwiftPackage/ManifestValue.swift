import Localization
import SwiftSyntax

/// A value of a manifest as far as it can be told without running it.
struct ManifestValue {
  indirect enum Content {
    case text(String)
    case list([ManifestValue])
    case call(ManifestCall)
    case truth(Bool)
    /// `nil`, or an argument that is not given.
    case null
    /// Anything that only running the manifest would tell; the text says why, for people.
    case unknown(String)
  }

  var content: Content
  /// Where it is written.
  var position: AbsolutePosition

  init(_ content: Content, at position: AbsolutePosition) {
    self.content = content
    self.position = position
  }

  var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  var truth: Bool? {
    if case .truth(let truth) = content { truth } else { nil }
  }

  var call: ManifestCall? {
    if case .call(let call) = content { call } else { nil }
  }

  var isNull: Bool {
    if case .null = content { true } else { false }
  }

  var isUnknown: Bool {
    if case .unknown = content { true } else { false }
  }

  /// The elements; an unknown value is one unknown element, so that what is known of a list is kept.
  var elements: [ManifestValue]? {
    switch content {
    case .list(let elements): elements
    case .unknown: [self]
    default: nil
    }
  }

  /// As Swift's `+` would, with what is unknown kept as an unknown part.
  static func + (a: Self, b: Self) -> Self {
    switch (a.content, b.content) {
    case (.text(let first), .text(let second)) where first.utf8.count + second.utf8.count <= ManifestLimits.textBytes:
      return Self(.text(first + second), at: a.position)
    case (.list, .list), (.list, .unknown), (.unknown, .list):
      let joined = (a.elements ?? []) + (b.elements ?? [])
      guard joined.count <= ManifestLimits.elements else {
        return Self(.unknown("the list has more than \(ManifestLimits.elements) elements"), at: a.position)
      }
      return Self(.list(joined), at: a.position)
    case (.unknown, _): return a
    case (_, .unknown): return b
    default: return Self(.unknown("these two values cannot be joined"), at: a.position)
    }
  }
}

/// A call that makes a value of PackageDescription: `.target(name: "Kit")`, `Package(…)`, and members without arguments: `.v5`.
struct ManifestCall {
  /// The last component: `target`, `Package`; `init` where the type is left to the context.
  var name: String
  var arguments: [(label: String?, value: ManifestValue)]

  subscript(label: String) -> ManifestValue? {
    arguments.first { $0.label == label }?.value
  }

  /// The first argument that has no label.
  var unlabelled: ManifestValue? {
    arguments.first { $0.label == nil }?.value
  }

  mutating func set(_ label: String, to value: ManifestValue) {
    if let index = arguments.firstIndex(where: { $0.label == label }) {
      arguments[index].value = value
    } else {
      arguments.append((label, value))
    }
  }
}

/// What reading a manifest may cost. Far above any real manifest; a list doubled in a loop must not take the memory.
enum ManifestLimits {
  static let bytes = 4 << 20
  static let steps = 200_000
  static let depth = 48
  static let elements = 20_000
  static let textBytes = 1 << 16
  /// Bytes of all texts and lists that are made on the way; an element of a list counts as `elementBytes`.
  static let madeBytes = 64 << 20
  static let elementBytes = 8
}
