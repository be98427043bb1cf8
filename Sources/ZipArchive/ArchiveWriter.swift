private import CLibArchive
internal import Localization

/// A writer of archives that uses libarchive. Entries are deflated and have mode 0644, but no owner or time.
@safe
final class ArchiveWriter {
  // This is a class because libarchive keeps a pointer to it until `archive_write_free`.
  private final class Output {
    var bytes: [UInt8] = []
  }

  private let archive: OpaquePointer
  private let output = Output()

  init() throws(ArchiveError) {
    guard let archive = unsafe archive_write_new() else {
      throw ArchiveError(kind: .notWritten, operation: "write the zip", detail: "libarchive is out of memory")
    }
    unsafe self.archive = archive
    try check(unsafe archive_write_set_format_zip(archive))
    try check(unsafe archive_write_set_options(archive, "zip:compression=deflate,zip:hdrcharset=UTF-8"))
    // Without this, libarchive would pad the file to the size of a tape block.
    try check(unsafe archive_write_set_bytes_in_last_block(archive, 1))
    let payload = unsafe Unmanaged.passUnretained(output).toOpaque()
    try check(
      unsafe archive_write_open(
        archive, payload, nil,
        { _, payload, buffer, count in
          guard let payload = unsafe payload, let buffer = unsafe buffer else { return -1 }
          let output = unsafe Unmanaged<Output>.fromOpaque(payload).takeUnretainedValue()
          unsafe output.bytes.append(contentsOf: UnsafeRawBufferPointer(start: buffer, count: count))
          return count
        }, nil))
  }

  deinit { unsafe archive_write_free(archive) }

  func add(_ path: TreePath, _ bytes: [UInt8]) throws(ArchiveError) {
    guard let entry = unsafe archive_entry_new() else {
      throw ArchiveError(kind: .notWritten, operation: "write the zip", detail: "libarchive is out of memory")
    }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname_utf8(entry, path.text)
    unsafe archive_entry_set_filetype(entry, dragoman_archive_type_file)
    unsafe archive_entry_set_perm(entry, 0o644)
    unsafe archive_entry_set_size(entry, la_int64_t(bytes.count))
    try check(unsafe archive_write_header(archive, entry), path)
    let written = unsafe bytes.withUnsafeBytes { unsafe archive_write_data(archive, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw fault(path) }
    try check(unsafe archive_write_finish_entry(archive), path)
  }

  func finish() throws(ArchiveError) -> [UInt8] {
    try check(unsafe archive_write_close(archive))
    return output.bytes
  }

  private func check(_ code: Int32, _ path: TreePath? = nil) throws(ArchiveError) {
    guard code == ARCHIVE_OK else { throw fault(path) }
  }

  private func fault(_ path: TreePath?) -> ArchiveError {
    let text = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? "no reason given"
    return ArchiveError(kind: .notWritten, operation: "write the zip", entry: path?.printable, detail: text)
  }
}
