import Localization
import SwiftParsing

/// What the sources of a target that are not Swift gave.
struct NonSwiftReading: Sendable {
  /// Something that was not read or not understood, and whose strings are therefore not known.
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
  /// What people should know; the reasons of gaps are told besides.
  var diagnostics: [Diagnostic] = []
  var gaps: [Gap] = []
}
