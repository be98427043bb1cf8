import Foundation
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

struct SQLiteCacheTests {
  @Test("facts are kept by blob and version, and may be deleted or damaged at any time")
  func facts() throws {
    let folder = try TemporaryFolder()
    let blob = BlobID(rawValue: String(repeating: "a", count: 40))
    do {
      let cache = try SQLiteCache(folder: folder.path)
      try cache.store([blob: [1, 2]], version: "1")
      try cache.setValue([3], for: "k")
      #expect(try cache.facts(for: [blob], version: "1") == [blob: [1, 2]])
      #expect(try cache.facts(for: [blob], version: "2").isEmpty)
      #expect(try cache.value(for: "k") == [3])
      #expect(try cache.value(for: "l") == nil)
    }
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.path + "/cache.sqlite"))
    let anew = try SQLiteCache(folder: folder.path)
    #expect(try anew.facts(for: [blob], version: "1").isEmpty)
    try anew.store([blob: [4]], version: "1")
    #expect(try anew.facts(for: [blob], version: "1") == [blob: [4]])
  }

  @Test("of what is kept by name the newest stays")
  func recent() throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteCache(folder: folder.path)
    #expect(try cache.recent("a") == nil)
    try cache.keep([1], as: "a")
    try cache.keep([2], as: "a")
    for number in 0..<199 { try cache.keep([UInt8(number)], as: "other \(number)") }
    #expect(try cache.recent("a") == [2])
    try cache.keep([3], as: "one more")
    #expect(try cache.recent("a") == nil)
    #expect(try cache.recent("one more") == [3])
    #expect(try cache.recent("other 0") == [0])
  }
}
