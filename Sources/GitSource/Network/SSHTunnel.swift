import CLibGit2
import ChildPrograms
private import Glibc

/// A transport for libgit2 in the child process: git's protocol over the standard streams of the system's `ssh`.
///
/// Only one connection exists at a time, because libgit2 closes each connection before it opens the next. All calls may block forever, until the
/// parent kills the process group.
@safe final class SSHTunnel {
  private let invocation: SSHInvocation
  private var conversation: SSHConversation?
  /// The stream of the connection; `nil` if there is no connection. libgit2 requires the same stream for the list of references and the following
  /// transfer.
  private var current: UnsafeMutablePointer<dragoman_stream>?
  /// The reason why ssh could not be started; `nil` if it was started.
  private(set) var startFault: ChildProgramError?
  /// The message of ssh when the connection ended; empty if ssh sent none, `nil` if the connection has not ended.
  private(set) var lastWords: String?
  private(set) var hasReceived = false
  var responses = ServerResponses()
  /// The start of the server's data, which contains the format of its object ids.
  private var start: [UInt8] = []

  /// The first line of the server's data if the data does not begin with a packet line, for example because the account's shell printed a greeting;
  /// otherwise `nil`.
  var greeting: String? {
    guard !start.prefix(4).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    let lines = String(decoding: start, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.lazy.map { ServerWords.cleaned(String($0)) }.first { !$0.isEmpty }
  }

  init(_ invocation: SSHInvocation) { self.invocation = invocation }

  /// Whether the server uses object ids other than SHA-1.
  var usesOtherHash: Bool {
    let text = String(decoding: start, as: UTF8.self)
    return text.contains("object-format=") && !text.contains("object-format=sha1")
  }

  /// Creates libgit2's transport, which holds a reference to this object.
  func makeTransport(
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<git_transport>?>?, _ remote: OpaquePointer?
  ) -> Int32 {
    var definition = unsafe git_smart_subtransport_definition(
      callback: openTransport, rpc: 0, param: Unmanaged.passUnretained(self).toOpaque())
    return unsafe git_transport_smart(out, remote, &definition)
  }

  /// Returns the stream of the connection. If there is none, starts ssh; returns `nil` if ssh could not be started.
  fileprivate func stream(
    of transport: UnsafeMutablePointer<git_smart_subtransport>, for service: git_smart_service_t
  ) -> UnsafeMutablePointer<dragoman_stream>? {
    if let current = unsafe current { return unsafe current }
    let sends = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_UPLOADPACK
    do {
      conversation = SSHConversation(
        // ssh is in the group of this process, so the parent kills both together.
        try ChildProgram(
          executable: invocation.executable, arguments: sends ? invocation.uploadPack : invocation.receivePack,
          environment: invocation.environment, group: .inherited))
    } catch {
      startFault = error
      return nil
    }
    let made = unsafe makeStream(
      of: self,
      git_smart_subtransport_stream(
        subtransport: transport, read: readStream, write: writeStream, free: closeStream))
    unsafe current = made
    return unsafe made
  }

  fileprivate func forgetStream() { unsafe current = nil }

  /// Reads from ssh.
  /// - Returns: the next bytes; `nil` if the connection ended, or if the server sent an error or too much data.
  fileprivate func read(_ limit: Int) -> [UInt8]? {
    guard let conversation, !responses.isOver else { return nil }
    do {
      let bytes = try conversation.readSome(limit, stall: Self.day, end: .now + Self.day)
      hasReceived = true
      if start.count < 4096 { start += bytes.prefix(4096) }
      return responses.admit(bytes) ? bytes : nil
    } catch {
      note(error)
      return nil
    }
  }

  fileprivate func write(_ bytes: [UInt8]) -> Bool {
    guard let conversation else { return false }
    do {
      try conversation.write(bytes, stall: Self.day, end: .now + Self.day)
      return true
    } catch {
      note(error)
      return false
    }
  }

  fileprivate func close() { conversation = nil }

  private func note(_ error: any Error) {
    if case SSHEnd.ended(let words) = error { lastWords = words } else { lastWords = "" }
  }

  /// A limit that is never reached, because the parent's limits are much shorter.
  private static let day = Duration.seconds(86_400)
}

// The functions that libgit2 calls.

private func tunnel(_ pointer: UnsafeMutableRawPointer?) -> SSHTunnel? { unsafe owner(pointer, SSHTunnel.self) }

private let openTransport: git_smart_subtransport_cb = { out, _, parameter in
  guard let found = unsafe tunnel(parameter) else { return -1 }
  return unsafe makeSubtransport(
    out, of: found, git_smart_subtransport(action: openStream, close: closeTransport, free: freeTransport))
}

private let openStream:
  @convention(c) (
    UnsafeMutablePointer<UnsafeMutablePointer<git_smart_subtransport_stream>?>?,
    UnsafeMutablePointer<git_smart_subtransport>?, UnsafePointer<CChar>?, git_smart_service_t
  ) -> Int32 = { out, transport, _, service in
    guard let transport = unsafe transport, let found = unsafe tunnel(subtransport(transport)?.pointee.owner),
      let stream = unsafe found.stream(of: transport, for: service)
    else { return transportFailure("ssh could not be started") }
    unsafe out?.pointee = unsafe UnsafeMutableRawPointer(stream).assumingMemoryBound(
      to: git_smart_subtransport_stream.self)
    return 0
  }

private let closeTransport: @convention(c) (UnsafeMutablePointer<git_smart_subtransport>?) -> Int32 = { transport in
  unsafe tunnel(subtransport(transport)?.pointee.owner)?.close()
  return 0
}

private let freeTransport: @convention(c) (UnsafeMutablePointer<git_smart_subtransport>?) -> Void = { transport in
  unsafe freeSubtransport(transport, SSHTunnel.self)
}

private let readStream:
  @convention(c) (
    UnsafeMutablePointer<git_smart_subtransport_stream>?, UnsafeMutablePointer<CChar>?, Int,
    UnsafeMutablePointer<Int>?
  ) -> Int32 = { pointer, buffer, size, count in
    guard let bytes = unsafe tunnel(stream(pointer)?.pointee.owner)?.read(size) else {
      return transportFailure("the ssh connection ended")
    }
    return unsafe hand(bytes, to: buffer, size, count)
  }

private let writeStream:
  @convention(c) (UnsafeMutablePointer<git_smart_subtransport_stream>?, UnsafePointer<CChar>?, Int) -> Int32 = {
    pointer, buffer, count in
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count))
    let isWritten = unsafe tunnel(stream(pointer)?.pointee.owner)?.write(bytes) ?? false
    return isWritten ? 0 : transportFailure("the ssh connection ended")
  }

private let closeStream: @convention(c) (UnsafeMutablePointer<git_smart_subtransport_stream>?) -> Void = { pointer in
  unsafe freeStream(pointer, SSHTunnel.self) { $0.forgetStream() }
}
