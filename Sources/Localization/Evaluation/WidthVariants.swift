/// The texts of a strings dictionary for several widths (`NSStringVariableWidthRuleType`; xcode-formats.md F).
package enum WidthVariants {
  /// The width whose text is shown where so much room is: the one that is asked for, else the next smaller one, else the
  /// smallest (Foundation, `variantFittingPresentationWidth`). Without a width it is the largest.
  /// - Returns: `nil` where there is none.
  package static func width(fitting room: Int?, among widths: some Collection<Int>) -> Int? {
    guard let room else { return widths.max() }
    return widths.filter { $0 <= room }.max() ?? widths.min()
  }
}
