# `make run` and `make test` are the two commands of the README. Both install missing Debian packages and build first.
#
#   make run                                      one round on Dragoman's own repository, then serves until Ctrl-C
#   make run ONCE=1                               the same, but exits after the round
#   make run REPOSITORY=PATH|URL LANGUAGES=de,uk  the same on any repository, which is never pushed to
#   make test                                     builds and tests
#   make bench [PARTS="formats …"]                benchmarks, on a release build: large, small, rounds, formats,
#                                                 branches, polls, vendors, shutdown, stores, fleet, gates, dashboard, start,
#                                                 pushes, hooks, history, commits, cycles; default: all
#   make bench-weblate [STRINGS=500] [SERGE=FOLDER]   strings through a real Weblate, compared with wlc and Serge
#   make fleet [SEED=1] [REPOSITORIES=12] [WORKERS=3] [FAULTS=12]   workers on one PostgreSQL, killed, paused and added
#   make kill [COUNT=300] [SEED=1] [STORE=both]   the program killed at random instants, on SQLite and PostgreSQL
#   make soak [MINUTES=30] [STORE=sqlite]         the daemon under a small load: memory, descriptors, threads and children must be flat
#   make api [EXAMPLES=60]                        schemathesis, from PyPI, against the API of the program
#   make observability                            metrics, alerts, board and traces, read by promtool, Prometheus and opentelemetry-proto
#   make kill-vendors [VENDOR=weblate]            the program killed at every request to each vendor, on loopback
#   make faults [SECONDS=60]                      a full disk, a read-only store, a database that is gone for a while, a clock that jumps a day, 10,000 connections
#   make acceptance                               rounds, exports and gates on public projects, from mirrors outside this repository
#   make s3-server                                installs an S3 server for tests, from PyPI; part of make test
#   make weblate                                  round trips through a real Weblate server, which it installs and starts
#   make kallithea                                rounds with a real Kallithea, a forge for git, which it installs and starts
#   make simulate [SEEDS=1-10000] [DEBUG=1]       the pipeline on simulated time, disk, git, people and vendors; one story for each seed;
#                                                 DEBUG=1 plays the program that make test built: slower, but nothing is compiled
#   make growth [DAYS=30] [PIPELINES=50]          growth of store, mirrors, cache and memory over simulated days
#   make fuzz [SECONDS=60] [SUBJECTS="swift …"]   libFuzzer on each reader; findings are kept in Tests/Fuzz/Finds
#   make fuzz-commands [SECONDS=60] [COMMANDS="import …"]   whole commands on mutated projects; part of make fuzz
#   make browser [ONLY=PAGE] [TONGUES=en,ar]      the dashboard in a real Chromium: every page and whole stories; pictures in .build/browser
#   make sanitize SANITIZER=address|thread [SUITES="NAME …"] [FILTER=REGEX]   tests under a sanitizer of the compiler, by default those of
#                                                 git; builds in .build-address or .build-thread
#   make layers [UPDATE=1]                        checks the direction of imports and of uses between folders;
#                                                 UPDATE=1 redraws the target graph in docs/architecture.md
#   make cli-reference                            writes what --help says into docs/reference/cli.md
#   make api-reference                            writes the OpenAPI document of the server into docs/reference/openapi.json
#   make lint, make format                        swift format
#   make release                                  the release binary, .build/release/dragoman
#   make plugin                                   the SwiftPM plugin on a small package, through `swift package`
#   make docker-steps                             tries the steps of deploy/docker/Dockerfile in a Debian tree, with the package
#   make package                                  the Debian package, .build/package/dragoman_*.deb, tried in a fresh Debian tree

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BUILD_PACKAGES := libgit2-dev zlib1g-dev libcurl4-openssl-dev libsqlite3-dev libarchive-dev libssl-dev libpq-dev pkg-config git
TEST_PACKAGES := apache2 gnupg python3 openssh-client openssh-server python3-asyncssh python3-aiosmtpd openssl postgresql
SWIFT := swift
# With Swift's runtime inside: the program runs where no Swift is. All release builds share their objects only if they have the same options.
RELEASE := -c release --static-swift-stdlib
FORMATTED := Sources Tests Plugins Package.swift

