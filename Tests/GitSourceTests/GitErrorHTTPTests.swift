import HTTPTransport
import Testing

@testable import GitSource

@Suite struct GitErrorHTTPTests {
  @Test(
    "the error for status 403 names the account to change, or the setting that has none",
    arguments: [
      (true, true, "Give the account write access, or name one that has it in deliver.credentials"),
      (true, false, "Give the account access to the repository, or name one that has it in repository.credentials"),
      (false, true, "Set deliver.credentials or repository.credentials, with an account that may push"),
      (false, false, "Set repository.credentials"),
    ])
  func refused(hasCredentials: Bool, pushes: Bool, step: String) throws {
    let head = HTTPResponseHead(status: 403, headers: [], url: try HTTPURL("https://git.example.com/a.git"))
    let error = try #require(
      GitError(head, hasCredentials: hasCredentials, pushes: pushes, over: HTTPConnection(), "look"))
    #expect(error.kind == .refused)
    #expect(error.detail == "the server refuses access (status 403). \(step)")
  }
}
