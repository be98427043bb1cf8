private import Glibc

/// A search for installed programs that run as child processes.
enum SystemProgram {
  /// The folders that are searched for programs: the value of the variable PATH, or `/usr/bin:/bin` if it is not set.
  static var path: String { unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin" }

  /// Returns the path of a program.
  /// - Parameter package: the Debian package that contains the program, for the error message.
  static func find(_ name: String, package: String) throws(SystemFault) -> String {
    for folder in path.split(separator: ":") where unsafe access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw SystemFault(detail: "the program \(name) is missing. Install it (Debian: apt-get install \(package))")
  }
}
