internal import Glibc
private import Localization
internal import Synchronization

/// A watch for new entries in folders, with inotify. All watched folders of the process share one descriptor and one thread.
final class DirectoryWatch: Sendable {
  static let shared = DirectoryWatch()

  private struct Listener {
    var note: @Sendable (String, DropArrival) -> Void
    var continuation: AsyncStream<Void>.Continuation
  }

  private struct State {
    var descriptor: Int32 = -1
    var next = 0
    /// The listeners, by the watch descriptor of their folder and by their own number. The system never reuses a watch descriptor.
    var listeners: [Int32: [Int: Listener]] = [:]
  }

  private let state = Mutex(State())

  private static let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)

  /// Watches a folder.
  /// - Returns: `nil` if the folder cannot be watched, for example because the system has no watches left. New entries are then only found by
  ///   polling.
  func changes(in path: String, note: @escaping @Sendable (String, DropArrival) -> Void) -> AsyncStream<Void>? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let place: (watch: Int32, id: Int)? = state.withLock { state in
      if state.descriptor < 0 {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard DetachedThread.start({ self.serve(descriptor) }) == 0 else {
          close(descriptor)
          return nil
        }
        state.descriptor = descriptor
      }
      let watch = inotify_add_watch(state.descriptor, path, Self.events)
      guard watch >= 0 else { return nil }
      state.next += 1
      state.listeners[watch, default: [:]][state.next] = Listener(note: note, continuation: continuation)
      return (watch, state.next)
    }
    guard let place else { return nil }
    continuation.onTermination = { [weak self] _ in self?.remove(place.id, from: place.watch) }
    return stream
  }

  private func remove(_ id: Int, from watch: Int32) {
    state.withLock { state in
      guard state.listeners[watch]?.removeValue(forKey: id) != nil, state.listeners[watch]?.isEmpty == true else {
        return
      }
      state.listeners[watch] = nil
      inotify_rm_watch(state.descriptor, watch)
    }
  }

  private func serve(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return
      }
      take(buffer[..<count])
    }
  }

  /// Parses records of `struct inotify_event`, and reports each to the listeners. A record consists of four 32-bit numbers (watch, mask, cookie,
  /// length) and a name padded with zeros.
  private func take(_ bytes: ArraySlice<UInt8>) {
    var at = 0
    bytes.withUnsafeBytes { bytes in
      while at + 16 <= bytes.count {
        let watch = bytes.loadUnaligned(fromByteOffset: at, as: Int32.self)
        let mask = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
        let length = Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
        let name = bytes[(at + 16)..<min(at + 16 + length, bytes.count)].prefix { $0 != 0 }
        tell(watch, mask, String(validating: Array(name), as: UTF8.self))
        at += 16 + length
      }
    }
  }

  private func tell(_ watch: Int32, _ mask: UInt32, _ name: String?) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      // Some events were lost, so all folders must be checked.
      for listener in state.withLock({ $0.listeners.values.flatMap(\.values) }) { listener.continuation.yield() }
      return
    }
    if mask & UInt32(IN_IGNORED) != 0 {
      // The folder was removed or its file system was unmounted.
      let ended = state.withLock { $0.listeners.removeValue(forKey: watch) }
      for listener in ended?.values.map(\.self) ?? [] { listener.continuation.finish() }
      return
    }
    let arrival: DropArrival =
      mask & UInt32(IN_MOVED_TO) != 0 ? .moved : mask & UInt32(IN_CLOSE_WRITE) != 0 ? .closed : .made
    for listener in state.withLock({ $0.listeners[watch]?.values.map(\.self) }) ?? [] {
      if let name { listener.note(name, arrival) }
      listener.continuation.yield()
    }
  }
}
