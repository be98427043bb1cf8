/// String Catalogs as Xcode writes them, and one from another tool.
extension SampleFile {
  static let catalogs = [variations, substitutions, infoPlist, shortcuts, manual, stripped, foreignCatalog]

  /// A catalog with values that Xcode reads from an Info.plist.
  static let infoPlist = SampleFile(
    "Harbour/InfoPlist.xcstrings",
    #"""
    {
      "sourceLanguage" : "en",
      "strings" : {
        "CFBundleDisplayName" : {
          "comment" : "Bundle display name",
          "extractionState" : "extracted_with_value",
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Hafen"
              }
            },
            "en" : {
              "stringUnit" : {
                "state" : "new",
                "value" : "Harbour"
              }
            }
          }
        },
        "NSCameraUsageDescription" : {
          "comment" : "Privacy - Camera Usage Description",
          "extractionState" : "extracted_with_value",
          "localizations" : {
            "en" : {
              "stringUnit" : {
                "state" : "new",
                "value" : "Scans the number of a boat."
              }
            }
          }
        }
      },
      "version" : "1.0"
    }
    """#)

  /// A catalog with phrases of App Shortcuts.
  static let shortcuts = SampleFile(
    "Harbour/AppShortcuts.xcstrings",
    #"""
    {
      "sourceLanguage" : "en",
      "strings" : {
        "Moor a boat with ${applicationName}" : {
          "extractionState" : "extracted_with_value",
          "localizations" : {
            "de" : {
              "stringSet" : {
                "state" : "translated",
                "values" : [
                  "Mit ${applicationName} anlegen",
                  "Ein Boot in ${applicationName} festmachen"
                ]
              }
            },
            "en" : {
              "stringSet" : {
                "state" : "new",
                "values" : [
                  "Moor a boat with ${applicationName}",
                  "Moor with ${applicationName}"
                ]
              }
            }
          }
        }
      },
      "version" : "1.0"
    }
    """#)

  /// A catalog with unsorted keys written by hand, a field that `Catalog` does not have, and a final newline.
  static let manual = SampleFile(
    "Harbour/Manual.xcstrings",
    #"""
    {
      "sourceLanguage" : "de",
      "strings" : {
        "tide.low" : {
          "extractionState" : "manual",
          "generatesSymbol" : false,
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Ebbe"
              }
            },
            "pt-BR" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Maré baixa"
              }
            }
          }
        },
        "tide.high" : {
          "extractionState" : "manual",
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Flut"
              }
            },
            "zh-Hans" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "涨潮"
              }
            }
          }
        }
      },
      "version" : "1.1"
    }

    """#)

  /// A source copy from a bundle, which has only the source language's texts.
  static let stripped = SampleFile(
    "Harbour/Stripped.xcstrings",
    #"""
    {
      "sourceLanguage" : "de",
      "strings" : {
        "%lld Boote" : {
          "localizations" : {
            "de" : {
              "variations" : {
                "plural" : {
                  "one" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%lld Boot"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%lld Boote"
                    }
                  }
                }
              }
            }
          }
        },
        "Anker" : {

        },
        "Hafen" : {
          "comment" : "Titel",
          "shouldTranslate" : false
        }
      },
      "version" : "1.0"
    }
    """#)

  /// A catalog in the JSON layout that scripts write.
  static let foreignCatalog = SampleFile(
    "Harbour/Foreign.xcstrings",
    #"""
    {
      "sourceLanguage": "en",
      "strings": {
        "Sail": {
          "localizations": { "de": { "stringUnit": { "value": "Segel", "state": "translated" } } },
          "comment": "A noun"
        },
        "Oar": {"localizations": {}}
      },
      "version": "1.0"
    }

    """#)
}
