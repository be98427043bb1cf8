internal import Foundation

extension SFTPChannel {
  /// The maximum number of bytes that one request reads or writes. All servers accept 32 KiB.
  private static let blockSize = 32 << 10
  /// The maximum number of concurrent requests. Concurrent requests hide the latency of the connection.
  private static let window = 16
  /// The maximum size of all names of a folder in MiB. Names can be long, so the number of entries alone does not limit the memory.
  private static let nameLimit = 32

  /// Returns the attributes of a path without following links; `nil` if the path does not exist.
  func attributes(_ path: String) throws -> SFTPAttributes? { try attributes([path])[0] }

  /// Returns the attributes of several paths, read with concurrent requests; `nil` for a path that does not exist. Links are followed only if
  /// `following` is set.
  func attributes(_ paths: [String], following: Bool = false) throws -> [SFTPAttributes?] {
    let type = following ? SFTPNumber.stat : SFTPNumber.lstat
    return try exchange(paths.map { path in Request(type) { $0.add(path) } }).map { response in
      switch response {
      case .attributes(let attributes): return attributes
      case .refused(let status) where status.code == SFTPStatus.Code.noSuchFile: return nil
      case .refused(let status): throw status
      default: throw unexpected
      }
    }
  }

  func names(in path: String) throws -> [(name: [UInt8], attributes: SFTPAttributes)] {
    let handle = try handle(Request(SFTPNumber.openFolder) { $0.add(path) })
    var found: [(name: [UInt8], attributes: SFTPAttributes)] = []
    var size = 0
    reading: while true {
      switch try exchange([Request(SFTPNumber.readFolder) { $0.add(handle) }])[0] {
      case .names(let names) where !names.isEmpty:
        found += names
        size += names.reduce(0) { $0 + $1.name.count }
      case .refused(let status) where status.code == SFTPStatus.Code.endOfFile: break reading
      case .refused(let status):
        try close(handle)
        throw status
      default: throw unexpected
      }
      let excess =
        found.count > DropListing.limit
        ? "it has more than \(DropListing.limit) entries"
        : size > Self.nameLimit << 20 ? "the names of its entries have more than \(Self.nameLimit) MiB in total" : nil
      if let excess {
        try close(handle)
        throw VendorError(kind: .tooLarge, operation: "list \(path)", detail: excess)
      }
    }
    try close(handle)
    return found
  }

  /// Reads a file.
  /// - Parameter take: called with each piece of the file; returns whether to continue reading.
  func read(_ path: String, _ take: ([UInt8]) throws -> Bool) throws {
    let file = try handle(
      Request(SFTPNumber.open) {
        $0.add(path)
        $0.add(SFTPNumber.forReading)
        $0.add(UInt32(0))
      })
    var offset: UInt64 = 0
    reading: while true {
      let requests = (0..<Self.window).map { number in
        Request(SFTPNumber.read) {
          $0.add(file)
          $0.add(offset + UInt64(number * Self.blockSize))
          $0.add(UInt32(Self.blockSize))
        }
      }
      for response in try exchange(requests) {
        switch response {
        case .data(let bytes) where !bytes.isEmpty && bytes.count <= Self.blockSize:
          offset += UInt64(bytes.count)
          guard try take(bytes) else { break reading }
          // After a short response, the following responses start at the wrong offset.
          if bytes.count < Self.blockSize { continue reading }
        case .refused(let status) where status.code == SFTPStatus.Code.endOfFile: break reading
        case .refused(let status):
          try close(file)
          throw status
        default: throw unexpected
        }
      }
    }
    try close(file)
  }

  /// Writes a new file, and makes the file durable if the server supports fsync. If the server refuses a part of the file, for example because its
  /// disk is full, the file is removed.
  /// - Parameter next: returns the contents in pieces, then `nil`.
  /// - Returns: the attributes of the written file, as the server reports them.
  @discardableResult
  func create(_ path: String, _ next: () throws -> [UInt8]?) throws -> SFTPAttributes {
    let file = try handle(
      Request(SFTPNumber.open) {
        $0.add(path)
        $0.add(SFTPNumber.forCreating)
        $0.add(UInt32(0))
      })
    do {
      var offset: UInt64 = 0
      while let bytes = try next() {
        var start = 0
        while start < bytes.count {
          var requests: [Request] = []
          while start < bytes.count, requests.count < Self.window {
            let block = bytes[start..<min(start + Self.blockSize, bytes.count)]
            requests.append(
              Request(SFTPNumber.write) {
                $0.add(file)
                $0.add(offset)
                $0.add(block)
              })
            offset += UInt64(block.count)
            start += block.count
          }
          for case .refused(let status) in try exchange(requests) { throw status }
        }
      }
      if extensions.contains("fsync@openssh.com") {
        _ = try exchange(extended("fsync@openssh.com") { $0.add(file) })
      }
      guard case .attributes(let attributes) = try exchange(Request(SFTPNumber.fstat) { $0.add(file) }) else {
        throw unexpected
      }
      try close(file)
      return attributes
    } catch let status as SFTPStatus {
      try close(file)
      try discard(path)
      throw status
    }
  }

  func create(_ path: String, with bytes: [UInt8]) throws {
    var rest: [UInt8]? = bytes
    try create(path) { rest.take() }
  }

  /// Renames a file or folder. The protocol requires an error if the new name exists.
  func rename(_ path: String, to new: String) throws {
    _ = try exchange(
      Request(SFTPNumber.rename) {
        $0.add(path)
        $0.add(new)
      })
  }

  /// Replaces the file at `path` with the file at `new`.
  func replace(_ path: String, with new: String) throws {
    guard extensions.contains("posix-rename@openssh.com") else {
      // Without this extension, a reader finds no file between the removal and the renaming.
      if try attributes(path) != nil { try remove(path) }
      return try rename(new, to: path)
    }
    _ = try exchange(
      extended("posix-rename@openssh.com") {
        $0.add(new)
        $0.add(path)
      })
  }

  func remove(_ path: String) throws { _ = try exchange(Request(SFTPNumber.remove) { $0.add(path) }) }

  /// Removes a file that could not be completed. A refusal is not an error, because the caller reports the first refusal.
  func discard(_ path: String) throws {
    do { try remove(path) } catch is SFTPStatus {}
  }

  func removeFolder(_ path: String) throws { _ = try exchange(Request(SFTPNumber.removeFolder) { $0.add(path) }) }

  func makeFolder(_ path: String) throws {
    _ = try exchange(
      Request(SFTPNumber.makeFolder) {
        $0.add(path)
        $0.add(UInt32(0))
      })
  }

  /// Checks with one small request whether the connection is alive.
  func ping() throws { _ = try exchange([Request(SFTPNumber.realPath) { $0.add(".") }]) }

  private func close(_ handle: [UInt8]) throws { _ = try exchange([Request(SFTPNumber.close) { $0.add(handle) }]) }

  private func extended(_ name: String, _ build: (inout SFTPWriter) -> Void) -> Request {
    Request(SFTPNumber.extended) {
      $0.add(name)
      build(&$0)
    }
  }

  private func handle(_ request: Request) throws -> [UInt8] {
    guard case .handle(let handle) = try exchange(request) else { throw unexpected }
    return handle
  }

  private var unexpected: SFTPMalformed { SFTPMalformed(detail: "a response that does not match the request") }
}
