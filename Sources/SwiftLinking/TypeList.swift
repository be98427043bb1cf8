import SwiftFacts

/// The parts of a type: the arguments of a nominal type, the elements of a tuple, the parameters of a function.
///
/// Types share their parts, so a few lines of code can make a type whose tree has 2^60 nodes: `let b = (a, a)`, `let c = (b, b)` and so
/// on. A list knows the size of its tree and forgets elements that make it larger than `mostNodes`, which bounds every walk over a type.
struct TypeList: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Far above the types of real code.
  static let mostNodes = 512

  let elements: [LinkedType]
  /// Nodes of the tree, elements that occur several times counted each time.
  let size: Int
  /// Whether a generic parameter occurs anywhere in it.
  let isGeneric: Bool

  init(_ elements: [LinkedType]) {
    var size = 0
    var isGeneric = false
    for element in elements {
      size += element.size
      isGeneric = isGeneric || element.isGeneric
      guard size <= Self.mostNodes else {
        self.elements = Array(repeating: .unknown, count: elements.count)
        self.size = elements.count
        self.isGeneric = false
        return
      }
    }
    self.elements = elements
    self.size = size
    self.isGeneric = isGeneric
  }

  init(arrayLiteral elements: LinkedType...) { self.init(elements) }

  var startIndex: Int { 0 }
  var endIndex: Int { elements.count }
  subscript(index: Int) -> LinkedType { elements[index] }
}

extension TypeList: Hashable {
  static func == (a: TypeList, b: TypeList) -> Bool { a.elements == b.elements }
  func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension LinkedType {
  static func nominal(_ nominal: Nominal, _ arguments: [LinkedType]) -> LinkedType {
    .nominal(nominal, TypeList(arguments))
  }

  static func tuple(_ elements: [LinkedType], labels: [String?]) -> LinkedType {
    .tuple(TypeList(elements), labels: labels)
  }

  static func composition(_ parts: [LinkedType]) -> LinkedType { .composition(TypeList(parts)) }

  /// A function type; a result that is too large is unknown.
  static func function(_ parameters: [LinkedType], _ result: LinkedType) -> LinkedType {
    .function(TypeList(parameters), result.bounded)
  }

  /// Nodes of its tree.
  var size: Int {
    switch self {
    case .nominal(_, let parts), .tuple(let parts, _), .composition(let parts): 1 + parts.size
    case .function(let parameters, let result): 1 + parameters.size + result.size
    case .dependent(let base, _), .metatype(let base): 1 + base.size
    case .generic, .unknown: 1
    }
  }

  /// The type, or `unknown` where its tree is too large.
  var bounded: LinkedType { size <= TypeList.mostNodes ? self : .unknown }
}
