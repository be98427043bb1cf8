/// The limits of a search through the history of a branch. Commits beyond these limits are not searched.
struct HistoryLimits {
  /// The maximum number of commits to visit.
  var commits = 500
  /// The maximum number of commits, or of versions of a catalog, to read.
  var readings = 32
}
