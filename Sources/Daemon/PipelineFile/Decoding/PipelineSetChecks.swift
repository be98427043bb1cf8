internal import Localization
internal import Pipeline
internal import TranslationVendors

/// Checks that compare pipelines that run together, such as those in a folder or a database, with each other. A fault is reported for the later file,
/// and the message contains the location in the earlier file.
struct PipelineSetChecks {
  private var names: [String: Field] = [:]
  private var folders: [String: Field] = [:]
  /// The fields of vendors whose location is inside another location, by that outer location. A vendor at the outer location would take their files.
  private var inner: [String: Field] = [:]
  /// The delivery branches of the pipelines of each repository.
  private var deliveries: [String: [DeliveryTargets]] = [:]
  private var formerly: [Located<String>] = []
  /// The fields of pipelines that set commit statuses, by repository.
  private var statuses: [String: Field] = [:]

  /// Compares a pipeline with the pipelines that were added before it. Running pipelines are added first.
  mutating func add(_ draft: PipelineDraft) {
    if let name = draft.name {
      // Names are compared without case, because files of the pipelines would collide on a case-insensitive file system.
      claim(name, as: name.value.lowercased(), in: &names) {
        ("is also the name of the pipeline in \($0)", "give each pipeline its own name")
      }
    }
    for old in draft.formerly {
      if let other = names[old.value.lowercased()], other.faults.path != draft.name?.field.faults.path {
        reportInUse(old, by: other)
      }
    }
    for old in formerly {
      if let name = draft.name, name.value.lowercased() == old.value.lowercased() { reportInUse(name, claimed: old) }
    }
    for old in draft.formerly {
      if let other = formerly.first(where: { $0.value.lowercased() == old.value.lowercased() }) {
        old.field.report(
          "\(old.field.shown) is also a former name in \(other.field.location)",
          hint: "only one pipeline can have had this name")
      }
    }
    formerly += draft.formerly
    for vendor in draft.vendors where vendor.definition.kind != PseudoVendorKind.name {
      guard let place = vendor.place else { continue }
      claim(place, as: place.value, in: &folders) {
        (
          "is also the location of a vendor in \($0), so each vendor would take the other's translations",
          "give each vendor its own location"
        )
      }
      checkNesting(of: place, in: vendor.outerPlaces)
    }
    if let statuses = draft.statuses, let definition = draft.definition {
      let repository = CanonicalPlace.repository(definition.repository.url)
      if let other = self.statuses[repository] {
        statuses.report(
          "the pipeline in \(other.location) sets the statuses of the same repository, so each pipeline would replace the "
            + "other's statuses",
          hint: "keep `statuses` in one of them")
      } else {
        self.statuses[repository] = statuses
      }
    }
    if let targets = DeliveryTargets(draft) {
      let others = deliveries[targets.repository] ?? []
      if let other = others.first(where: { $0.overlaps(targets) }) {
        targets.field.report(
          "delivers to the same branch of the same repository as the pipeline in \(other.field.location) "
            + "(\(other.example(with: targets)))",
          hint: "set another deliver.branch in one of them, such as l10n/\(draft.name?.value ?? "name")/{branch}")
      } else if let (other, own, its) = collision(of: targets, with: others) {
        targets.field.report(
          "git cannot have both \(own) and \(its), to which the pipeline in \(other.location) delivers in the same repository",
          hint: "set another deliver.branch in one of them, such as l10n/\(draft.name?.value ?? "name")/{branch}")
      }
      deliveries[targets.repository, default: []].append(targets)
    }
  }

  private func collision(
    of targets: DeliveryTargets, with others: [DeliveryTargets]
  ) -> (field: Field, own: String, its: String)? {
    for other in others {
      if let (own, its) = targets.collision(with: other) { return (other.field, own, its) }
    }
    return nil
  }

  private func claim(
    _ value: Located<String>, as identity: String, in taken: inout [String: Field],
    _ fault: (String) -> (message: String, hint: String)
  ) {
    if let other = taken[identity] {
      // VendorChecks has already reported conflicts within one file.
      guard other.faults.path != value.field.faults.path else { return }
      let (message, hint) = fault(other.location)
      value.field.report("\(value.field.shown) \(message)", hint: hint)
    } else {
      taken[identity] = value.field
    }
  }

