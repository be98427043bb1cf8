/// A builder of a tree from operands and operators in source order, using Swift's precedence groups.
struct SequenceFolding {
  private enum Operator {
    case binary(String)
    case ternary(Expression)

    var precedence: Int {
      switch self {
      case .ternary: 2
      case .binary(let name): SequenceFolding.precedence(name)
      }
    }
  }

  private var operands: [Expression] = []
  private var operators: [Operator] = []

  private static func precedence(_ name: String) -> Int {
    switch name {
    case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=": 1
    case "||": 4
    case "&&": 5
    case "==", "!=", "<", ">", "<=", ">=", "===", "!==", "~=": 6
    case "??": 7
    case "...", "..<": 9
    case "+", "-", "&+", "&-", "|", "^": 10
    case "*", "/", "%", "&*", "&": 11
    case "<<", ">>": 12
    default: 3
    }
  }

  mutating func append(operand: Expression) {
    if operands.count > operators.count { operators.append(.binary("")) }
    operands.append(operand)
  }

  mutating func append(operator name: String) { push(.binary(name)) }
  mutating func append(ternary middle: Expression) { push(.ternary(middle)) }

  /// Appends `as` or `is` with its type. Only arithmetic, shift and range operators bind tighter than `as` and `is`, so such operators on the left
  /// are reduced first.
  mutating func append(cast target: TypeFact, isTest: Bool, isOptional: Bool) {
    reduce(above: 8)
    guard let operand = operands.popLast() else { return }
    operands.append(isTest ? .test(operand) : .cast(operand, target, isOptional: isOptional))
  }

  mutating func result() -> Expression {
    reduce(above: 0)
    return operands.first ?? .parts([])
  }

  private mutating func push(_ new: Operator) {
    let precedence = new.precedence
    // Assignment, `?:` and `??` are right-associative.
    let isRight = precedence <= 2 || precedence == 7
    reduce(above: isRight ? precedence : precedence - 1)
    operators.append(new)
  }

  private mutating func reduce(above floor: Int) {
    while let top = operators.last, top.precedence > floor, operands.count == operators.count + 1,
      let right = operands.popLast(), let left = operands.popLast()
    {
      operators.removeLast()
      switch top {
      case .binary(let name): operands.append(.binary(name, left, right))
      case .ternary(let middle): operands.append(.ternary(left, middle, right))
      }
    }
  }

}
