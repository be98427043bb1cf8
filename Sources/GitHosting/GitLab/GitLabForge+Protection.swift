// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import TranslationVendors

extension GitLabForge {
  package func obstacle(toPushing branch: String) async throws -> String? {
    let request = VendorHTTP.Request("GET", ["projects", project, "repository", "branches", branch])
    let response = try await api.send(request, accepting: [404])
    guard response.status == 404 else {
      let mayPush = try api.decode(response, request, as: ProtectedBranch.self).can_push
      return mayPush == false ? "the token's account may not push to it" : nil
    }
    return try await obstacle(toCreating: branch)
  }

  /// Returns the reason why the branch cannot be created; `nil` if none is known. A branch that does not exist yet may already be protected, by its
  /// name or by a pattern such as `l10n/*`. If several rules match, the most permissive rule applies.
  private func obstacle(toCreating branch: String) async throws -> String? {
    var matching: [GitLabProtectedBranch] = []
    for page in 1...10 {
      let request = VendorHTTP.Request(
        "GET", ["projects", project, "protected_branches"], query: [("per_page", "100"), ("page", String(page))])
      let response = try await api.send(request, accepting: [403, 404])
      // The token may lack the permission to read the rules. The push will show whether it is allowed.
      guard response.head.isSuccess else { return nil }
      let found = try api.decode(response, request, as: [GitLabProtectedBranch].self)
      matching += found.filter { $0.matches(branch) }
      if found.count < 100 { break }
    }
    guard let first = matching.first else { return nil }
    let levels = matching.flatMap { $0.push_access_levels ?? [] }
    // If a rule names an account, a group or a key, it is unknown whether the rule includes our account.
    guard levels.allSatisfy({ $0.user_id == nil && $0.group_id == nil && $0.deploy_key_id == nil }) else { return nil }
    let needed = levels.compactMap(\.access_level).filter { $0 > 0 }.min()
    if let needed {
      // Administrators may push without an access level, so an unknown level is not an obstacle.
      let own = try await api.json(VendorHTTP.Request("GET", ["projects", project]), as: GitLabProject.self).level
      guard let own, own < needed else { return nil }
    }
    return "it would be protected by the rule for \(first.name), and the token's account may not push to it"
  }
}

struct GitLabProtectedBranch: Decodable {
  struct Access: Decodable {
    /// The lowest level that may push: 30 for developers, 40 for maintainers, 60 for administrators, or 0 if nobody may push.
    var access_level: Int?
    var user_id: Int?
    var group_id: Int?
    var deploy_key_id: Int?
  }

  /// A name, or a pattern in which `*` matches any text, including slashes.
  var name: String
  var push_access_levels: [Access]?

  func matches(_ branch: String) -> Bool {
    let parts = name.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return name == branch }
    guard branch.hasPrefix(parts[0]) else { return false }
    var rest = branch.dropFirst(parts[0].count)
    for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
      guard let place = rest.firstRange(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}

struct GitLabProject: Decodable {
  struct Permissions: Decodable {
    struct Access: Decodable {
      var access_level: Int?
    }

    /// The access as a direct member; `null` if the account is not a direct member.
    var project_access: Access?
    /// The access through the project's groups; `null` if the account has none.
    var group_access: Access?
  }

  var permissions: Permissions?

  /// The higher of the two levels; `nil` if the account has neither.
  var level: Int? {
    [permissions?.project_access?.access_level, permissions?.group_access?.access_level].compactMap(\.self).max()
  }
}
