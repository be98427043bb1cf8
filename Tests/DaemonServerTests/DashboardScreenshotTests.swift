import Daemon
import Dashboard
import Foundation
import HTTPTransport
import Pipeline
import TestSupport
import Testing

@testable import DaemonServer

/// Screenshots on the page of a string. Screenshots come from the repository or a folder, and no other files of the machine can be read.
@Suite(.timeLimit(.minutes(10))) struct DashboardScreenshotTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 7]

  private static func catalog(_ keys: [String]) -> String {
    let entries = keys.map { "    \"\($0)\" : {\n\n    }" }.joined(separator: ",\n")
    return "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(entries)\n  },\n  \"version\" : \"1.0\"\n}\n"
  }

  /// Returns a daemon with screenshots in its repository and its folder. The folder also contains files that the dashboard must not show.
  private func daemon() throws -> ServedDaemon {
    let daemon = try ServedDaemon()
    let shots = URL(filePath: daemon.repository.path + "/Shots")
    try FileManager.default.createDirectory(at: shots, withIntermediateDirectories: true)
    try Data(Self.png).write(to: shots.appending(path: "hello.png"))
    try Data(Self.png + [2]).write(to: shots.appending(path: "other.png"))
    try daemon.repository.commit(["App/Localizable.xcstrings": Self.catalog(["Hello"])])
    try daemon.folder.write(Self.jpeg, to: "ci/a\"><script>.jpg")
    try daemon.folder.write("{\"elements\": [{\"label\": \"Hello\"}]}", to: "ci/a\"><script>.json")
    try daemon.folder.write(Array("no picture".utf8), to: "ci/hello.jpg")
    try daemon.folder.write(Self.png + [3], to: "outside/secret.png")
    try FileManager.default.createSymbolicLink(
      atPath: daemon.folder.file("ci/link"), withDestinationPath: daemon.folder.file("outside"))
    return daemon
  }

  private func settings(_ daemon: ServedDaemon) -> ScreenshotSettings {
    ScreenshotSettings(repository: "Shots", folder: daemon.folder.file("ci"))
  }

  private func session(_ daemon: ServedDaemon) async throws -> [(name: String, value: String)] {
    let body = "token=\(try await daemon.token(.viewer))&next=%2F"
    let response = try await daemon.send(
      "POST", "/signin", [("Content-Type", "application/x-www-form-urlencoded")], Array(body.utf8))
    let cookie = try #require(response.head.header("Set-Cookie")).prefix { $0 != ";" }
    return [("Cookie", String(cookie)), ("Accept-Language", "en")]
  }

  private func sources(in page: String) -> [String] {
    page.matches(of: #/<img src="([^"]*)"/#).map { String($0.output.1).replacing("&amp;", with: "&") }
  }

  @Test("the page of a string shows screenshots from the repository and from a folder, and escapes file names")
  func shown() async throws {
    let daemon = try daemon()
    try await daemon.run(screenshots: settings(daemon)) { daemon async throws in
      _ = await daemon.nextLook()
      let headers = try await session(daemon)
      let page = try await daemon.send("GET", "/strings?pipeline=birds&key=Hello", headers)
      #expect(page.status == 200)
      #expect(page.text.contains("<h2>Screenshots</h2>") && page.text.contains("alt=\"Screenshot hello.png\""))
      #expect(!page.text.contains("><script>."))
      let sources = sources(in: page.text)
      #expect(sources.count == 2, "\(sources)")
      var found: [[UInt8]] = []
      for source in sources {
        let picture = try await daemon.send("GET", source, headers)
        #expect(picture.status == 200)
        #expect(picture.head.header("X-Content-Type-Options") == "nosniff")
        #expect(picture.head.header("Content-Security-Policy")?.contains("sandbox") == true)
        let tag = try #require(picture.head.header("ETag"))
        #expect(try await daemon.send("GET", source, headers + [("If-None-Match", tag)]).status == 304)
        found.append(picture.body)
      }
      #expect(found == [Self.png, Self.jpeg])
      #expect(try await daemon.send("GET", sources[0], headers).head.header("Content-Type") == "image/png")
      #expect(try await daemon.send("GET", sources[1], headers).head.header("Content-Type") == "image/jpeg")
      // Without a session, no screenshot is sent.
      #expect(try await daemon.send("GET", sources[0]).status == 303)
    }
  }

  @Test("only screenshots in the pipeline's folders are sent, and no path can leave these folders")
  func paths() async throws {
    let daemon = try daemon()
    try await daemon.run(screenshots: settings(daemon)) { daemon async throws in
      _ = await daemon.nextLook()
      let headers = try await session(daemon)
      func status(_ folder: String, _ path: String, branch: String = "main", pipeline: String = "birds") async throws
        -> Int
      {
        let query = "branch=\(DashboardPages.urlValue(branch))&folder=\(folder)&path=\(DashboardPages.urlValue(path))"
        return try await daemon.send("GET", "/screenshots/\(pipeline)?\(query)", headers).status
      }
      #expect(try await status("0", "hello.png") == 200)
      let outside = daemon.folder.file("outside/secret.png")
      for path in [
        "../outside/secret.png", outside, "link/secret.png", "deep/../../outside/secret.png", "", ".", "hello.jpg",
        "missing.png", "hello.png\0.png", "../.git/config",
      ] {
        for folder in ["0", "1"] {
          let code = try await status(folder, path)
          // A query with a NUL byte is refused.
          #expect(code == (path.contains("\0") ? 400 : 404), "\(folder) \(path)")
        }
      }
      for folder in ["2", "-1", "x", "", "99999999999999999999"] {
        #expect(try await status(folder, "hello.png") == 404, "\(folder)")
      }
      #expect(try await status("0", "hello.png", branch: "other") == 404)
      #expect(try await status("0", "hello.png", pipeline: "nobody") == 404)
    }
  }

  @Test("a string with an empty key has a page, and the release page says why it is not sent")
  func emptyKey() async throws {
    let daemon = try daemon()
    try daemon.repository.commit(["App/Localizable.xcstrings": Self.catalog(["", "Hello"])])
    try await daemon.run(screenshots: settings(daemon)) { daemon async throws in
      _ = await daemon.nextLook()
      let headers = try await session(daemon)
      #expect(try await daemon.send("GET", "/strings?pipeline=birds&key=", headers).status == 200)
      #expect(try await daemon.send("GET", "/strings?pipeline=birds", headers).status == 404)
      let release = try await daemon.send("GET", "/pipelines/birds/release", headers)
      #expect(release.status == 200 && release.text.contains("its source text is empty"), "\(release.text)")
    }
  }

  @Test("without screenshots or with a missing folder, the page of a string works and shows no screenshots")
  func without() async throws {
    let plain = try daemon()
    try await plain.run { daemon async throws in
      _ = await daemon.nextLook()
      let headers = try await session(daemon)
      let page = try await daemon.send("GET", "/strings?pipeline=birds&key=Hello", headers)
      #expect(page.status == 200 && !page.text.contains("<img"))
      #expect(
        try await daemon.send("GET", "/screenshots/birds?branch=main&folder=0&path=hello.png", headers).status == 404)
    }
    let missing = try daemon()
    try await missing.run(screenshots: ScreenshotSettings(folder: "/nowhere")) { daemon async throws in
      _ = await daemon.nextLook()
      let page = try await daemon.send(
        "GET", "/strings?pipeline=birds&key=Hello", try await session(daemon))
      #expect(page.status == 200 && !page.text.contains("<img"))
    }
  }
}
