/// How far a search goes back in the history of a branch. What lies beyond stays unknown.
struct HistoryLimits {
  /// How many commits to look at.
  var commits = 500
  /// How many of them, or of the versions of a catalog in them, to read.
  var readings = 32
}
