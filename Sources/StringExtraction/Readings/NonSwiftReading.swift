import Localization
import SwiftParsing

/// The results of reading a target's sources other than Swift.
struct NonSwiftReading: Sendable {
  /// A part that was not read or not understood, so its strings are unknown.
  struct Gap: Hashable, Sendable {
    var reason: Diagnostic
    /// The catalog that lacks them; `nil`: any catalog of the target can.
    var catalog: TreePath?

    init(_ reason: Diagnostic, catalog: TreePath? = nil) {
      self.reason = reason
      self.catalog = catalog
    }
  }

  var strings: [FoundString] = []
  /// Diagnostics for people. The reasons for gaps are reported separately.
  var diagnostics: [Diagnostic] = []
  var gaps: [Gap] = []
}