define install
	missing=""; for package in $(1); do \
	  dpkg-query -W -f='$${Status}' "$$package" 2>/dev/null | grep -q "install ok installed" || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "installing$$missing"; \
	  run=""; [ "$$(id -u)" = 0 ] || run=sudo; \
	  $$run apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive $$run apt-get install -y -q --no-install-recommends $$missing >/dev/null; \
	  case "$$missing " in *" openssh-server "*) ! command -v systemctl >/dev/null || $$run systemctl disable -q --now ssh >/dev/null 2>&1 || true;; esac; \
	  case "$$missing " in *" postgresql "*) ! command -v systemctl >/dev/null || $$run systemctl disable -q --now postgresql >/dev/null 2>&1 || true;; esac; \
	  case "$$missing " in *" prometheus "*) ! command -v systemctl >/dev/null || $$run systemctl disable -q --now prometheus >/dev/null 2>&1 || true;; esac; \
	fi
endef

.PHONY: help
help:
	@sed -n '3,/^$$/s/^#  *//p' Makefile

.PHONY: packages
packages:
	@$(call install,$(BUILD_PACKAGES))

.PHONY: test-packages
test-packages: packages
	@$(call install,$(TEST_PACKAGES))

.PHONY: build
build: packages
	@[ -x .build/debug/dragoman ] || echo "building (the first time: about 3 minutes on 2 cores, most of it SwiftSyntax) …"
	@$(SWIFT) build --product dragoman

.PHONY: run
run: build
	@.build/debug/dragoman demo $(if $(REPOSITORY),"$(REPOSITORY)") $(if $(LANGUAGES),--languages "$(LANGUAGES)") $(if $(ONCE),--once)

.PHONY: test
test: test-packages s3-server
	@$(SWIFT) build --build-tests
	@$(SWIFT) test --skip-build --parallel

# The tests of S3 are skipped, with a notice, where it cannot be installed.
S3_PYTHON := .build/servers/s3-python
.PHONY: s3-server
s3-server:
	@[ -e $(S3_PYTHON)/installed ] || { $(call install,python3-venv openssl); \
	  python3 -m venv $(S3_PYTHON) && $(S3_PYTHON)/bin/pip install -q --disable-pip-version-check "moto[server]==5.2.1" && touch $(S3_PYTHON)/installed; } \
	  || echo "the S3 server of the tests could not be installed"

# axe-core comes with a package of PyPI. Neither it nor Chromium is needed by `make test`.
BROWSER := .build/browser
.PHONY: browser
browser: build
	@$(call install,chromium chromium-driver fonts-noto-core fonts-noto-cjk python3 python3-venv git)
	@[ -e $(BROWSER)/python/installed ] || { python3 -m venv $(BROWSER)/python && \
	  $(BROWSER)/python/bin/pip install -q --disable-pip-version-check --no-deps "axe-playwright-python==0.1.8" && touch $(BROWSER)/python/installed; }
	@python3 -B Tests/Browser/browser.py --dragoman .build/debug/dragoman --out $(BROWSER) \
	  --axe "$$(echo $(BROWSER)/python/lib/python3*/site-packages/axe_playwright_python/axe.min.js)" $(if $(ONLY),--only "$(ONLY)") \
	  $(if $(TONGUES),--languages "$(TONGUES)")

.PHONY: release
release: packages
	@$(SWIFT) build $(RELEASE) --product dragoman

