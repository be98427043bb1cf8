import SwiftFacts

/// The parts of a type: the arguments of a nominal type, the elements of a tuple, the parameters of a function, or the types of a composition.
///
/// Types share their parts, so a few lines of code (`let b = (a, a)`, `let c = (b, b)` and so on) can create a type whose tree has 2^60 nodes. A list
/// stores the size of its tree, and replaces its elements with unknown types if the tree is larger than `mostNodes`. This limits the time for
/// visiting a type.
struct TypeList: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// The maximum size of a tree, which is far above the size of types in real code.
  static let mostNodes = 512

  let elements: [LinkedType]
  /// The number of nodes of the tree. An element that occurs several times is counted each time.
  let size: Int
  /// Whether the list contains a generic parameter.
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

  /// Returns a function type. A result that is too large becomes unknown.
  static func function(_ parameters: [LinkedType], _ result: LinkedType) -> LinkedType {
    .function(TypeList(parameters), result.bounded)
  }

  /// The number of nodes of the type's tree.
  var size: Int {
    switch self {
    case .nominal(_, let parts), .tuple(let parts, _), .composition(let parts): 1 + parts.size
    case .function(let parameters, let result): 1 + parameters.size + result.size
    case .dependent(let base, _), .metatype(let base): 1 + base.size
    case .generic, .unknown: 1
    }
  }

  /// The type, or `unknown` if its tree is too large.
  var bounded: LinkedType { size <= TypeList.mostNodes ? self : .unknown }
}
