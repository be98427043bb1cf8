private import CDispatch
private import Glibc

/// Starts threads that belong neither to Swift's cooperative pool nor to libdispatch. They are for work that blocks its thread, such as loops that
/// wait in system calls, and for the threads of a pool.
package enum DetachedThread {
  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread that runs `body` once. The end of the thread cannot be awaited.
  /// - Parameter stack: the size of the thread's stack in bytes.
  /// - Returns: 0, or the system's error code if the thread could not be started; `body` is then released without being called.
  package static func start(stack: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stack)
    defer { pthread_attr_destroy(&attributes) }
    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    if code != 0 { start.release() }
    return code
  }
}
