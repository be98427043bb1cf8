private import CLibGit2
private import Dispatch
private import Glibc
private import Synchronization

/// Syncs files or folders at the same time. The disk then flushes its cache about once for all files instead of once for each file.
/// - Returns: the index of the first descriptor that could not be synced, and the value of `errno`; `nil` if all were synced.
func syncTogether(_ descriptors: [Int32]) -> (index: Int, code: Int32)? {
  if descriptors.count == 1 { return fsync(descriptors[0]) == 0 ? nil : (0, errno) }
  let failures = Mutex<[Int: Int32]>([:])
  let group = DispatchGroup()
  // Threads that wait for the disk need no processor. Therefore the number of queues does not depend on the number of processors.
  let queues = (0..<min(descriptors.count, 8)).map { DispatchQueue(label: "sync \($0)") }
  for (index, descriptor) in descriptors.enumerated() {
    queues[index % queues.count].async(group: group) {
      guard fsync(descriptor) != 0 else { return }
      let code = errno
      failures.withLock { $0[index] = code }
    }
  }
  group.wait()
  return failures.withLock { $0.min { $0.key < $1.key } }.map { ($0.key, $0.value) }
}

/// Syncs folders, which makes the names in them durable.
func syncFolders(_ paths: [String]) throws(GitError) {
  var descriptors: [Int32] = []
  defer { for descriptor in descriptors { _ = Glibc.close(descriptor) } }
  for path in paths {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw GitError(.disk, "sync \(path)", systemError()) }
    descriptors.append(descriptor)
  }
  if let failure = syncTogether(descriptors) {
    throw GitError(.disk, "sync \(paths[failure.index])", systemError(failure.code))
  }
  for path in paths { DiskStep.note(.folderSynced(path)) }
}

/// Syncs a folder, which makes the names in it durable.
func syncFolder(_ path: String) throws(GitError) { try syncFolders([path]) }

/// A step that makes files durable. Tests observe the order of these steps.
enum DiskStep: Hashable {
  /// The content of an object's file was synced.
  case synced(String)
  /// An object's file got its final name.
  case named(String)
  case folderSynced(String)

  @TaskLocal static var observer: (@Sendable (DiskStep) -> Void)?

  static func note(_ step: @autoclosure () -> DiskStep) {
    if let observer { observer(step()) }
  }
}

/// Syncs the whole file system of a folder. For many files, this is cheaper than one call for each file.
func syncFileSystem(of path: String) throws(GitError) {
  guard let folder = unsafe Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
    dragoman_sync_file_system(folder.number) == 0
  else {
    throw GitError(.disk, "sync \(path)", systemError())
  }
}
