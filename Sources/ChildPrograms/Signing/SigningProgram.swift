internal import Localization

/// A runner of installed programs for signing, such as `gpg`.
enum SigningProgram {
  private static let deadline = Duration.seconds(30)
  private static let mostOutput = 1 << 16

  /// Writes the input to the program's standard input and returns its output. The call blocks while the program runs.
  /// - Parameter environment: all environment variables of the program, as `NAME=value` strings.
  /// - Returns: the standard output, cut off after 64 to 128 KiB, and the last 8000 bytes of the standard error output.
  static func run(
    _ executable: String, _ arguments: [String], environment: [String], input: [UInt8]
  ) throws(SigningFault) -> (output: String, words: String) {
    let name = executable.split(separator: "/").last.map(String.init) ?? executable
    let conversation: SSHConversation
    do {
      conversation = SSHConversation(
        try ChildProgram(executable: executable, arguments: arguments, environment: environment))
    } catch { throw SigningFault(.refused, "\(error.operation): \(error.detail)") }
    let end = ContinuousClock.now + deadline
    var output: [UInt8] = []
    do {
      try conversation.write(input, stall: deadline, end: end)
      conversation.finishWriting()
      while output.count < mostOutput { output += try conversation.readSome(1 << 16, stall: deadline, end: end) }
    } catch SSHEnd.ended {
      // This is the normal end: the program exits after it has written its output.
    } catch SSHEnd.timedOut {
      throw SigningFault(.noSignature, "\(name) did not sign within \(deadline)")
    } catch {
      throw SigningFault(.noSignature, "\(error)")
    }
    return (String(decoding: output, as: UTF8.self), conversation.words)
  }
}
