import SwiftFacts

/// Which parameter each argument goes to.
enum ArgumentMatching {
  /// - Parameter inAnyOrder: whether a label alone says where an argument goes (`@_anyOrder` of a stub).
  /// - Returns: the parameter's index for each argument; `nil` where the labels or the number do not fit.
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

  /// A trailing closure goes forward to the first parameter that can be a function and has to be given, else to the last that can.
  private static func trailing(from start: Int, in parameters: [Signature.Parameter], resolver: TypeResolver) -> Int? {
    var optional: Int?
    for index in parameters.indices where index >= start {
      guard isCallable(parameters[index].type, resolver) else {
        guard parameters[index].hasDefault || parameters[index].isVariadic else { return nil }
        continue
      }
      // A defaulted one is passed over where a later one must have the closure.
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
