private import Glibc

/// The reason why a program sends no more data.
package enum SSHEnd: Error {
  /// The program exited or closed its output. The value is the end of its standard error output.
  case ended(String)
  /// Nothing could be sent or received within the stall limit, or the whole operation took too long. In both cases, the value is the stall limit.
  case timedOut(Duration)
}

/// A conversation with a running program, such as `ssh`. Only one thread at a time may use it, but `kill` can be called on any thread. The program is
/// killed and reaped when this object is released.
@safe package final class SSHConversation: @unchecked Sendable {
  private let program: ChildProgram
  private var buffer: [UInt8] = []
  private var start = 0
  private var lastWords: [UInt8] = []
  private var errorsEnded = false

  /// - Parameter program: a running program, for example `ssh` with the arguments of an ``SSHCommand``.
  package init(_ program: ChildProgram) { self.program = program }

  deinit { program.end() }

  /// Kills the program. A call that waits for it then fails with ``SSHEnd/ended(_:)``.
  package func kill() { program.kill() }

  package func write(_ bytes: [UInt8], stall: Duration, end: ContinuousClock.Instant) throws {
    var left = bytes[...]
    while !left.isEmpty {
      guard let count = program.send(left) else { throw ended() }
      left = left.dropFirst(count)
      // Replies are read between writes, because a server stops reading while it cannot send.
      if count == 0, try wait(for: POLLIN | POLLOUT, stall: stall, end: end) & Int16(POLLIN) != 0 { try fill() }
    }
  }

  /// Closes the program's input.
  func finishWriting() { program.endInput() }

  /// Reads exactly `count` bytes.
  package func read(_ count: Int, stall: Duration, end: ContinuousClock.Instant) throws -> [UInt8] {
    while buffer.count - start < count { try more(stall, end) }
    return take(count)
  }

  /// Reads the available bytes, at least one and at most `limit`.
  package func readSome(_ limit: Int, stall: Duration, end: ContinuousClock.Instant) throws -> [UInt8] {
    if buffer.count == start { try more(stall, end) }
    return take(min(limit, buffer.count - start))
  }

  private func take(_ count: Int) -> [UInt8] {
    defer {
      start += count
      if start > 1 << 20 || start == buffer.count {
        buffer.removeFirst(start)
        start = 0
      }
    }
    return Array(buffer[start..<(start + count)])
  }

  private func more(_ stall: Duration, _ end: ContinuousClock.Instant) throws {
    _ = try wait(for: POLLIN, stall: stall, end: end)
    try fill()
  }

  private func fill() throws {
    let bytes = take(from: program.channel)
    guard !bytes.isEmpty else { throw ended() }
    buffer += bytes
  }

  /// Waits until the channel is ready for one of `events`, and collects output on standard error in the meantime.
  /// - Returns: the events that occurred.
  private func wait(for events: Int32, stall: Duration, end: ContinuousClock.Instant) throws -> Int16 {
    let limit = min(ContinuousClock.now + stall, end)
    while true {
      let left = ContinuousClock.now.duration(to: limit)
      guard left > .zero else { throw SSHEnd.timedOut(stall) }
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
      var places = [
        pollfd(fd: program.channel, events: Int16(events), revents: 0),
        pollfd(fd: errorsEnded ? -1 : program.errors, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&places, 2, Int32(clamping: milliseconds)) >= 0 || errno == EINTR else { throw ended() }
      if places[1].revents != 0 { takeWords() }
      if places[0].revents != 0 { return places[0].revents }
    }
  }

  /// Returns the error for a program that has closed its end of the channel. Waits at most 2 seconds for the rest of its standard error output.
  private func ended() -> SSHEnd {
    let limit = ContinuousClock.now + .seconds(2)
    while !errorsEnded, ContinuousClock.now < limit {
      var place = pollfd(fd: program.errors, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&place, 1, 100) > 0 { takeWords() }
    }
    return .ended(words)
  }

  /// The last 8000 bytes of the program's standard error output so far, without surrounding white space. The output of `ssh` also contains the
  /// server's messages.
  package var words: String {
    let text = String(decoding: lastWords, as: UTF8.self).drop { $0.isWhitespace }
    return String(text.prefix(upTo: text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex))
  }

  private func takeWords() {
    let bytes = take(from: program.errors)
    if bytes.isEmpty { errorsEnded = true }
    lastWords = Array((lastWords + bytes).suffix(8000))
  }

  private func take(from descriptor: Int32) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
