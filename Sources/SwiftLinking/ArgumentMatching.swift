import SwiftFacts

/// The matching of a call's arguments to parameters.
enum ArgumentMatching {
  /// Matches the arguments of a call to parameters, by label and order.
  /// - Parameter inAnyOrder: whether only the label determines the parameter of an argument (`@_anyOrder` of a stub).
  /// - Returns: the index of the parameter for each argument; `nil` if the labels or the number of arguments do not match, or if no parameter can
  ///   take a trailing closure.
  static func match(
    _ arguments: [Argument], to parameters: [Signature.Parameter], inAnyOrder: Bool = false, resolver: TypeResolver
  ) -> [Int]? {
    if inAnyOrder { return matchInAnyOrder(arguments, to: parameters, resolver: resolver) }
    var matching: [Int] = []
    matching.reserveCapacity(arguments.count)
    var next = 0
    var filled = Set<Int>()
    for argument in arguments {
      if argument.isTrailing, argument.label == nil {
        guard let index = trailing(from: next, in: parameters, resolver: resolver) else { return nil }
        matching.append(index)
        filled.insert(index)
        next = index + 1
        continue
      }
      if argument.label == nil, let last = matching.last, parameters[last].isVariadic {
        matching.append(last)
        continue
      }
      guard
        let index = parameters.indices.first(where: { $0 >= next && parameters[$0].label == argument.label }),
        (next..<index).allSatisfy({ parameters[$0].hasDefault || parameters[$0].isVariadic || argument.isTrailing })
      else { return nil }
      matching.append(index)
      filled.insert(index)
      next = index + 1
    }
    for index in parameters.indices where !filled.contains(index) {
      guard parameters[index].hasDefault || parameters[index].isVariadic else { return nil }
    }
    return matching
  }

  private static func matchInAnyOrder(
    _ arguments: [Argument], to parameters: [Signature.Parameter], resolver: TypeResolver
  ) -> [Int]? {
    var matching: [Int] = []
    var open = Array(parameters.indices)
    for argument in arguments {
      let isUnlabelledClosure = argument.isTrailing && argument.label == nil
      guard
        let place = open.firstIndex(where: { index in
          isUnlabelledClosure
            ? isCallable(parameters[index].type, resolver) : parameters[index].label == argument.label
        })
      else { return nil }
      matching.append(open.remove(at: place))
    }
    return open.allSatisfy { parameters[$0].hasDefault || parameters[$0].isVariadic } ? matching : nil
  }

  /// Returns the index of the parameter of a trailing closure: the first parameter that can be a function and has no default, or, if there is none,
  /// the first that can be a function and has a default. Returns `nil` if there is neither, or if the search reaches another parameter that needs an
  /// argument.
  private static func trailing(from start: Int, in parameters: [Signature.Parameter], resolver: TypeResolver) -> Int? {
    var optional: Int?
    for index in parameters.indices where index >= start {
      guard isCallable(parameters[index].type, resolver) else {
        guard parameters[index].hasDefault || parameters[index].isVariadic else { return nil }
        continue
      }
      // Skip a parameter with a default value if a later parameter needs the closure.
      if !parameters[index].hasDefault { return index }
      if optional == nil { optional = index }
    }
    return optional
  }

  private static func isCallable(_ type: LinkedType, _ resolver: TypeResolver) -> Bool {
    switch resolver.unwrapped(type) ?? type {
    case .function, .unknown, .dependent: true
    case .generic(let parameter): parameter.bounds.isEmpty
    default: false
    }
  }
}
