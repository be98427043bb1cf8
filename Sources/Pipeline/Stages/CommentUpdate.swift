import Localization

/// Sends a vendor the comments that changed in the repository after their strings were sent, even if the strings are already translated.
enum CommentUpdate {
  /// Sends the vendor the branches' comments on all units that it has, once after a start, and when a watched branch has a new commit and the
  /// comments differ from those of the last update.
  /// - Returns: a finding if the vendor could not be updated. In that case, the update is tried again at the next poll.
  static func run(at vendor: ConfiguredVendor, _ context: PipelineContext) async throws -> [Diagnostic] {
    guard vendor.vendor.takesComments else { return [] }
    let heads = Set(try await context.store.heads(of: context.name).map(\.commit))
    guard !heads.isEmpty, context.toldComments.isNew(heads, for: vendor.name) else { return [] }
    let comments = try await context.comments(
      of: context.units(at: vendor.name), withUses: vendor.vendor.takesUses)
    let digest = digest(of: comments)
    if !comments.isEmpty, context.toldComments.isNew(digest: digest, for: vendor.name) {
      let finding = try await vendor.finding("the vendor's comments could not be compared with the repository's") {
        try await vendor.vendor.update(comments)
      }
      if let finding { return [finding] }
    }
    context.toldComments.note(heads, digest: digest, for: vendor.name)
    return []
  }

  private static func digest(of comments: [UnitID: UnitComment]) -> String {
    var digest = ContentDigest()
    for (unit, comment) in comments.sorted(by: { $0.key < $1.key }) {
      digest.update(text: unit.catalog.text)
      digest.update(text: unit.key.text)
      digest.update(text: comment.text ?? "")
      for path in comment.uses.sorted() { digest.update(text: path.text) }
    }
    return digest.finishHexadecimal()
  }
}
