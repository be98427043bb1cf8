/// A translatable text of an object in Interface Builder: its place in the object, and the end of its key (xcode-formats.md G).
struct InterfaceText: Sendable {
  enum Place: Sendable {
    /// An attribute of the object, or a child `<string key="…">`.
    case own(StaticString)
    /// An attribute or `<string>` of a child element.
    case part(StaticString, StaticString)
    /// An attribute or `<string>` of each element of a list in the object, or the element's own text if the attribute is `nil`. The key ends in
    /// `[0]`, `[1]`, …
    case list(StaticString, StaticString?)
  }

  var place: Place
  var key: StaticString

  private init(_ place: Place, _ key: StaticString) {
    self.place = place
    self.key = key
  }

  private static func own(_ name: StaticString, as key: StaticString? = nil) -> InterfaceText {
    InterfaceText(.own(name), key ?? name)
  }

  private static func part(_ element: StaticString, _ name: StaticString, as key: StaticString) -> InterfaceText {
    InterfaceText(.part(element, name), key)
  }

  private static func list(_ element: StaticString, _ name: StaticString?, as key: StaticString) -> InterfaceText {
    InterfaceText(.list(element, name), key)
  }

  /// Returns the texts of an element on a platform.
  static func texts(of element: String, on platform: InterfacePlatform) -> [InterfaceText] {
    let isController = element.hasSuffix("Controller") || element == "controller"
    switch platform {
    case .cocoa:
      let own = isController ? [own("title")] : cocoa[element] ?? []
      // A cell uses its control's tool tip, and toolbar items and table columns have a separate property for their tool tip.
      let hasToolTip = !element.hasSuffix("Cell") && element != "toolbarItem" && element != "tableColumn"
      return own + (hasToolTip ? [.own("toolTip", as: "ibShadowedToolTip")] : []) + cocoaAccessibility
    case .cocoaTouch:
      return (isController ? [own("title")] : cocoaTouch[element] ?? []) + accessibility
    case .watchKit:
      return (isController ? [own("title")] : watchKit[element] ?? []) + accessibility
    }
  }

  private static let cocoaAccessibility: [InterfaceText] = [
    part("accessibility", "description", as: "ibExternalAccessibilityDescription"),
    part("accessibility", "help", as: "ibExternalAccessibilityHelp"),
  ]

  private static let accessibility: [InterfaceText] = [
    part("accessibility", "label", as: "accessibilityLabel"), part("accessibility", "hint", as: "accessibilityHint"),
  ]

  private static let cocoa: [String: [InterfaceText]] = [
    "menuItem": [own("title")],
    "menu": [own("title")],
    "window": [own("title"), own("subtitle")],
    "box": [own("title")],
    "tabViewItem": [own("label")],
    "toolbarItem": [own("label"), own("paletteLabel"), own("toolTip")],
    "tableColumn": [part("tableHeaderCell", "title", as: "headerCell.title"), own("headerToolTip")],
    // A pop-up button's cell has no title here, because its title is that of the selected item.
    "buttonCell": [own("title"), own("alternateTitle")],
    "textFieldCell": [own("title"), own("placeholderString")],
    "searchFieldCell": [own("title"), own("placeholderString")],
    "secureTextFieldCell": [own("title"), own("placeholderString")],
    "tokenFieldCell": [own("title"), own("placeholderString")],
    "formCell": [own("title"), own("placeholderString")],
    "comboBoxCell": [
      own("title"), own("placeholderString"), list("objectValues", nil, as: "ibShadowedObjectValues"),
    ],
    "pathCell": [own("placeholderString")],
    "segmentedCell": [
      list("segments", "label", as: "ibShadowedLabels"), list("segments", "toolTip", as: "ibShadowedToolTips"),
    ],
    "touchBarItem": [own("customizationLabel")],
    "touchBarGroupItem": [own("customizationLabel")],
    "touchBarPopoverItem": [own("collapsedRepresentationLabel"), own("customizationLabel")],
    "touchBarSliderItem": [own("label"), own("customizationLabel")],
  ]

  private static let cocoaTouch: [String: [InterfaceText]] = [
    "label": [own("text")],
    "textView": [own("text")],
    "textField": [own("text"), own("placeholder")],
    "searchBar": [
      own("text"), own("placeholder"), own("prompt"), list("scopeButtonTitles", nil, as: "scopeButtonTitles"),
    ],
    "button": [
      part("buttonConfiguration", "title", as: "configuration.title"),
      part("buttonConfiguration", "subtitle", as: "configuration.subtitle"),
    ],
    "navigationItem": [own("title"), own("prompt")],
    "barButtonItem": [own("title")],
    "tabBarItem": [own("title")],
    "tableViewSection": [own("headerTitle"), own("footerTitle")],
    "segmentedControl": [list("segments", "title", as: "segmentTitles")],
    "menu": [own("title")],
    "command": [own("title")],
    "keyCommand": [own("title")],
  ]

  private static let watchKit: [String: [InterfaceText]] = [
    "label": [own("text")],
    "button": [own("title")],
    "switch": [own("title")],
    "menuItem": [own("title")],
    "textField": [own("text"), own("placeholder")],
  ]

  /// The options of a Cocoa binding that contain text for users, and their names in keys.
  static let bindingOptions = [
    "NSDisplayName": "ibShadowedDisplayName", "NSDisplayPattern": "ibShadowedDisplayPattern",
    "NSMultipleValuesPlaceholder": "ibShadowedMultipleValuesPlaceholder",
    "NSNoSelectionPlaceholder": "ibShadowedNoSelectionPlaceholder",
    "NSNotApplicablePlaceholder": "ibShadowedNotApplicablePlaceholder",
    "NSNullPlaceholder": "ibShadowedIsNilPlaceholder",
  ]

  /// Returns whether a text is only Interface Builder's default for a new object. Xcode does not extract such texts: none of 83 such texts is in the
  /// 60 catalogs that Xcode synced. Other default texts of the same objects, such as `Label`, `Check` and `Item 1`, are in these catalogs.
  static func isTemplate(_ text: String, of element: String) -> Bool { templates[element]?.contains(text) == true }

  private static let templates: [String: Set<String>] = [
    "textFieldCell": ["Text Cell", "Table View Cell"], "box": ["Box"], "window": ["Window"],
    "menu": ["MainMenu", "OtherViews"], "menuItem": ["Item1", "Item2", "Item3"],
  ]
}
