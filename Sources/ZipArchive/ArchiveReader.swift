private import CLibArchive
internal import Localization

/// A reader of archives that uses libarchive.
enum ArchiveReader {
  /// Unpacks only the files that the zip's directory lists.
  ///
  /// libarchive returns entries in the order of the archive. Names are taken from the directory, because libarchive cannot return
  /// non-ASCII names if the process has no UTF-8 locale. If libarchive returns a name, it must be the same as in the directory.
  static func unpack(
    _ bytes: [UInt8], _ entries: [ZipDirectory.Entry], limits: ArchiveLimits
  ) throws(ArchiveError) -> [TreePath: [UInt8]] {
    guard let archive = unsafe archive_read_new() else {
      throw ArchiveError(kind: .unreadable, detail: "libarchive is out of memory")
    }
    defer { unsafe archive_read_free(archive) }
    _ = unsafe archive_read_support_format_zip_seekable(archive)
    let result: Result<[TreePath: [UInt8]], ArchiveError> = unsafe bytes.withUnsafeBytes { buffer in
      guard unsafe archive_read_open_memory(archive, buffer.baseAddress, buffer.count) == ARCHIVE_OK else {
        return .failure(unsafe fault(archive, nil))
      }
      do throws(ArchiveError) {
        return .success(try unsafe readEntries(archive, entries, limits))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func readEntries(
    _ archive: OpaquePointer, _ entries: [ZipDirectory.Entry], _ limits: ArchiveLimits
  ) throws(ArchiveError) -> [TreePath: [UInt8]] {
    var files: [TreePath: [UInt8]] = [:]
    var total = 0
    for entry in entries {
      var header: OpaquePointer?
      let code = unsafe archive_read_next_header(archive, &header)
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let header = unsafe header else {
        throw unsafe fault(archive, entry.path.printable)
      }
      try unsafe compare(header, entry, limits)
      guard !entry.isFolder, !entry.path.isRoot else { continue }
      let content = try unsafe data(archive, entry, room: limits.totalBytes - total, limits)
      total += content.count
      files[entry.path] = content
    }
    var header: OpaquePointer?
    guard unsafe archive_read_next_header(archive, &header) == ARCHIVE_EOF else {
      throw ArchiveError(kind: .contradiction, detail: "the zip is damaged: it contains more than its directory lists")
    }
    return files
  }

  private static func compare(
    _ header: OpaquePointer, _ entry: ZipDirectory.Entry, _ limits: ArchiveLimits
  ) throws(ArchiveError) {
    func refused(_ kind: ArchiveError.Kind, _ detail: String) -> ArchiveError {
      ArchiveError(kind: kind, entry: entry.path.printable, detail: detail)
    }
    if let text = unsafe archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header) {
      let bytes = unsafe Array(String(cString: text).utf8)
      guard try EntryName.check(bytes[...], limits: limits) == entry.path else {
        throw refused(.contradiction, "the name that libarchive reads differs from the name in the zip's directory")
      }
    }
    let type = unsafe archive_entry_filetype(header)
    guard type == dragoman_archive_type_file || type == dragoman_archive_type_folder else {
      throw refused(.symbolicLink, "it is neither a file nor a folder")
    }
  }

  private static func data(
    _ archive: OpaquePointer, _ entry: ZipDirectory.Entry, room: Int, _ limits: ArchiveLimits
  ) throws(ArchiveError) -> [UInt8] {
    func refused(_ kind: ArchiveError.Kind, _ detail: String) -> ArchiveError {
      ArchiveError(kind: kind, entry: entry.path.printable, detail: detail)
    }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe archive_read_data(archive, $0.baseAddress, $0.count) }
      if count == 0 { break }
      guard count > 0 else { throw unsafe fault(archive, entry.path.printable) }
      content += buffer[..<count]
      guard content.count <= entry.unpacked else {
        throw refused(.contradiction, "it unpacks to more than the \(entry.unpacked) bytes that the directory says")
      }
      guard content.count <= room else {
        throw refused(.tooLarge, "with this entry, the zip unpacks to more than \(limits.totalBytes) bytes")
      }
    }
    guard content.count == entry.unpacked else {
      throw refused(.contradiction, "it unpacks to \(content.count) bytes, but the directory says \(entry.unpacked)")
    }
    return content
  }

  private static func fault(_ archive: OpaquePointer, _ entry: String?) -> ArchiveError {
    let text = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? "no reason given"
    let code = unsafe archive_errno(archive)
    let what = entry == nil ? "the zip" : "it"
    return ArchiveError(
      kind: .unreadable, entry: entry, detail: "\(what) is damaged: \(text) (libarchive errno \(code))")
  }
}
