private import CLibCurl
internal import Synchronization

/// libcurl's multi handle. On threads other than the loop's, only `wake` may be called.
@safe
final class Multi: @unchecked Sendable {  // libcurl's rule above, kept by CurlLoop and Inbox
  private let handle: UnsafeMutableRawPointer

  init?() {
    guard let handle = unsafe curl_multi_init() else { return nil }
    unsafe self.handle = handle
  }

  /// Sets the number of idle connections that stay open.
  func keepConnections(_ count: Int) { _ = unsafe dragoman_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, count) }

  func perform() {
    var count: Int32 = 0
    _ = unsafe curl_multi_perform(handle, &count)
  }

  /// Returns the easy handle's id and libcurl's result code of the next transfer that has ended; `nil` if there is none.
  func nextFinished() -> (easy: UInt, code: CurlCode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(handle, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
      return unsafe (UInt(bitPattern: easy), CurlCode(rawValue: dragoman_curl_message_result(message).rawValue))
    }
    return nil
  }

  func poll(atMost milliseconds: Int) {
    _ = unsafe curl_multi_poll(handle, nil, 0, Int32(clamping: milliseconds), nil)
  }

  func add(_ easy: EasyHandle) -> Bool { unsafe curl_multi_add_handle(handle, easy.raw) == CURLM_OK }
  func remove(_ easy: EasyHandle) { _ = unsafe curl_multi_remove_handle(handle, easy.raw) }
  func wake() { _ = unsafe curl_multi_wakeup(handle) }
  func close() { _ = unsafe curl_multi_cleanup(handle) }
}

/// A queue of commands from other threads to the loop.
final class Inbox: Sendable {
  enum Command: Sendable {
    case start(Transfer), resume(Transfer), cancel(Transfer)
  }

  private struct State {
    var commands: [Command] = []
    var isClosed: Bool
  }

  private let multi: Multi?
  private let state: Mutex<State>

  /// - Parameter multi: the multi handle to wake; `nil` if libcurl could not be started. In that case every transfer fails.
  init(_ multi: Multi?) {
    self.multi = multi
    state = Mutex(State(isClosed: multi == nil))
  }

  /// Queues a command and wakes the loop.
  /// - Returns: whether the command was queued; `false` if the inbox is closed or libcurl could not be started.
  @discardableResult
  func post(_ command: Command) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.commands.append(command)
      // `wake` is called within the lock, because the loop needs the lock to see `isClosed` and frees the handle only afterwards.
      multi?.wake()
      return true
    }
  }

  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      multi?.wake()
    }
  }

  func take() -> ([Command], isClosed: Bool) {
    state.withLock { state in
      defer { state.commands = [] }
      return (state.commands, state.isClosed)
    }
  }
}
