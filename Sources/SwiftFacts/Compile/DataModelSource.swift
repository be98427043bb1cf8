package import Localization
import StructuredText

/// A generator of the declarations that Xcode generates from a version of a Core Data model, as Swift source.
///
/// Only names and types are generated, because they determine the format specifier of `Text("\(item.count)")` (xcode-extraction.md R12).
/// Attributes have the same types as in Xcode: a scalar if the model specifies it, otherwise an optional object.
package enum DataModelSource {
  /// Returns the source of the declarations for a model's `contents` file.
  /// - Throws: `InputFault` if the model is not well-formed XML.
  package static func swift(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [UInt8] {
    let document: XMLDocument
    do { document = try XMLDocument.parse(bytes) } catch {
      throw InputFault(
        error.faults.map { fault in
          Diagnostic(
            path: path.text, line: fault.position.line, column: fault.position.column, severity: .error,
            message: "cannot read this Core Data model: \(fault.message); its classes are unknown",
            hint: fault.hint)
        })
    }
    let entities = document.elements(of: document.root).filter { document.isElement($0, "entity") }
    var classes: [String: String] = [:]
    for entity in entities {
      guard let name = document.attribute("name", of: entity), let made = className(of: entity, in: document) else {
        continue
      }
      classes[name] = made
    }
    var source = "import CoreData\n"
    for entity in entities {
      guard let name = className(of: entity, in: document) else { continue }
      switch document.attribute("codeGenerationType", of: entity) {
      case "class":
        let parent = document.attribute("parentEntity", of: entity).flatMap { classes[$0] } ?? "NSManagedObject"
        source += "public class \(name): \(parent) {\n"
      case "category": source += "extension \(name) {\n"
      // The class is in the project's code.
      default: continue
      }
      for property in document.elements(of: entity) {
        guard let name = document.attribute("name", of: property), isIdentifier(name),
          let type = type(of: property, classes: classes, in: document)
        else { continue }
        source += "public var `\(name)`: \(type)\n"
      }
      source += "}\n"
    }
    return Array(source.utf8)
  }

  /// Returns the name of an entity's class. `.Item` and `App.Item` refer to the same class of the project as `Item`.
  private static func className(of entity: XMLNode, in document: XMLDocument) -> String? {
    guard
      let name = document.attribute("representedClassName", of: entity)?.split(separator: ".").last.map(String.init),
      isIdentifier(name)
    else { return nil }
    return name
  }

  private static func type(of property: XMLNode, classes: [String: String], in document: XMLDocument) -> String? {
    if document.isElement(property, "relationship") {
      if document.attribute("toMany", of: property) == "YES" {
        return document.attribute("ordered", of: property) == "YES" ? "NSOrderedSet?" : "NSSet?"
      }
      return document.attribute("destinationEntity", of: property).map { (classes[$0] ?? "NSManagedObject") + "?" }
    }
    guard document.isElement(property, "attribute") else { return nil }
    let isScalar = document.attribute("usesScalarValueType", of: property) == "YES"
    switch document.attribute("attributeType", of: property) {
    case "Integer 16": return isScalar ? "Int16" : "NSNumber?"
    case "Integer 32": return isScalar ? "Int32" : "NSNumber?"
    case "Integer 64": return isScalar ? "Int64" : "NSNumber?"
    case "Double": return isScalar ? "Double" : "NSNumber?"
    case "Float": return isScalar ? "Float" : "NSNumber?"
    case "Boolean": return isScalar ? "Bool" : "NSNumber?"
    case "Date": return isScalar ? "TimeInterval" : "Date?"
    case "String": return "String?"
    case "Decimal": return "NSDecimalNumber?"
    case "Binary": return "Data?"
    case "UUID": return "UUID?"
    case "URI": return "URL?"
    case "Transformable":
      let custom = document.attribute("customClassName", of: property)?.split(separator: ".").last.map(String.init)
      return (custom.flatMap { isIdentifier($0) ? $0 : nil } ?? "NSObject") + "?"
    default: return nil
    }
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return name.utf8.count <= 256 && name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }
}
