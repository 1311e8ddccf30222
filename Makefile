# Every target does its own set-up: the first one installs the packages of .ci/packages.txt where they are missing.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

sources := Package.swift Sources Tests Bench Fuzz
flags := --explicit-target-dependency-import-check error
packages := .build/packages.stamp
bench := .build/bench
share := $(PREFIX)/share
pages := contactsync.1 contactsyncd.8 contactsync.toml.5
# STATIC=1 makes programs that need no Swift beside them, as a package has them.
static := .build-deb
release := $(SWIFT) build -c release$(if $(STATIC), --static-swift-stdlib --disable-local-rpath --scratch-path $(static))

.PHONY: build docs test web-test simulate crash fuzz lint install uninstall demo sanitize bench bench-setup bench-guard units-test deb deb-test clean help
.DEFAULT_GOAL := build

build: $(packages) ## builds both programs for use
	$(release) $(flags)

docs: build ## writes the manual pages and the completions of shells to .build/docs
	"$$($(release) --show-bin-path)/contactsync" docs .build/docs

test: $(packages) lint ## builds for testing, and runs every test
	$(SWIFT) build --build-tests $(flags)
	SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) test --disable-xctest --skip-build

web-test: build ## looks at the page in a headless Chromium, with CONTACTS=5000 contacts and eight peers; PICTURES=DIR keeps what it saw
	.ci/setup .ci/web-packages.txt
	$(SWIFT) build --build-tests $(flags)
	CONTACTSYNC_BIN="$$($(SWIFT) build -c release --show-bin-path)" \
		SWIFT_DETERMINISTIC_HASHING=1 CONTACTS=$(or $(CONTACTS),5000) $(if $(PICTURES),PICTURES=$(abspath $(PICTURES))) \
		$(SWIFT) test --disable-xctest --skip-build --filter 'WebTests|ChromiumTests'

lint: $(packages) ## checks how the code is laid out
	$(SWIFT) format lint --strict --recursive --parallel $(sources)

simulate: $(packages) ## runs the simulator: SEEDS=200 of them from START= on, or for MINUTES=, or the one SEED=, made as small as it still fails
	SWIFT_DETERMINISTIC_HASHING=1 $(if $(SEED),SEED=$(SEED)) $(if $(START),START=$(START)) $(if $(MINUTES),MINUTES=$(MINUTES)) \
		$(if $(SEEDS)$(MINUTES),$(if $(SEEDS),SEEDS=$(SEEDS)),SEEDS=200) \
		$(SWIFT) test -c release -Xswiftc -enable-testing --disable-xctest --filter SimulationTests

crash: $(packages) ## kills the daemon and breaks its disk at every write, then in ROUNDS=2000 random rounds or for MINUTES=, or in one, SEED= or EVERY=
	SWIFT_DETERMINISTIC_HASHING=1 $(foreach name,MINUTES SEED EVERY FIRST LANES,$(if $($(name)),$(name)=$($(name)))) \
		$(if $(ROUNDS)$(MINUTES)$(SEED)$(EVERY),$(if $(ROUNDS),ROUNDS=$(ROUNDS)),ROUNDS=2000) \
		$(SWIFT) test -c release -Xswiftc -enable-testing --disable-xctest --filter CampaignTests

fuzz: $(packages) ## searches MINUTES=10 for bytes that break a claim (Fuzz/Claims) or the one CLAIM=, and keeps what is new in Fuzz/Corpora
	FUZZ=1 $(SWIFT) build -c release --sanitize=fuzzer --sanitize=address --product Fuzzer --scratch-path .build-fuzz
	Fuzz/fuzz.sh "$(CURDIR)/.build-fuzz/release/Fuzzer" $(or $(MINUTES),10) $(CLAIM)

sanitize: $(packages) ## runs every test, and the daemon in them, under the address and leak sanitizer
	SWIFT_DETERMINISTIC_HASHING=1 ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks.txt:print_suppressions=0 \
	$(SWIFT) test --disable-xctest --sanitize=address --scratch-path .build-address

demo: build ## two paired daemons on this machine; ONCE=1 ends by itself when both are equal
	ONCE="$(ONCE)" config/demo.sh "$$($(SWIFT) build -c release --show-bin-path)"

