import Glibc
import Simulation

// Collections have the same order in every process only if hashing is deterministic.
if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  let path = "/proc/self/exe"
  let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
  execv(path, arguments)
  perror("start again with deterministic hashing")
  exit(71)
}
exit(SimulateCommand.run(Array(CommandLine.arguments.dropFirst())))
