package import Localization

/// The automatic repairs of findings.
package struct AdviceFixes: Sendable {
  /// The repaired files.
  package private(set) var edits = TreeEdits()
  /// The findings that `edits` repairs.
  package private(set) var repaired: [AdviceFinding] = []

  /// Repairs findings. The changed files are in `edits`; no file is written.
  /// - Parameters:
  ///   - findings: the findings to repair. A finding without a repair, or whose repair overlaps another repair, is skipped.
  ///   - tree: the tree in which the findings were found.
  /// - Throws: `TreeError` if a file can no longer be read.
  package init(of findings: [AdviceFinding], in tree: any SourceTree) throws(TreeError) {
    let fixable = Dictionary(grouping: findings.filter { $0.fix != nil }, by: \.path)
    for (path, findings) in fixable {
      var bytes = try tree.read(path)
      var end = bytes.count
      var last: CodeFix?
      // Repairs are made from the end of the file, so earlier ranges stay valid.
      for finding in findings.sorted(by: { Self.start($0) > Self.start($1) }) {
        // The findings of both branches of a conditional expression share the repair of the call.
        if let last, finding.fix == last {
          repaired.append(finding)
          continue
        }
        guard let fix = finding.fix, fix.range.lowerBound >= 0, fix.range.upperBound <= end else { continue }
        bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
        end = fix.range.lowerBound
        last = fix
        repaired.append(finding)
      }
      edits.write(bytes, to: path)
    }
    repaired.sort(by: AdviceFinding.precedes)
  }

  private static func start(_ finding: AdviceFinding) -> Int { finding.fix?.range.lowerBound ?? 0 }
}
