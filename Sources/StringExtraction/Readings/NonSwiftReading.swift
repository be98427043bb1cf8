import Localization
import SwiftParsing

/// The results of reading one or several of a target's sources other than Swift.
struct NonSwiftReading: Sendable {
  /// A part of a source whose strings are not fully known, for example because it could not be read or parsed, or because the table of a string is
  /// unknown.
  struct Gap: Hashable, Sendable {
    var reason: Diagnostic
    /// The catalog that may lack these strings; `nil` if any catalog of the target may lack them.
    var catalog: TreePath?

    init(_ reason: Diagnostic, catalog: TreePath? = nil) {
      self.reason = reason
      self.catalog = catalog
    }
  }

  var strings: [FoundString] = []
  /// Diagnostics that are not the reason for a gap.
  var diagnostics: [Diagnostic] = []
  var gaps: [Gap] = []
}
