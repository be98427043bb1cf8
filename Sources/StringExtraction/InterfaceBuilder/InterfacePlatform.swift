/// The framework of an interface file's classes.
enum InterfacePlatform: Hashable, Sendable {
  /// AppKit.
  case cocoa
  /// UIKit: iOS, tvOS, visionOS, Mac Catalyst.
  case cocoaTouch
  case watchKit

  /// - Parameter documentType: the `type` of the file's outermost element, such as `com.apple.InterfaceBuilder3.Cocoa.XIB`.
  /// - Returns: `nil` if the type is not a document type of Interface Builder.
  init?(documentType: String) {
    let words = documentType.split(separator: ".")
    guard words.starts(with: ["com", "apple"]), words.contains(where: { $0.hasPrefix("InterfaceBuilder") }) else {
      return nil
    }
    if words.contains("WatchKit") {
      self = .watchKit
    } else if words.contains("Cocoa") {
      self = .cocoa
    } else {
      self = .cocoaTouch
    }
  }

  private var prefix: String {
    switch self {
    case .cocoa: "NS"
    case .cocoaTouch: "UI"
    case .watchKit: "WKInterface"
    }
  }

  private var irregular: [String: String] {
    switch self {
    case .cocoa: Self.irregularCocoa
    case .cocoaTouch: Self.irregularCocoaTouch
    case .watchKit: Self.irregularWatchKit
    }
  }

  /// Returns the class in the comment for an element. The class depends only on the kind of the element, not on `customClass` (xcode-formats.md G).
  func className(of element: String) -> String {
    if let name = irregular[element] { return name }
    return prefix + element.prefix(1).uppercased() + element.dropFirst()
  }

  private static let shared = [
    "arView": "ARView", "arscnView": "ARSCNView", "arskView": "ARSKView", "glkView": "GLKView", "mapView": "MKMapView",
    "mtkView": "MTKView", "pdfView": "PDFView", "sceneKitView": "SCNView", "skView": "SKView", "wkWebView": "WKWebView",
  ]

  private static let irregularCocoa = shared.merging(
    [
      "avPlayerView": "AVPlayerView", "binding": "CocoaBindingsConnection", "customView": "NSView",
      "sceneView": "SCNView", "touchBarItem": "NSCustomTouchBarItem", "touchBarGroupItem": "NSGroupTouchBarItem",
      "touchBarPopoverItem": "NSPopoverTouchBarItem", "touchBarSliderItem": "NSSliderTouchBarItem",
      "webView": "WebView",
    ]) { $1 }

  private static let irregularCocoaTouch = shared.merging(
    [
      "avPlayerViewController": "AVPlayerViewController", "containerView": "UIView",
      "glkViewController": "GLKViewController", "hostingController": "UIHostingController",
    ]) { $1 }

  private static let irregularWatchKit = [
    "hostingController": "WKHostingController", "notificationController": "WKUserNotificationInterfaceController",
    "hostingNotificationController": "WKUserNotificationHostingController", "pickerItem": "WKPickerItem",
  ]
}
