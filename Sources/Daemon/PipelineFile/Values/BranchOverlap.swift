internal import Pipeline

extension BranchPattern {
  /// Returns whether some branch name matches both patterns.
  ///
  /// The search visits each pair of positions in the two patterns at most once, so its cost is limited even with many stars.
  func overlaps(_ other: BranchPattern) -> Bool {
    let one = PatternStep.steps(of: text)
    let two = PatternStep.steps(of: other.text)
    var seen = Set<Int>()
    var pending = [(0, 0)]
    while let (first, second) = pending.popLast() {
      guard seen.insert(first * (two.count + 1) + second).inserted else { continue }
      if first == one.count, second == two.count { return true }
      let left = first < one.count ? one[first] : nil
      let right = second < two.count ? two[second] : nil
      // A star can match zero bytes.
      if left?.isStar == true { pending.append((first + 1, second)) }
      if right?.isStar == true { pending.append((first, second + 1)) }
      if let left, let right, left.sharesByte(with: right) {
        pending.append((left.isStar ? first : first + 1, right.isStar ? second : second + 1))
      }
    }
    return false
  }
}

private enum PatternStep: Equatable {
  case byte(UInt8)
  /// `?`: one byte except a slash.
  case one
  /// `*`: any number of bytes except slashes.
  case star
  /// `**`: any number of bytes.
  case doubleStar

  static func steps(of text: String) -> [PatternStep] {
    var steps: [PatternStep] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "*"):
        if steps.last == .star { steps[steps.count - 1] = .doubleStar } else { steps.append(.star) }
      case UInt8(ascii: "?"): steps.append(.one)
      default: steps.append(.byte(byte))
      }
    }
    return steps
  }

  var isStar: Bool { self == .star || self == .doubleStar }

  func sharesByte(with other: PatternStep) -> Bool {
    let slash = UInt8(ascii: "/")
    switch (self, other) {
    case (.byte(let one), .byte(let two)): return one == two
    case (.byte(let byte), .one), (.byte(let byte), .star), (.one, .byte(let byte)), (.star, .byte(let byte)):
      return byte != slash
    default: return true
    }
  }
}
