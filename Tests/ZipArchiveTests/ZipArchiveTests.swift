import Foundation
import Localization
import TestSupport
import Testing
import ZipArchive

/// The time 2026-02-03 04:05:06 UTC.
private let time = Date(timeIntervalSince1970: 1_770_091_506)

@Suite struct ZipArchiveTests {
  private let files: [(TreePath, [UInt8])] = [
    ("uk.xcloc/contents.json", Array("{}".utf8)),
    ("uk.xcloc/Localized Contents/uk.xliff", Array(String(repeating: "птах ", count: 5_000).utf8)),
    ("uk.xcloc/Source Contents/Ресурси/é.txt", []),
  ]

  @Test("archives are read back as written, including non-ASCII names and empty files")
  func roundTrip() throws {
    let read = try ZipArchive.read(try ZipArchive.write(files, modified: time))
    #expect(read == Dictionary(uniqueKeysWithValues: files))
  }

  @Test("the same files with the same time give the same bytes in any order")
  func deterministic() throws {
    let one = try ZipArchive.write(files, modified: time)
    #expect(try ZipArchive.write(files.reversed(), modified: time) == one)
    #expect(try ZipArchive.write(files, modified: time.addingTimeInterval(60)) != one)
  }

  @Test("other tools can read the names, sizes and times of the files in an archive")
  func otherTools() throws {
    let folder = try TemporaryFolder()
    try folder.write(try ZipArchive.write(files, modified: time), to: "a.zip")
    let listing = try python(
      "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None\n"
        + "for i in z.infolist(): print(i.filename, i.file_size, i.date_time, oct(i.external_attr>>16))",
      [folder.file("a.zip")])
    #expect(
      listing == """
        uk.xcloc/Localized Contents/uk.xliff 45000 (2026, 2, 3, 4, 5, 6) 0o100644
        uk.xcloc/Source Contents/Ресурси/é.txt 0 (2026, 2, 3, 4, 5, 6) 0o100644
        uk.xcloc/contents.json 2 (2026, 2, 3, 4, 5, 6) 0o100644

        """)
  }

  @Test("archives made with Python are read, with folders, data descriptors and names that begin with ./")
  func readsOthers() throws {
    let folder = try TemporaryFolder()
    _ = try python(
      """
      import sys,zipfile
      z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)
      z.mkdir('uk.xcloc') if hasattr(z,'mkdir') else z.writestr('uk.xcloc/','')
      z.writestr('./uk.xcloc/a.txt','a'*1000)
      with z.open('uk.xcloc/é.txt','w') as f: f.write(b'e')
      z.close()
      """, [folder.file("a.zip")])
    let read = try ZipArchive.read(try folder.read("a.zip"))
    #expect(
      read == [
        "uk.xcloc/a.txt": Array(repeating: UInt8(ascii: "a"), count: 1000), "uk.xcloc/é.txt": [UInt8(ascii: "e")],
      ])
  }

  @Test("an archive without entries is read as an empty list of files")
  func empty() throws {
    #expect(try ZipArchive.read(HostileZip.bytes([])).isEmpty)
    #expect(try ZipArchive.read(try ZipArchive.write([], modified: time)).isEmpty)
  }

  @Test("a path outside the folder and a duplicate path are not written")
  func refusesToWrite() {
    #expect(throws: ArchiveError.self) { try ZipArchive.write([("../a", [])], modified: time) }
    #expect(throws: ArchiveError.self) { try ZipArchive.write([("a", []), ("a", [])], modified: time) }
  }

  @Test("a thousand archives are written and read without a memory leak")
  func thousand() throws {
    for _ in 0..<1_000 { _ = try ZipArchive.read(try ZipArchive.write([("a", [1])], modified: time)) }
  }
}

/// Runs a Python script and returns its output. Fails the test if the script fails.
func python(_ script: String, _ arguments: [String]) throws -> String {
  let end = try ProgramEnd.of("python3", ["-X", "utf8", "-W", "ignore", "-c", script] + arguments)
  #expect(end.status == 0, "\(end.errors)")
  return end.output
}
