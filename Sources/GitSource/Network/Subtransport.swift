import CLibGit2

// Functions that our transports for libgit2 share. The structures that these functions create hold a reference to their owner until libgit2 frees
// them.

/// Returns the owner of a structure that libgit2 passes to a callback.
func owner<Owner: AnyObject>(_ pointer: UnsafeMutableRawPointer?, _ kind: Owner.Type) -> Owner? {
  unsafe pointer.map { unsafe Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue() }
}

func subtransport(
  _ pointer: UnsafeMutablePointer<git_smart_subtransport>?
) -> UnsafeMutablePointer<dragoman_subtransport>? {
  unsafe pointer.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: dragoman_subtransport.self) }
}

func stream(
  _ pointer: UnsafeMutablePointer<git_smart_subtransport_stream>?
) -> UnsafeMutablePointer<dragoman_stream>? {
  unsafe pointer.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: dragoman_stream.self) }
}

/// Creates a subtransport, with which libgit2 opens streams.
/// - Parameters:
///   - out: receives the subtransport.
///   - owner: the object for the callbacks. It is retained until the subtransport is freed.
///   - functions: the functions open, close and free.
func makeSubtransport(
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<git_smart_subtransport>?>?, of owner: some AnyObject,
  _ functions: git_smart_subtransport
) -> Int32 {
  let made = UnsafeMutablePointer<dragoman_subtransport>.allocate(capacity: 1)
  unsafe made.initialize(
    to: dragoman_subtransport(head: functions, owner: Unmanaged.passRetained(owner).toOpaque()))
  unsafe out?.pointee = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: git_smart_subtransport.self)
  return 0
}

func freeSubtransport<Owner: AnyObject>(_ pointer: UnsafeMutablePointer<git_smart_subtransport>?, _ kind: Owner.Type) {
  guard let own = unsafe subtransport(pointer) else { return }
  if let owner = unsafe own.pointee.owner { unsafe Unmanaged<Owner>.fromOpaque(owner).release() }
  unsafe own.deallocate()
}

/// Creates a stream for libgit2.
/// - Parameters:
///   - owner: the object for the callbacks. It is retained until the stream is freed.
///   - functions: the functions read, write and free, and the subtransport of the stream.
func makeStream(
  of owner: some AnyObject, _ functions: git_smart_subtransport_stream
) -> UnsafeMutablePointer<dragoman_stream> {
  let made = UnsafeMutablePointer<dragoman_stream>.allocate(capacity: 1)
  unsafe made.initialize(to: dragoman_stream(head: functions, owner: Unmanaged.passRetained(owner).toOpaque()))
  return unsafe made
}

/// Frees a stream, when libgit2 requests it.
/// - Parameter end: called before the reference to the owner is released.
func freeStream<Owner: AnyObject>(
  _ pointer: UnsafeMutablePointer<git_smart_subtransport_stream>?, _ kind: Owner.Type, _ end: (Owner) -> Void
) {
  guard let own = unsafe stream(pointer) else { return }
  if let owner = unsafe own.pointee.owner {
    let owned = unsafe Unmanaged<Owner>.fromOpaque(owner)
    unsafe end(owned.takeUnretainedValue())
    unsafe owned.release()
  }
  unsafe own.deallocate()
}

/// Copies bytes into libgit2's read buffer.
func hand(_ bytes: [UInt8], to buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: UnsafeMutablePointer<Int>?)
  -> Int32
{
  unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: bytes)
  unsafe count?.pointee = bytes.count
  return 0
}

func transportFailure(_ what: String) -> Int32 {
  unsafe git_error_set_str(Int32(GIT_ERROR_NET.rawValue), what)
  return -1
}