bench: build bench-setup ## measures it beside other tools and the machine's bounds: ROWS= SIZES= ROUNDS= WHO= (Bench/README.md)
	$(MAKE) --silent --directory Bench/bounds OUT=$(CURDIR)/$(bench)/bounds
	Bench/bench.py "$$($(SWIFT) build -c release --show-bin-path)" $(bench)/bounds

bench-guard: build bench-setup ## counts instructions and allocations of core paths and compares with Bench/guard.json; RECORD=1 renews it
	$(MAKE) --silent --directory Bench/bounds OUT=$(CURDIR)/$(bench)/bounds
	Bench/guard.py "$$($(SWIFT) build -c release --show-bin-path)" $(bench)/bounds

bench-setup: ## installs what the bench needs and compares with
	.ci/setup Bench/packages.txt

install: docs ## PREFIX=/usr/local DESTDIR=: the programs, the sample configuration, the systemd units, manual pages, completions
	bin=$$($(release) --show-bin-path) && \
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/contactsync" && \
	install -m 755 "$$bin/contactsyncd" "$$bin/contactsync" "$(DESTDIR)$(PREFIX)/bin/"
	install -m 644 config/contactsync.toml "$(DESTDIR)$(PREFIX)/share/contactsync/"
	for manager in user system; do for kind in service socket; do \
		unit="$(DESTDIR)$(PREFIX)/lib/systemd/$$manager/contactsync.$$kind" && \
		install -D -m 644 config/contactsync.$$manager.$$kind "$$unit" && sed -i 's|@PREFIX@|$(PREFIX)|' "$$unit" || exit; done; done
	$(foreach page,$(pages),install -D -m 644 -t "$(DESTDIR)$(share)/man/man$(subst .,,$(suffix $(page)))" .build/docs/man/$(page) &&) true
	install -D -m 644 -t "$(DESTDIR)$(share)/bash-completion/completions" .build/docs/completions/bash/*
	install -D -m 644 -t "$(DESTDIR)$(share)/zsh/site-functions" .build/docs/completions/zsh/*
	install -D -m 644 -t "$(DESTDIR)$(share)/fish/vendor_completions.d" .build/docs/completions/fish/*

uninstall: ## removes what install put there; configuration and state stay
	rm -f "$(DESTDIR)$(PREFIX)/bin/contactsyncd" "$(DESTDIR)$(PREFIX)/bin/contactsync"
	rm -f "$(DESTDIR)$(PREFIX)/share/contactsync/contactsync.toml"
	for manager in user system; do \
		rm -f "$(DESTDIR)$(PREFIX)/lib/systemd/$$manager/contactsync.service" "$(DESTDIR)$(PREFIX)/lib/systemd/$$manager/contactsync.socket"; done
	rm -f $(foreach page,$(pages),"$(DESTDIR)$(share)/man/man$(subst .,,$(suffix $(page)))/$(page)")
	for name in contactsync contactsyncd; do rm -f \
		"$(DESTDIR)$(share)/bash-completion/completions/$$name" "$(DESTDIR)$(share)/zsh/site-functions/_$$name" \
		"$(DESTDIR)$(share)/fish/vendor_completions.d/$$name.fish"; done

units-test: $(packages) ## as root: looks how tightly the units hold the daemon, and syncs a contact under them
	.ci/setup .ci/packages-units.txt
	$(MAKE) STATIC=1 PREFIX=/usr DESTDIR=$(static)/stage install
	.ci/units-test $(static)/stage

deb: $(packages) ## builds a Debian package in .build-deb
	.ci/setup .ci/packages-deb.txt
	rm -rf $(static)/package
	$(MAKE) STATIC=1 PREFIX=/usr DESTDIR=$(static)/package install
	.ci/deb $(static)/package

deb-test: deb ## as root: installs the package in a clean Debian and runs the daemon there; needs the network
	.ci/setup .ci/packages-units.txt
	.ci/deb-test $(static)/*.deb

clean: ## removes everything that was built
	rm -rf .build .build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16

$(packages): .ci/packages.txt .ci/setup
	.ci/setup
	@mkdir -p .build && touch $@