# The package contains Swift's runtime. It is tried with an upgrade from a package of the same program with a lower version.
PACKAGES := .build/package
.PHONY: package
package: packages
	@$(call install,dpkg-dev debootstrap systemd curl python3 procps git openssl)
	@$(SWIFT) build $(RELEASE) --product dragoman
	@python3 -B Tests/Acceptance/github_app.py --dragoman .build/release/dragoman
	@rm -f $(PACKAGES)/*.deb
	@deb=$$(deploy/debian/build.sh .build/release/dragoman $(PACKAGES)); \
	  version=$$(dpkg-deb -f "$$deb" Version); \
	  before=$$(deploy/debian/build.sh .build/release/dragoman $(PACKAGES)/before "$$version~before"); \
	  run=""; [ "$$(id -u)" = 0 ] || run=sudo; $$run deploy/debian/try.sh "$$before" "$$deb" $(PACKAGES) && echo "$$deb"

.PHONY: plugin
plugin: build
	@Tests/Acceptance/plugin.sh .build/debug/dragoman

.PHONY: docker-steps
docker-steps:
	@$(call install,debootstrap python3 git)
	@ls $(PACKAGES)/dragoman_*.deb >/dev/null 2>&1 || { echo "docker-steps: make package first"; exit 1; }
	@run=""; [ "$$(id -u)" = 0 ] || run=sudo; $$run deploy/docker/try.sh $(PACKAGES)/dragoman_*.deb $(PACKAGES)

# These parts are measured on the program from outside.
OPERATIONS := start workers facts polls pushes hooks history
.PHONY: bench
bench: packages peers
	@$(SWIFT) build $(RELEASE) --product dragoman
	@$(SWIFT) build $(RELEASE) --product dragoman-benchmarks
	@MIRRORS="$(MIRRORS)" PEERS_PYTHON="$$(ls $(PEERS)/bin/python 2>/dev/null || true)" .build/release/dragoman-benchmarks $(PARTS)
	@[ -n "$(PARTS)" -a -z "$(filter $(OPERATIONS),$(PARTS))" ] || \
	  python3 -B Tests/Benchmarks/operations.py --dragoman .build/release/dragoman $(if $(STORE),--store $(STORE)) $(filter $(OPERATIONS),$(PARTS))

# The libraries that formats are compared with. A benchmark skips libraries that cannot be installed, and says so.
PEERS := .build/peers
.PHONY: peers
peers:
	@[ -x $(PEERS)/bin/python ] || { $(call install,python3-venv); \
	  python3 -m venv $(PEERS) && $(PEERS)/bin/pip install -q --disable-pip-version-check lxml orjson translate-toolkit; } \
	  || echo "not all peers of the benchmarks could be installed"

# The same strings through a real Weblate with Dragoman, wlc and Serge. SERGE is a folder with Serge's sources, outside this repository; the Perl
# modules that Serge needs must be installed.
.PHONY: bench-weblate
bench-weblate: packages peers
	@$(SWIFT) build $(RELEASE) --product dragoman
	@$(PEERS)/bin/pip install -q --disable-pip-version-check wlc || echo "wlc could not be installed"
	@trap 'Tests/Servers/weblate.sh down' EXIT; settings=$$(Tests/Servers/weblate.sh up); eval "$$settings"; \
	  python3 -B Tests/Benchmarks/weblate.py --dragoman .build/release/dragoman --wlc $(PEERS)/bin/wlc \
	    --strings $(or $(STRINGS),500) $(if $(SERGE),--serge "$(SERGE)")

# Public projects are read from bare git mirrors outside this repository.
MIRRORS ?= ../.mirror
# Files of other people outside this repository: real files of Apple's formats, and CLDR's data. Without them, the tests that need them are
# skipped.
CORPUS ?= ../shared/corpus
CLDR ?= ../shared/cldr
export CORPUS CLDR
.PHONY: acceptance
acceptance: release
	@python3 -B Tests/Acceptance/xcode_export.py --dragoman .build/release/dragoman --repository "$(MIRRORS)/geteduroam+apple-app/repo"
	@python3 -B Tests/Acceptance/xcode_bundles.py --dragoman .build/release/dragoman --all "$(MIRRORS)"
	@python3 -B Tests/Acceptance/import_bundles.py --dragoman .build/release/dragoman --corpus "$(CORPUS)"
	@python3 -B Tests/Acceptance/xcode_compiler.py --dragoman .build/release/dragoman --mirrors "$(MIRRORS)"
	@python3 -B Tests/Acceptance/verdicts.py --dragoman .build/release/dragoman --mirrors "$(MIRRORS)" --plurals "$(CLDR)/plurals.json"
	@python3 -B Tests/Acceptance/status_histories.py --dragoman .build/release/dragoman --mirrors "$(MIRRORS)" --plurals "$(CLDR)/plurals.json"
	@python3 -B Tests/Acceptance/public_rounds.py --dragoman .build/release/dragoman --mirrors "$(MIRRORS)"
	@python3 -B Tests/Acceptance/first_steps.py --dragoman .build/release/dragoman --mirrors "$(MIRRORS)"

.PHONY: weblate
weblate: build
	@trap 'Tests/Servers/weblate.sh down' EXIT; settings=$$(Tests/Servers/weblate.sh up); eval "$$settings"; \
	  python3 -B Tests/Acceptance/weblate_round_trip.py --dragoman .build/debug/dragoman && \
	  python3 -B Tests/Acceptance/weblate_rounds.py --dragoman .build/debug/dragoman

.PHONY: kallithea
kallithea: build
	@trap 'Tests/Servers/kallithea.sh down' EXIT; settings=$$(Tests/Servers/kallithea.sh up); eval "$$settings"; \
	  python3 -B Tests/Acceptance/kallithea_rounds.py --dragoman .build/debug/dragoman

# The seed decides what happens to the workers and the database; the machine decides when.
.PHONY: fleet
fleet: test-packages build
	@python3 -B Tests/Fleet/fleet.py --dragoman .build/debug/dragoman --seed $(or $(SEED),1) --repositories $(or $(REPOSITORIES),12) \
	  --workers $(or $(WORKERS),3) --faults $(or $(FAULTS),12)

# The seed decides at what part of a run's usual time it is killed.
.PHONY: kill
kill: test-packages build
	@python3 -B Tests/Fleet/kill.py --dragoman .build/debug/dragoman --seed $(or $(SEED),1) --count $(or $(COUNT),300) \
	  --store $(or $(STORE),both)

# On the release program, whose memory is the one that counts.
.PHONY: soak
soak: test-packages release
	@python3 -B Tests/Fleet/soak.py --dragoman .build/release/dragoman --minutes $(or $(MINUTES),30) --store $(or $(STORE),sqlite)

# schemathesis and opentelemetry-proto come from PyPI, Prometheus and promtool from Debian. None is needed by `make test`.
OBSERVERS := .build/observers
.PHONY: observers
observers:
	@[ -e $(OBSERVERS)/installed ] || { $(call install,python3-venv); python3 -m venv $(OBSERVERS) && \
	  $(OBSERVERS)/bin/pip install -q --disable-pip-version-check "schemathesis==4.32.5" "opentelemetry-proto==1.45.2" && touch $(OBSERVERS)/installed; }

.PHONY: api
api: observers build
	@python3 -B Tests/Acceptance/api.py --dragoman .build/debug/dragoman --schemathesis $(OBSERVERS)/bin/schemathesis --examples $(or $(EXAMPLES),60)

.PHONY: observability
observability: observers build
	@$(call install,prometheus)
	@$(OBSERVERS)/bin/python -B Tests/Acceptance/observability.py --dragoman .build/debug/dragoman

# The tests play a part of these points.
.PHONY: kill-vendors
kill-vendors: test-packages
	@$(SWIFT) build --build-tests
	@KILL_POINTS=all KILL_VENDOR="$(VENDOR)" LC_ALL=C $(SWIFT) test --skip-build --filter KilledVendorTests

.PHONY: faults
faults: test-packages build
	@python3 -B Tests/Fleet/faults.py --dragoman .build/debug/dragoman --seconds $(or $(SECONDS),60)
	@python3 -B Tests/Fleet/connections.py --dragoman .build/debug/dragoman

# Each seed is a story of half a day. A failing story is shortened and printed. One processor plays about one story a second.
SEEDS ?= 1-100
.PHONY: simulate
simulate: packages
	@$(SWIFT) build $(if $(DEBUG),,$(RELEASE)) --product dragoman-simulation
	@.build/$(if $(DEBUG),debug,release)/dragoman-simulation $(SEEDS)

.PHONY: growth
growth: packages
	@$(SWIFT) build $(RELEASE) --product dragoman-simulation
	@.build/release/dragoman-simulation --days $(or $(DAYS),30) --pipelines $(or $(PIPELINES),50)

# The fuzzer is a separate package, because only a build with `--sanitize fuzzer` can link the driver. It is a release build, which tries more
# inputs, with testing enabled, because facts are internal. Swift's backtraces are off: they would catch the signal on which libFuzzer saves an
# input.
SECONDS_EACH := $(or $(SECONDS),60)
.PHONY: fuzz
fuzz: $(if $(SUBJECTS),fuzz-readers,fuzz-readers fuzz-commands)

# Whole commands on projects generated from a number, with limits on time and memory. Repeat a finding with --first N --count 1.
COMMANDS ?= extract import status check compile convert diff
.PHONY: fuzz-commands
fuzz-commands: test-packages release
	@python3 -B Tests/Fuzz/Commands/fuzz_commands.py --dragoman .build/release/dragoman --seconds $(SECONDS_EACH) $(addprefix --command ,$(COMMANDS))

.PHONY: fuzz-readers
fuzz-readers: packages
	@mkdir -p .build/fuzz; echo '@_cdecl("LLVMFuzzerTestOneInput") public func examine(_ start: UnsafeRawPointer?, _ count: Int) -> CInt { 0 }' \
	  > .build/fuzz/probe.swift; \
	$(SWIFT)c -parse-as-library -sanitize=fuzzer .build/fuzz/probe.swift -o .build/fuzz/probe > .build/fuzz/probe.log 2>&1 || { \
	  echo "fuzz: this Swift has no libFuzzer ($$(grep -m 1 error .build/fuzz/probe.log)); take a toolchain of swift.org for Linux"; exit 1; }
	@ln -sfn ../../Sources .build/fuzz/Sources && ln -sfn ../../Tests .build/fuzz/Tests
	@{ cat Package.swift; echo 'package.targets.append('; \
	  echo '  .executableTarget(name: "dragoman-fuzz", dependencies: ["FuzzSubjects"], path: "Tests/Fuzz/Driver", swiftSettings: strictSettings))'; \
	} > .build/fuzz/Package.swift
	@$(SWIFT) build --package-path .build/fuzz -c release --sanitize fuzzer -Xswiftc -enable-testing --product dragoman-fuzz
	@fuzzer=.build/fuzz/.build/release/dragoman-fuzz; failed=""; \
	for subject in $(or $(SUBJECTS),$$(ls Tests/Fuzz/Seeds)); do \
	  inputs=.build/fuzz/inputs/$$subject; finds=Tests/Fuzz/Finds/$$subject; mkdir -p $$inputs $$finds; \
	  echo "fuzz $$subject for $(SECONDS_EACH) s"; \
	  SWIFT_BACKTRACE=enable=no DRAGOMAN_FUZZ_SUBJECT=$$subject timeout -k 10 $$(($(SECONDS_EACH) + 120)) $$fuzzer -max_total_time=$(SECONDS_EACH) -timeout=10 -rss_limit_mb=2048 -max_len=20000 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=$$finds/ $$inputs Tests/Fuzz/Seeds/$$subject $$finds 2>&1 | tail -n 12 || failed="$$failed $$subject"; \
	  rmdir $$finds 2>/dev/null || true; \
	done; \
	if [ -n "$$failed" ]; then echo "found something in:$$failed; the inputs lie in Tests/Fuzz/Finds"; exit 1; fi

# Reports go to files: the output of programs that tests start is captured by the tests. A suppression names code that is not ours, with its reason.
# Built with only the suites that run, as a package of its own beside the sources.
SANITIZED := .build-$(SANITIZER)
SANITIZER_SUITES := $(or $(SUITES),GitSourceTests GitHostingTests HTTPTransportTests)
SANITIZER_MUTEX := $(CURDIR)/$(SANITIZED)/mutex.o
SANITIZER_PACKAGE := --package-path $(SANITIZED)/package --scratch-path $(SANITIZED) --sanitize $(SANITIZER) \
  $(if $(filter thread,$(SANITIZER)),-Xlinker $(SANITIZER_MUTEX))
comma := ,
.PHONY: sanitize
sanitize: test-packages
	@case "$(SANITIZER)" in address|thread) ;; *) echo "sanitize: say SANITIZER=address or SANITIZER=thread"; exit 2;; esac
	@mkdir -p $(SANITIZED)/package; for name in Sources Tests Plugins; do ln -sfn ../../$$name $(SANITIZED)/package/$$name; done
	@{ cat Package.swift; echo 'let suites: Set<String> = [$(patsubst %,"%"$(comma),$(SANITIZER_SUITES))]'; \
	  echo 'package.targets.removeAll { $$0.type == .test && !suites.contains($$0.name) }'; \
	} > $(SANITIZED)/package/Package.swift.new; \
	cmp -s $(SANITIZED)/package/Package.swift.new $(SANITIZED)/package/Package.swift || mv $(SANITIZED)/package/Package.swift.new $(SANITIZED)/package/Package.swift
	@$(if $(filter thread,$(SANITIZER)),clang -c -O1 Tests/Sanitizers/mutex.c -o $(SANITIZER_MUTEX))
	@$(SWIFT) build --build-tests $(SANITIZER_PACKAGE)
	@rm -rf $(SANITIZED)/reports; mkdir -p $(SANITIZED)/reports; chmod 1777 $(SANITIZED)/reports; \
	rules="$$PWD/Tests/Sanitizers"; reports="log_path=$$PWD/$(SANITIZED)/reports/report"; result=0; \
	export ASAN_OPTIONS="detect_leaks=1 $$reports"; export LSAN_OPTIONS="suppressions=$$rules/leaks.txt print_suppressions=0"; \
	export TSAN_OPTIONS="suppressions=$$rules/thread.txt history_size=4 second_deadlock_stack=1 $$reports"; \
	LC_ALL=C SWIFT_BACKTRACE=enable=no $(SWIFT) test --skip-build $(SANITIZER_PACKAGE) $(if $(FILTER),--filter '$(FILTER)') || result=1; \
	for report in $(SANITIZED)/reports/report.*; do [ -e "$$report" ] || continue; head -n 200 "$$report"; result=1; done; \
	[ $$result = 0 ] && echo "sanitize: $(SANITIZER) found nothing" || { echo "sanitize: see above, and $(SANITIZED)/reports"; exit 1; }

.PHONY: lint
lint:
	@$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)

.PHONY: layers
layers: packages
	@$(SWIFT) build --product layers
	@$(SWIFT) package dump-package | .build/debug/layers . $(if $(UPDATE),update,check)

.PHONY: schema
schema: build
	@.build/debug/dragoman pipelines schema > docs/reference/pipeline.schema.json

.PHONY: cli-reference
cli-reference: test-packages
	@$(SWIFT) build --build-tests
	@UPDATE_CLI_REFERENCE=1 LC_ALL=C $(SWIFT) test --skip-build --filter CommandReferenceTests

.PHONY: api-reference
api-reference: test-packages
	@$(SWIFT) build --build-tests
	@UPDATE_API_REFERENCE=1 $(SWIFT) test --skip-build --filter APIDocumentTests/document

.PHONY: format
format:
	@$(SWIFT) format format --in-place --recursive --parallel $(FORMATTED)

.PHONY: sdk-facts
sdk-facts: packages
	@$(SWIFT) run sdk-facts Sources/SDKDeclarations/Stubs Sources/SDKDeclarations/SDKFacts.generated.swift

.PHONY: plural-rules
plural-rules:
	@[ -f "$(CLDR)/plurals.json" ] || { echo "plural-rules: CLDR's data is not at $(CLDR); say where with CLDR=FOLDER"; exit 1; }
	@$(SWIFT) run plural-rules "$(CLDR)/plurals.json" Sources/Localization/Plurals/PluralRuleTable.generated.swift
	@$(SWIFT) run plural-rules "$(CLDR)/plurals.json" "$(CLDR)/aliases.json" "$(CLDR)/likelySubtags.json" \
	  Sources/Localization/Languages/LanguageTable.generated.swift
