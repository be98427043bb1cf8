import Localization

/// The step that makes the forge's pull request match the wanted pull request.
package enum PullRequestStep: Hashable, Sendable {
  case open
  case update(PullRequest)
  /// The pull request already has the wanted title and body.
  case keep(PullRequest)
  /// The forge is merging the pull request.
  case wait(PullRequest)
  /// A person closed the pull request, and nothing new has been delivered since.
  case leaveClosed(PullRequest)
  /// The forge merged the wanted commit.
  case leaveMerged(PullRequest)

  /// Chooses the step for the newest pull request of the two branches:
  ///
  /// | the newest pull request | step |
  /// | --- | --- |
  /// | none | open |
  /// | open, with another title or body | update |
  /// | open | keep |
  /// | being merged | wait |
  /// | merged or closed at the wanted commit, or closed with all of the wanted content | leave it unchanged |
  /// | closed, perhaps while the pipeline did not deliver to the branch (`WantedPullRequest.retired`) | open a new one |
  /// | merged or closed otherwise | open a new one |
  package init(found: PullRequest?, wanted: WantedPullRequest) {
    guard let found else {
      self = .open
      return
    }
    switch found.state {
    case .open:
      let isSame = Self.text(found.title) == Self.text(wanted.title) && Self.text(found.body) == Self.text(wanted.body)
      self = isSame ? .keep(found) : .update(found)
    case .merging: self = .wait(found)
    case .merged: self = found.isAt(wanted.tip) ? .leaveMerged(found) : .open
    case .closed:
      let hasContent = found.isAt(wanted.tip) || found.bears(wanted.mark) || found.number == wanted.earlier
      self = hasContent && found.number != wanted.retired ? .leaveClosed(found) : .open
    }
  }

  /// Returns a text in the form in which texts are compared: with LF line ends and without white space at the end, because forges change
  /// both.
  fileprivate static func text(_ text: String) -> Substring {
    let unix = text.replacing("\r\n", with: "\n")
    guard let last = unix.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return unix[...last]
  }
}

extension Forge {
  /// Makes the forge's pull request match the wanted pull request, and returns the result.
  ///
  /// The pull request is looked up before it is opened, and again if opening it fails: the server may have opened it although its response
  /// was lost, or another process may have opened it. Until the extras are set, the body contains a sentence that says that they are pending.
  /// - Parameters:
  ///   - refused: called with a message about each of the extras that the forge refused.
  ///   - merging: called with the forge's message if the forge cannot turn on automatic merging yet. Returns whether to try again in a later call.
  /// - Throws: errors of the forge. An error of opening is not thrown if an open pull request is found afterwards.
  package func ensure(
    _ wanted: WantedPullRequest, noting refused: (String) -> Void = { _ in },
    merging: (String) -> Bool = { _ in false }
  ) async throws -> PullRequest {
    let before = try await pullRequest(from: wanted.branch, into: wanted.base)
    switch PullRequestStep(found: before, wanted: wanted.over(before, limit: traits.bodyLimit)) {
    case .keep(let found), .wait(let found), .leaveClosed(let found), .leaveMerged(let found): return found
    case .update(let found): return try await complete(found, as: wanted, merging: merging, noting: refused)
    case .open:
      let fault: any Error
      do {
        let opened = try await open(wanted.opening)
        guard !wanted.extras.isEmpty else { return opened }
        return try await complete(opened, as: wanted, isNew: true, merging: merging, noting: refused)
      } catch { fault = error }
      // The server currently accepts no requests. The next attempt looks the pull request up.
      if case .retryAfter = (fault as? any DisposableError)?.disposition { throw fault }
      guard !Task.isCancelled, let found = try? await pullRequest(from: wanted.branch, into: wanted.base),
        found.state == .open
      else { throw fault }
      guard case .update = PullRequestStep(found: found, wanted: wanted.over(found, limit: traits.bodyLimit)) else {
        return found
      }
      return try await complete(found, as: wanted, merging: merging, noting: refused)
    }
  }

  /// Sets the missing extras, and then the title and text. If the forge cannot change the text of a merged pull request, automatic merging
  /// is set after the text.
  private func complete(
    _ found: PullRequest, as wanted: WantedPullRequest, isNew: Bool = false, merging: (String) -> Bool,
    noting refused: (String) -> Void
  ) async throws -> PullRequest {
    var found = found
    var note = ""
    var missing = isNew ? wanted.extras : wanted.extras.missing(in: found.body)
    if missing.merge != nil, !traits.changesTextOfMerged {
      // The forge may merge the pull request immediately, so its text is set first.
      var others = missing
      others.merge = nil
      if !others.isEmpty {
        for words in try await apply(others, to: found.number).refused { refused(words) }
        found = try await newest(of: found, wanted)
      }
      found = try await text(of: found, as: wanted, note: PullRequestExtras.mergePending)
      missing = PullRequestExtras(merge: missing.merge)
    }
    if !missing.isEmpty {
      let applied = try await apply(missing, to: found.number)
      for words in applied.refused { refused(words) }
      if let words = applied.mergingLater, merging(words) { note = PullRequestExtras.mergePending }
      found = try await newest(of: found, wanted)
    }
    return try await text(of: found, as: wanted, note: note)
  }

  /// Reads the pull request again, because people and programs may have changed it in the meantime. Many repositories have programs that
  /// extend each new pull request.
  private func newest(of found: PullRequest, _ wanted: WantedPullRequest) async throws -> PullRequest {
    let newest = try await pullRequest(from: wanted.branch, into: wanted.base)
    return newest?.number == found.number ? newest ?? found : found
  }

  /// Sets title and text if they differ, unless the pull request is closed, or is merged and the forge cannot change the text of merged pull
  /// requests.
  /// - Parameter note: a sentence to append to the text; empty for none.
  private func text(of found: PullRequest, as wanted: WantedPullRequest, note: String) async throws -> PullRequest {
    guard found.state == .open || found.state == .merged && traits.changesTextOfMerged else { return found }
    var wanted = wanted.text(over: found, limit: traits.bodyLimit)
    if !note.isEmpty { wanted.body += "\n\n\(note)\n" }
    let isSame =
      PullRequestStep.text(found.title) == PullRequestStep.text(wanted.title)
      && PullRequestStep.text(found.body) == PullRequestStep.text(wanted.body)
    return isSame ? found : try await update(found, title: wanted.title, body: wanted.body)
  }
}
