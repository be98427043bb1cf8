/// The private declarations at the top level of one file. Only code in the same file can see them.
final class FileScope {
  var types: [String: TypeEntry] = [:]
  var members: [String: [Member]] = [:]
}

extension Member {
  /// Returns whether code in a file can see the member. A private member can be seen only in the file that declares it.
  func isVisible(in file: FileScope?) -> Bool {
    guard isPrivate, let own = scope.file, let file else { return true }
    return own === file
  }
}
