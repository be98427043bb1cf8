import Localization
import SwiftSyntax

/// A value in a manifest, as far as the value can be determined without running the manifest.
struct ManifestValue {
  indirect enum Content {
    case text(String)
    case list([ManifestValue])
    case call(ManifestCall)
    case truth(Bool)
    /// `nil`, or an omitted argument.
    case null
    /// A value that can only be determined by running the manifest, with the reason for diagnostics.
    case unknown(String)
  }

  var content: Content
  /// The position of the value in the manifest.
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

  /// The elements of a list; `nil` for any other known value. An unknown value counts as one unknown element, so the known elements of a joined list
  /// are kept.
  var elements: [ManifestValue]? {
    switch content {
    case .list(let elements): elements
    case .unknown: [self]
    default: nil
    }
  }

  /// Joins values like Swift's `+`. A list joined with an unknown value keeps its elements and gets an unknown element. Any other value joined with
  /// an unknown value is unknown.
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

/// A call that creates a value of PackageDescription (`.target(name: "Kit")`, `Package(…)`), or a member without arguments (`.v5`).
struct ManifestCall {
  /// The last component of the called name: `target`, `Package`; `init` if the type comes from the context.
  var name: String
  var arguments: [(label: String?, value: ManifestValue)]

  subscript(label: String) -> ManifestValue? {
    arguments.first { $0.label == label }?.value
  }

  /// The first argument without a label.
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

/// The limits for reading a manifest. Real manifests are far below them, but a list that is doubled in a loop must not exhaust the memory.
enum ManifestLimits {
  static let bytes = 4 << 20
  static let steps = 200_000
  static let depth = 48
  static let elements = 20_000
  static let textBytes = 1 << 16
  /// The maximum total size in bytes of all created texts and lists. An element of a list counts as `elementBytes`.
  static let madeBytes = 64 << 20
  static let elementBytes = 8
}
