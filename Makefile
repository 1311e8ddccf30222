# Every target does its own set-up: the first one installs the packages of .ci/packages.txt where they are missing.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

sources := Package.swift Sources Tests Bench Fuzz
flags := --explicit-target-dependency-import-check error
packages := .build/packages.stamp
bench := .build/bench

.PHONY: build test simulate crash fuzz lint install uninstall demo sanitize bench bench-setup bench-guard clean help
.DEFAULT_GOAL := build

build: $(packages) ## builds both programs for use
	$(SWIFT) build -c release $(flags)

test: $(packages) lint ## builds for testing, and runs every test
	$(SWIFT) build --build-tests $(flags)
	SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) test --disable-xctest --skip-build

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
	FUZZ=1 $(SWIFT) build --sanitize=fuzzer --sanitize=address --product Fuzzer --scratch-path .build-fuzz
	Fuzz/fuzz.sh "$(CURDIR)/.build-fuzz/debug/Fuzzer" $(or $(MINUTES),10) $(CLAIM)

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

install: build ## PREFIX=/usr/local DESTDIR=: the programs, the sample configuration, the systemd units
	bin=$$($(SWIFT) build -c release --show-bin-path) && \
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/contactsync" && \
	install -m 755 "$$bin/contactsyncd" "$$bin/contactsync" "$(DESTDIR)$(PREFIX)/bin/"
	install -m 644 config/contactsync.toml "$(DESTDIR)$(PREFIX)/share/contactsync/"
	install -d "$(DESTDIR)$(PREFIX)/lib/systemd/user" "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	sed 's|@PREFIX@|$(PREFIX)|' config/contactsync.user.service \
		>"$(DESTDIR)$(PREFIX)/lib/systemd/user/contactsync.service"
	sed 's|@PREFIX@|$(PREFIX)|' config/contactsync.system.service \
		>"$(DESTDIR)$(PREFIX)/lib/systemd/system/contactsync.service"

uninstall: ## removes what install put there; configuration and state stay
	rm -f "$(DESTDIR)$(PREFIX)/bin/contactsyncd" "$(DESTDIR)$(PREFIX)/bin/contactsync"
	rm -f "$(DESTDIR)$(PREFIX)/share/contactsync/contactsync.toml"
	rm -f "$(DESTDIR)$(PREFIX)/lib/systemd/user/contactsync.service"
	rm -f "$(DESTDIR)$(PREFIX)/lib/systemd/system/contactsync.service"

clean: ## removes everything that was built
	rm -rf .build .build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16

$(packages): .ci/packages.txt .ci/setup
	.ci/setup
	@mkdir -p .build && touch $@
