/// The JSON schema of pipeline files, for editors.
package enum PipelineSchema {
  /// Draft 2020-12. `docs/reference/pipeline.schema.json` has the same text, and tests compare both with the keys of the decoder.
  package static let json = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Dragoman pipeline",
      "description": "One repository, its branches, and where its strings go. The reference is pipelines.md; `dragoman pipelines check` knows more than this schema.",
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
          "description": "Names that the pipeline had before: one, or a list. What the ledger holds under them is taken over.",
          "$ref": "#/$defs/names"
        },
        "repository": {
          "description": "Where the commits come from.",
          "type": "object",
          "additionalProperties": false,
          "required": ["url"],
          "properties": {
            "url": {
              "description": "An https, http, ssh or file URL, user@host:path, or a path.",
              "$ref": "#/$defs/text"
            },
            "branches": {
              "description": "Branches and patterns that are watched. Default: the remote's default branch. l10n/** is never watched.",
              "type": "array",
              "minItems": 1,
              "items": { "$ref": "#/$defs/branchPattern" },
              "uniqueItems": true
            },
            "credentials": { "$ref": "#/$defs/credential" },
            "poll": {
              "description": "How often the repository is looked at; 1s or more. Default: adaptive, between 15 s and 15 min.",
              "$ref": "#/$defs/duration"
            },
            "webhook": {
              "description": "The secret of the repository's webhook, env:NAME, file:PATH or credential:NAME; `dragoman serve --listen` receives its events.",
              "type": "string",
              "pattern": "^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+|credential:[A-Za-z0-9._-]+)$"
            },
            "known_hosts": {
              "description": "The one file with the keys of ssh servers. Default: ssh's own, ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts.",
              "$ref": "#/$defs/text"
            },
            "certificates": {
              "description": "A PEM file with the certificates to trust at an https URL. Default: the system's.",
              "$ref": "#/$defs/text"
            }
          }
        },
        "extract": {
          "description": "What extraction takes, besides what the build settings say.",
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
              "description": "Path patterns that are left out.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "paths": {
              "description": "Patterns of the paths of the catalogs that are the pipeline's own. Default: all. Code elsewhere is read, too.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "history": {
              "description": "How many commits of each branch get a line in the history; 0: none.",
              "type": "integer",
              "minimum": 0,
              "maximum": 10000,
              "default": 1000
            }
          }
        },
        "catalogs": {
          "description": "Whether catalogs brought in step with the code are committed, as a commit of their own, or only entries that receive a translation are touched.",
          "enum": ["commit", "leave"],
          "default": "leave"
        },
        "languages": {
          "description": "Default: those that the project has, without the source language.",
          "$ref": "#/$defs/languages"
        },
        "vendors": {
          "description": "Who translates. A text goes to the first vendor that lists its language and takes its catalog, else to the first that lists no languages and takes it.",
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["vendor"],
            "allOf": [
    \#(VendorSchema.rules)
            ],
            "properties": {
              "vendor": { "description": "The kind of vendor.", "enum": [\#(VendorSchema.kinds)] },
              "name": {
                "description": "Tells the vendor from others of the pipeline, in the ledger too. Default: its kind and its absolute path or URL.",
                "type": "string",
                "pattern": "^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$"
              },
              "formerly": {
                "description": "Names that the vendor had before, given ones or defaults such as folder:/srv/drop: one, or a list.",
                "$ref": "#/$defs/names"
              },
              "languages": {
                "description": "Default: all that no other vendor of the pipeline names.",
                "$ref": "#/$defs/languages"
              },
              "catalogs": {
                "description": "Patterns of the paths of catalogs that go to this vendor. Default: all.",
                "type": "array",
                "items": { "$ref": "#/$defs/text" },
                "minItems": 1,
                "uniqueItems": true
              },
              "tables": {
                "description": "Names of the tables that go to this vendor, such as Localizable. Default: all.",
                "type": "array",
                "items": { "$ref": "#/$defs/text" },
                "minItems": 1,
                "uniqueItems": true
              },
              "units": {
                "description": "The round's units, or every unit, as Xcode exports.",
                "enum": ["round", "all"],
                "default": "round"
              },
              "unchanged": {
                "description": "What to do with a returned bundle of which most targets equal their source: take and report it, or hold those units.",
                "enum": ["report", "hold"],
                "default": "report"
              },
              "fallback": {
                "description": "The name of the vendor that gets what this one refuses, and everything when this one has failed for `patience`.",
                "$ref": "#/$defs/text"
              },
              "patience": {
                "description": "How long this vendor must fail until its `fallback` gets its units.",
                "$ref": "#/$defs/duration",
                "default": "6h"
              },
              "then": {
                "description": "The name of the vendor that gets each unit after this one translated it. What this one translates arrives as needs_review.",
                "$ref": "#/$defs/text"
              },
    \#(VendorSchema.options)
            }
          }
        },
        "memory": {
          "description": "A translation memory: texts that were translated before are filled, and not sent.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "files": {
              "description": "TMX files, besides the catalogs of the watched branches and what vendors returned.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "state": {
              "description": "The state in which filled texts arrive.",
              "enum": ["needs_review", "translated"],
              "default": "needs_review"
            }
          }
        },
        "glossary": {
          "description": "Terms with their translations: vendors that take a glossary get it, and returned texts are compared with it.",
          "type": "object",
          "additionalProperties": false,
          "required": ["file"],
          "properties": {
            "file": { "description": "A TBX or CSV file.", "$ref": "#/$defs/text" },
            "missing": {
              "description": "What to do with a returned text that lacks the translation of a term: report it, or hold the unit.",
              "enum": ["report", "hold"],
              "default": "report"
            }
          }
        },
        "rounds": {
          "description": "When a round goes out. `run --once` ignores it.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "quiet": {
              "description": "When no commit came for this long,",
              "$ref": "#/$defs/duration",
              "default": "10m"
            },
            "latest": {
              "description": "or at the latest after this.",
              "$ref": "#/$defs/duration",
              "default": "2h"
            },
            "freeze": {
              "description": "Branches where a new string is a finding.",
              "type": "array",
              "items": { "$ref": "#/$defs/branchPattern" },
              "uniqueItems": true
            },
            "overdue": {
              "description": "A vendor that has units of a round for longer is late.",
              "$ref": "#/$defs/duration",
              "default": "168h"
            }
          }
        },
        "deliver": {
          "description": "Where translations go.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "mode": {
              "description": "push: the watched branch itself; branch: a branch of its own; pull-request: such a branch with a pull request.",
              "enum": ["push", "branch", "pull-request"],
              "default": "branch"
            },
            "branch": {
              "description": "The branch of the modes `branch` and `pull-request`; {branch} stands for the watched one.",
              "$ref": "#/$defs/text",
              "default": "l10n/{branch}"
            },
            "forge": {
              "description": "The kind of server, for pull requests. Default: recognized by the repository's host.",
              "enum": ["github", "gitlab", "gitea", "forgejo", "bitbucket", "bitbucket-server", "azure"]
            },
            "api": {
              "description": "The address of the server's API. Default: the usual one of its kind on the repository's host.",
              "$ref": "#/$defs/text"
            },
            "token": { "$ref": "#/$defs/credential" },
            "app": {
              "description": "The id or client id of a GitHub app, whose tokens are used for the API and for git over https.",
              "oneOf": [{ "type": "integer", "minimum": 1 }, { "type": "string", "pattern": "^[A-Za-z0-9.]{1,40}$" }]
            },
            "app_key": { "$ref": "#/$defs/credential" },
            "draft": {
              "description": "Whether pull requests are opened as drafts.",
              "type": "boolean",
              "default": false
            },
            "credentials": { "$ref": "#/$defs/credential" },
            "author": {
              "description": "Name <mail>.",
              "type": "string",
              "pattern": "^[^<>]*[^<> ][^<>]*<[^<>@ ]+@[^<>@ ]+>$",
              "default": "Dragoman <dragoman@localhost>"
            },
            "when": {
              "description": "Deliver what is there, or whole languages only.",
              "enum": ["any", "complete"],
              "default": "any"
            },
            "sign": {
              "description": "Where the private SSH key is with which commits are signed.",
              "$ref": "#/$defs/credential"
            },
            "statuses": {
              "description": "What to say about commits at the forge.",
              "type": "array",
              "items": { "enum": ["completeness", "freeze"] },
              "uniqueItems": true
            },
            "annotations": {
              "description": "GitHub, with the token of an app: whether statuses are check runs with annotations at the lines of strings.",
              "type": "boolean",
              "default": false
            },
            "comments": {
              "description": "Whether people's pull requests get a comment with what they change for translators.",
              "type": "boolean",
              "default": false
            },
            "labels": {
              "description": "Labels of new pull requests.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "reviewers": {
              "description": "Who is asked to review new pull requests, as the server names accounts; team:NAME on GitHub, Gitea and Forgejo.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "auto_merge": {
              "description": "How the server merges pull requests by itself as soon as its rules allow it. Default: it does not.",
              "enum": ["merge", "squash", "rebase"]
            },
            "sign_off": {
              "description": "Whether commits end with a Signed-off-by trailer of the author.",
              "type": "boolean",
              "default": false
            },
            "subject": {
              "description": "The first line of commit messages, with {summary}, and {pipeline} if you like.",
              "type": "string",
              "pattern": "\\{summary\\}",
              "maxLength": 200,
              "default": "{summary}"
            }
          }
        },
        "require": {
          "description": "Completion in percent that `dragoman status --pipeline` requires and `run` reports: for all languages, or by language, `default` for all others; for some branches beyond that, by pattern; for single catalogs, under `catalogs` by path.",
          "oneOf": [
            { "$ref": "#/$defs/percent" },
            {
              "type": "object",
              "properties": {
                "catalogs": {
                  "type": "object",
                  "minProperties": 1,
                  "additionalProperties": {
                    "oneOf": [
                      { "$ref": "#/$defs/percent" },
                      {
                        "type": "object",
                        "minProperties": 1,
                        "propertyNames": { "$ref": "#/$defs/language" },
                        "additionalProperties": { "$ref": "#/$defs/percent" }
                      }
                    ]
                  }
                }
              },
              "additionalProperties": {
                "oneOf": [
                  { "$ref": "#/$defs/percent" },
                  {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": { "$ref": "#/$defs/language" },
                    "additionalProperties": { "$ref": "#/$defs/percent" }
                  }
                ]
              }
            }
          ]
        },
        "fallbacks": {
          "description": "Languages that stand in for another where it has no translation, in order. Gates count them.",
          "type": "object",
          "propertyNames": { "$ref": "#/$defs/language" },
          "additionalProperties": { "$ref": "#/$defs/languages" }
        },
        "notify": {
          "description": "Whom to tell what.",
          "type": "array",
          "items": {
            "type": "object",
            "additionalProperties": false,
            "oneOf": [
              { "required": ["webhook"], "not": { "required": ["mail"] } },
              { "required": ["mail", "server", "from"] }
            ],
            "properties": {
              "on": {
                "description": "The events. Default: all.",
                "type": "array",
                "minItems": 1,
                "items": {
                  "enum": ["round-delivered", "units-held", "round-overdue", "vendor-failing", "repository-failing"]
                },
                "uniqueItems": true
              },
              "webhook": { "description": "Where the URL is.", "$ref": "#/$defs/credential" },
              "format": {
                "description": "standard: JSON with the headers of Standard Webhooks.",
                "enum": ["standard", "slack", "teams"],
                "default": "standard"
              },
              "secret": {
                "description": "The secret for signatures of Standard Webhooks.",
                "$ref": "#/$defs/credential"
              },
              "mail": {
                "description": "The addresses that get mail, instead of a webhook.",
                "oneOf": [
                  { "type": "string", "pattern": "^[^@\\s<>]+@[^@\\s<>]+$" },
                  {
                    "type": "array",
                    "minItems": 1,
                    "items": { "type": "string", "pattern": "^[^@\\s<>]+@[^@\\s<>]+$" },
                    "uniqueItems": true
                  }
                ]
              },
              "server": {
                "description": "The mail server: smtps://host, or smtp://host:587, which requires STARTTLS except on this machine.",
                "type": "string",
                "pattern": "^smtps?://[^@\\s/]+/?$"
              },
              "from": {
                "description": "Name <mail>.",
                "type": "string",
                "pattern": "^[^<>]*[^<> ][^<>]*<[^<>@ ]+@[^<>@ ]+>$"
              },
              "credentials": {
                "description": "Where the password for the mail server is, or user:password.",
                "$ref": "#/$defs/credential"
              },
              "quiet": {
                "description": "Hours without messages: 22:00-07:00.",
                "type": "string",
                "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"
              },
              "zone": {
                "description": "The time zone of `quiet`.",
                "$ref": "#/$defs/text",
                "default": "UTC"
              },
              "digest": {
                "description": "How long events are collected before one message is sent.",
                "$ref": "#/$defs/duration",
                "default": "0"
              }
            }
          }
        }
      },
      "$defs": {
        "text": { "type": "string", "pattern": "\\S" },
        "names": {
          "oneOf": [
            { "$ref": "#/$defs/text" },
            { "type": "array", "items": { "$ref": "#/$defs/text" }, "uniqueItems": true }
          ]
        },
        "language": {
          "description": "As Xcode writes it: de, pt-BR, zh-Hans.",
          "type": "string",
          "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
          "maxLength": 35
        },
        "percent": { "type": "integer", "minimum": 0, "maximum": 100 },
        "languages": {
          "type": "array",
          "minItems": 1,
          "items": { "$ref": "#/$defs/language" },
          "uniqueItems": true
        },
        "branchPattern": {
          "description": "* stands for anything but a slash, ** for anything, ? for one character but a slash.",
          "type": "string",
          "pattern": "^[^\\s~^:\\\\\\[]+$"
        },
        "duration": {
          "description": "500ms, 10s, 2m, 1h30m or 0.",
          "oneOf": [
            { "const": 0 },
            { "type": "string", "pattern": "^(0|(?=[0-9])([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?)$" }
          ]
        },
        "credential": {
          "description": "Where the secret is, never the secret itself. `credential:`: a credential of the systemd service. `agent`: the ssh agent, or the account's default keys.",
          "type": "string",
          "pattern": "^(none|agent|env:[A-Za-z_][A-Za-z0-9_]*|file:.+|credential:[A-Za-z0-9._-]+)$",
          "default": "none"
        }
      }
    }
    """#
}
