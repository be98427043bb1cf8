// The entry point for libFuzzer: `DRAGOMAN_FUZZ_SUBJECT=swift dragoman-fuzz [libFuzzer's options and folders]`. `make fuzz` builds and runs it.
import Foundation
import FuzzSubjects

private let subject: FuzzSubject = {
  let name = ProcessInfo.processInfo.environment["DRAGOMAN_FUZZ_SUBJECT"] ?? ""
  if let subject = FuzzSubject(rawValue: name) { return subject }
  print("set DRAGOMAN_FUZZ_SUBJECT to one of: \(FuzzSubject.allCases.map(\.rawValue).joined(separator: ", "))")
  exit(64)
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func examine(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do { try subject.examine(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
    // libFuzzer stores the input of a process that aborts. Standard error is unbuffered, so the finding is printed before the process aborts.
    FileHandle.standardError.write(Data("found: \(error)\n".utf8))
    abort()
  }
  return 0
}
