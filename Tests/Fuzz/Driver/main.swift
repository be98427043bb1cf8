// Fuzzes one reader with libFuzzer: `dragoman-fuzz SUBJECT [libFuzzer's options and folders]`. `make fuzz` builds and runs it.
import FuzzSubjects
import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ examine: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

guard CommandLine.argc > 1, FuzzSubject(rawValue: CommandLine.arguments[1]) != nil else {
  print(
    "usage: dragoman-fuzz \(FuzzSubject.allCases.map(\.rawValue).joined(separator: "|")) [-max_total_time=60] [FOLDER]…"
  )
  exit(64)
}

let subject = FuzzSubject(rawValue: CommandLine.arguments[1])
// libFuzzer takes every argument that is no option for a folder of inputs, so it must not see the subject's name.
var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]

exit(
  runFuzzer(&count, &arguments) { start, length in
    do { try subject?.examine(Array(UnsafeBufferPointer(start: start, count: length))) } catch {
      // libFuzzer keeps the input of a process that aborts.
      print("found: \(error)")
      abort()
    }
    return 0
  })
