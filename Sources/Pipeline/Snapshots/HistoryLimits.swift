/// The limits of a search in the history of a branch. Anything older stays unknown.
struct HistoryLimits {
  /// How many commits to visit.
  var commits = 500
  /// How many of them, or of the versions of a catalog in them, to read.
  var readings = 32
}