  /// Reports a vendor whose folder is inside a folder that another vendor empties, such as `translated/`, and a vendor that empties a folder with
  /// another vendor's folder inside.
  private mutating func checkNesting(of place: Located<String>, in outer: [String]) {
    func report(_ other: Field?, _ message: (String) -> String) {
      guard let other, other.faults.path != place.field.faults.path else { return }
      place.field.report(
        "\(place.field.shown) \(message(other.location))", hint: "choose a folder that is not inside the other one")
    }
    for outer in outer {
      report(folders[outer]) { "is in a folder of the vendor in \($0), which would take its files" }
      inner[outer] = inner[outer] ?? place.field
    }
    report(inner[place.value]) { "contains the location of the vendor in \($0), and would take its files" }
  }

  private func reportInUse(_ old: Located<String>, by other: Field) {
    old.field.report(
      "the former name \(old.field.shown) is in use: it is the name in \(other.location)",
      hint: "remove it, or rename the other pipeline")
  }

  private func reportInUse(_ name: Located<String>, claimed old: Located<String>) {
    name.field.report(
      "the name \(name.field.shown) is in use as a former name in \(old.field.location)",
      hint: "remove it there, or rename this pipeline")
  }
}

extension Field {
  /// The location as `path:line:column`.
  var location: String { "\(faults.path):\(place.line):\(place.column)" }
}

/// The branches to which a pipeline with its own delivery branch can deliver.
private struct DeliveryTargets {
  let field: Field
  let repository: String
  private let watched: [BranchPattern]
  private let deliver: DeliverSettings
  /// The patterns of the delivery branches.
  private let patterns: [BranchPattern]

  /// - Returns: `nil` if the draft has no definition, or if the pipeline pushes to the watched branch. Pipelines that push to the watched branch do
  ///   not conflict, because each of them merges the other's commits.
  init?(_ draft: PipelineDraft) {
    guard let definition = draft.definition, definition.deliver.mode != .push, let field = draft.target else {
      return nil
    }
    self.field = field
    repository = CanonicalPlace.repository(definition.repository.url)
    // The default branch of the remote is not known here, but it is nearly always `main` or `master`.
    watched =
      definition.repository.branches.isEmpty
      ? ["main", "master"].map { BranchPattern($0) } : definition.repository.branches
    deliver = definition.deliver
    patterns = watched.map { BranchPattern(definition.deliver.target(for: $0.text)) }
  }

  func overlaps(_ other: DeliveryTargets) -> Bool { shared(with: other) != nil }

  func example(with other: DeliveryTargets) -> String { shared(with: other) ?? "" }

  /// Returns a delivery branch of this pipeline and one of another pipeline of the same repository that git cannot both have, because one name is a
  /// folder in the other.
  ///
  /// The watched branches exist in one repository, so their own names do not collide. Delivery branches that could only collide if two watched
  /// branches did, such as matches of `*` and `*/x`, are therefore not reported.
  func collision(with other: DeliveryTargets) -> (own: String, its: String)? {
    let branches = (watched + other.watched).map(\.text)
    for branch in branches where watches(branch) {
      for second in branches where other.watches(second) {
        let own = deliver.target(for: branch)
        let its = other.deliver.target(for: second)
        guard BranchHead.collide(own, its) else { continue }
        let upper = own.utf8.count < its.utf8.count ? own : its
        if branch == second || !upper.contains(where: { "*?".contains($0) }) { return (own, its) }
      }
    }
    return nil
  }

  /// Returns whether a branch, or every branch that matches a pattern, is watched.
  private func watches(_ branch: String) -> Bool { watched.contains { $0.matches(branch) } }

  private func shared(with other: DeliveryTargets) -> String? {
    for own in patterns {
      if let match = other.patterns.first(where: { own.overlaps($0) }) {
        return own == match ? own.text : "\(own.text) and \(match.text)"
      }
    }
    return nil
  }
}
