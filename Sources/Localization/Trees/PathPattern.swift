/// A glob for paths of a tree: `*` matches any characters and `?` one character within a component, and `**` matches any number of components.
///
/// A pattern is anchored at the root of the tree. A pattern that matches a folder covers all paths below it: `Examples` and `Examples/**`
/// mean the same. Matching is case-sensitive. Characters are Unicode scalars, so a pattern must use the normalization that git stores.
package struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Component: Hashable {
    case anything
    case glob([Unicode.Scalar])
  }

  package let description: String
  private let components: [Component]

  /// Creates a pattern. Returns `nil` if the text is empty or `.`, is an absolute path, or contains `..` or a NUL, because such a pattern could never
  /// match.
  package init?(_ text: String) {
    guard let path = TreePath(checking: text), !path.isRoot, !TreePath.components(of: text).contains("..") else {
      return nil
    }
    description = text
    var components: [Component] = path.components.map { $0 == "**" ? .anything : .glob(Array($0.unicodeScalars)) }
    while components.count > 1, components.last == .anything { components.removeLast() }
    self.components = components
  }

  /// Returns whether the pattern matches the path or a folder above it.
  package func covers(_ path: TreePath) -> Bool {
    let names = path.components.map { Array($0.unicodeScalars) }
    return Self.matches(components[...], names[...])
  }

  private static func matches(_ pattern: ArraySlice<Component>, _ names: ArraySlice<[Unicode.Scalar]>) -> Bool {
    // This is dynamic programming: `reached[i]` is `true` if the pattern's first i components match the names read so far.
    var reached = [Bool](repeating: false, count: pattern.count + 1)
    reached[0] = true
    spreadOverNothing(pattern, &reached)
    for name in names {
      var next = [Bool](repeating: false, count: reached.count)
      for (index, component) in pattern.enumerated() where reached[index] {
        switch component {
        case .anything: next[index] = true
        case .glob(let glob): if Self.matches(glob, name) { next[index + 1] = true }
        }
      }
      spreadOverNothing(pattern, &next)
      if next[pattern.count] { return true }
      reached = next
    }
    return false
  }

  private static func spreadOverNothing(_ pattern: ArraySlice<Component>, _ reached: inout [Bool]) {
    for (index, component) in pattern.enumerated() where reached[index] && component == .anything {
      reached[index + 1] = true
    }
  }

  /// Returns whether a component of a pattern matches a name. After a mismatch, matching restarts only at the last star, so no pattern takes
  /// exponential time.
  private static func matches(_ glob: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Bool {
    var (g, n) = (0, 0)
    var star: (glob: Int, name: Int)?
    while n < name.count {
      if g < glob.count, glob[g] == "*" {
        star = (g, n)
        g += 1
      } else if g < glob.count, glob[g] == "?" || glob[g] == name[n] {
        g += 1
        n += 1
      } else if let last = star {
        star = (last.glob, last.name + 1)
        g = last.glob + 1
        n = last.name + 1
      } else {
        return false
      }
    }
    while g < glob.count, glob[g] == "*" { g += 1 }
    return g == glob.count
  }
}
