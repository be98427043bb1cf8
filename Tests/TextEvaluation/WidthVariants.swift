/// The texts of a strings dictionary for several widths (`NSStringVariableWidthRuleType`; xcode-formats.md F).
package enum WidthVariants {
  /// Returns the width whose text is shown in the available room: the same width, else the next smaller width, else the smallest (Foundation,
  /// `variantFittingPresentationWidth`). If the room is unknown, returns the largest width.
  /// - Returns: `nil` if there are no widths.
  package static func width(fitting room: Int?, among widths: some Collection<Int>) -> Int? {
    guard let room else { return widths.max() }
    return widths.filter { $0 <= room }.max() ?? widths.min()
  }
}
