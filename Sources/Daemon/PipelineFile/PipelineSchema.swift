/// The JSON schema of pipeline files, for editors.
package enum PipelineSchema {
  /// The text of the schema, in draft 2020-12 of JSON Schema. `docs/reference/pipeline.schema.json` has the same text. Tests compare both with the
  /// keys of the decoder.
  package static let json = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Dragoman pipeline",
      "description": "A pipeline: one repository, its branches, and the vendors of its strings. The reference is pipelines.md. `dragoman pipelines check` finds more faults than this schema.",
      "type": "object",
      "additionalProperties": false,
      "required": ["pipeline", "repository", "vendors"],
      "properties": {
        "pipeline": {
          "description": "The pipeline's name. It becomes part of file names.",
          "type": "string",
          "pattern": "^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$"
        },
        "formerly": {
          "description": "One former name of the pipeline, or a list. The ledger entries of these names are taken over.",
          "$ref": "#/$defs/names"
        },
        "repository": {
          "description": "The repository whose commits are read.",
          "type": "object",
          "additionalProperties": false,
          "required": ["url"],
          "properties": {
            "url": {
              "description": "An https, http, ssh or file URL, user@host:path, or a path.",
              "$ref": "#/$defs/text"
            },
            "branches": {
              "description": "The watched branches, and patterns of them. Default: the remote's default branch. l10n/** is never watched.",
              "type": "array",
              "minItems": 1,
              "items": { "$ref": "#/$defs/branchPattern" },
              "uniqueItems": true
            },
            "credentials": { "$ref": "#/$defs/credential" },
            "poll": {
              "description": "The interval between polls of the repository; 1s or more. Default: adaptive, between 15 s and 15 min.",
              "$ref": "#/$defs/duration"
            },
            "webhook": {
              "description": "The secret of the repository's webhook, env:NAME, file:PATH or credential:NAME; `dragoman serve --listen` receives its events.",
              "type": "string",
              "pattern": "^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+|credential:[A-Za-z0-9._-]+)$"
            },
            "known_hosts": {
              "description": "The only file with the keys of ssh servers. Default: ssh's own, ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts.",
              "$ref": "#/$defs/text"
            },
            "certificates": {
              "description": "A PEM file with the certificates to trust at an https URL. Default: the system's.",
              "$ref": "#/$defs/text"
            },
            "client_certificate": {
              "description": "A reference to the client certificate for an https URL, as PEM.",
              "$ref": "#/$defs/credential"
            },
            "client_key": {
              "description": "A reference to the private key of the client certificate, as PEM without a passphrase. Default: the key is in the same PEM text as the certificate.",
              "$ref": "#/$defs/credential"
            },
            "proxy": {
              "description": "The proxy for git over http(s), or none. Default: http_proxy, https_proxy, all_proxy and no_proxy of the environment.",
              "type": "string",
              "pattern": "^(none|(http|https|socks5|socks5h)://[^@/\\s]+)$"
            },
            "proxy_credentials": {
              "description": "A reference to the user and the password for the proxy, as user:password.",
              "$ref": "#/$defs/credential"
            }
          }
        },
    \#(submodules),
        "extract": {
          "description": "Settings of extraction, in addition to the build settings.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "macros": {
              "description": "Functions and macros whose first argument is a localizable string.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "exclude": {
              "description": "Path patterns to exclude.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "paths": {
              "description": "Patterns of the paths of the catalogs that belong to this pipeline. Default: all. Code is also read outside these paths.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "history": {
              "description": "The number of commits of each branch that are recorded in the history; 0 for none.",
              "type": "integer",
              "minimum": 0,
              "maximum": 10000,
              "default": 1000
            }
          }
        },
        "catalogs": {
          "description": "commit: catalogs are synced with the code in a separate commit; leave: only entries that receive a translation are changed.",
          "enum": ["commit", "leave"],
          "default": "leave"
        },
        "languages": {
          "description": "The target languages. Default: the languages of the project, without the source language.",
          "$ref": "#/$defs/languages"
        },
    \#(vendors),
    \#(rounds),
    \#(deliver),
    \#(gates),
    \#(notify)
      },
    \#(values)
    }
    """#
}
