# hullbench. `make help` lists the targets.
#
# Objects live in build/<key>/, where the key is a hash of the compiler and all flags. Objects of different flag sets
# therefore never mix, and a change of this file that changes no flag recompiles nothing. The latest program is linked
# as ./hullbench.

CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
PKG_CONFIG ?= pkg-config
OBJCOPY ?= objcopy
INSTALL ?= install
OPT ?= -O2
SANITIZE ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
V ?= 0
Q = $(if $(filter 1,$(V)),,@)

# Named constants are enumerators here, also in arithmetic of doubles, for which clang 19 warns.
WARN := -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith -Wcast-qual \
        -Wwrite-strings -Wvla -Wundef -Wno-enum-float-conversion
PACKAGES := libcjson gsl matio
# No contraction and no -march: the bits are the same on every machine.
DIALECT := -std=c11 -ffp-contract=off -fno-math-errno -fopenmp
# harness/base/platform.c alone defines more.
BASE := $(DIALECT) -D_POSIX_C_SOURCE=200809L -ffile-prefix-map=$(CURDIR)=. -fPIC \
        -fno-semantic-interposition -I. $(WARN)
packages = $(foreach package,$(PACKAGES),$(shell $(PKG_CONFIG) $(1) $(package) 2>/dev/null))
ALL_CFLAGS := $(OPT) -g $(BASE) $(SANITIZE) $(call packages,--cflags) $(CPPFLAGS) $(CFLAGS) $(EXTRA)
# The program loads these two by their names when a file needs them (harness/support/late_library.h). Each is linked if
# its name cannot be found out, or with MATIO_SONAME= or ARCHIVE_SONAME= .
soname = $(shell LC_ALL=C objdump -p "$$($(CC) -print-file-name=lib$(1).so)" 2>/dev/null | sed -n 's/^ *SONAME *//p')
ifeq ($(origin MATIO_SONAME),undefined)
MATIO_SONAME := $(call soname,matio)
endif
ifeq ($(origin ARCHIVE_SONAME),undefined)
ARCHIVE_SONAME := $(call soname,archive)
endif
LINKED := $(filter-out $(if $(MATIO_SONAME),matio),$(PACKAGES))
ALL_LDLIBS := $(foreach package,$(LINKED),$(shell $(PKG_CONFIG) --libs $(package) 2>/dev/null)) -lmd -lz \
              $(if $(ARCHIVE_SONAME),,-larchive) -ldl -lm $(LDLIBS)
LIBRARY_LDLIBS := $(shell $(PKG_CONFIG) --libs gsl 2>/dev/null) -lm $(LDLIBS)
# Markdown in the report.
PROGRAM_LDLIBS := $(shell $(PKG_CONFIG) --libs md4c-html 2>/dev/null || echo -lmd4c-html) -lmd4c
# Linker options that not every linker has: each is left out if a test link with it fails. They can be set by hand.
comma := ,
try_link = $(shell file=$$(mktemp) && echo 'int main(void) { return 0; }' | \
  $(CC) $(LDFLAGS) -fPIC $(1) -x c -o $$file - >/dev/null 2>&1 && echo '$(1)'; rm -f $$file)
# Each run hashes the program, and three quarters of it would be debug information. STRIP_DEBUG= keeps it, for gdb.
STRIP_DEBUG ?= $(if $(SANITIZE),,$(call try_link,-Wl$(comma)-S))
# The program shows plugins these names; without the first option, all its names.
EXPORT_NAMES ?= $(or $(call try_link,-Wl$(comma)--dynamic-list=solvers/plugin.symbols),$(call try_link,-rdynamic))
SONAME_OPTION ?= $(call try_link,-shared -Wl$(comma)-soname$(comma)$(SONAME))
NO_UNDEFINED ?= $(call try_link,-shared -Wl$(comma)-z$(comma)defs)
# Without it, the shared library exports all its names.
VERSION_SCRIPT ?= $(call try_link,-shared -Wl$(comma)--version-script=harness/library/library.symbols)
# A \# inside $(shell) keeps its backslash since GNU make 4.3, and loses it in older ones.
HASH := \#
have_header = $(shell printf '$(HASH)include <%s>\n' $(1) | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo yes)
HAVE_LIBSVM := $(call have_header,libsvm/svm.h)
HAVE_MPFR := $(call have_header,mpfr.h)

LANES_SOURCES := simd simd_search
SOURCES := $(filter-out $(LANES_SOURCES:%=solvers/kernel/%.c) harness/cli/main.c solvers/peer/%, \
             $(sort $(shell find solvers harness -name '*.c' ! -name 'test_*.c')))
TESTS := $(sort $(shell find solvers harness tests -name 'test_*.c'))
TEST_SCRIPTS := $(sort $(wildcard tests/*/test_*.sh))
BENCHES := $(sort $(filter-out tests/bench/test_%,$(wildcard tests/bench/*.c)))
# Only tests and the bench use LIBSVM and MPFR, if installed.
OPTIONAL := -DHAVE_LIBSVM=$(if $(HAVE_LIBSVM),1,0) -DHAVE_MPFR=$(if $(HAVE_MPFR),1,0) \
            $(if $(MATIO_SONAME),-DMATIO_SONAME='"$(MATIO_SONAME)"') \
            $(if $(ARCHIVE_SONAME),-DARCHIVE_SONAME='"$(ARCHIVE_SONAME)"')
TEST_LDLIBS := $(if $(HAVE_LIBSVM),-lsvm) $(if $(HAVE_MPFR),-lmpfr -lgmp) -lmatio -larchive
# These two sources become one object per vector width.
MACHINE := $(shell $(CC) -dumpmachine)
LANES := generic
ifneq (,$(filter x86_64%,$(MACHINE)))
LANES += avx2 avx512
endif
LANES_FLAGS_generic :=
LANES_FLAGS_avx2 := -mavx2
LANES_FLAGS_avx512 := -mavx512f -mavx512dq -mprefer-vector-width=512

# What all objects depend on, including the compiler's version.
define FLAGS
$(CC) $(MACHINE) $(ALL_CFLAGS) $(LDFLAGS) $(ALL_LDLIBS) $(OPTIONAL) $(foreach lanes,$(LANES),$(LANES_FLAGS_$(lanes)))
endef
KEY := $(notdir $(firstword $(CC)))-$(firstword $(shell { $(CC) --version; printf '%s' '$(FLAGS)'; } 2>&1 | cksum))
B := build/$(KEY)

SUPPORT_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard tests/*.c) tests/fuzz/targets.c \
                     $(addprefix tests/bench/,contest.c measure.c peers.c problem.c sparse_problem.c speedup.c))
FUZZ := $(B)/tests/fuzz/fuzz
LANES_OBJECTS := $(foreach source,$(LANES_SOURCES),$(LANES:%=$(B)/$(source)/%.o))
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(LANES_OBJECTS)
TEST_PROGRAMS := $(TESTS:%.c=$(B)/%)
BENCH := $(B)/tests/bench/bench
MAIN := $(B)/harness/cli/main.o
PROGRAM_OBJECTS := $(sort $(TEST_PROGRAMS:=.o) $(BENCHES:%.c=$(B)/%.o) $(SUPPORT_OBJECTS) $(FUZZ).o $(MAIN))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help tests-built test check check-records check-records-all unit unit-short test-faults test-kills \
        test-portability test-packages sanitize valgrind coverage coverage-run mutate fuzz fuzz-run fuzz-seeds lint \
        bench bench-auto bench-rates bench-built bench-large bench-peers docs-paper docs-performance docs-results \
        docs-man docs-html sensitivity peer abi install install-headers uninstall dist clean FORCE

## all: build the program (the default)
all: $(B)/hullbench
	@ln -sf $< hullbench

## help: list the targets
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

# Requirements beyond the C library, as header:library:Debian package; checked once, before anything is compiled.
NEEDS := cjson/cJSON.h:cjson:libcjson-dev gsl/gsl_math.h:gsl:libgsl-dev matio.h:matio:libmatio-dev \
         sha2.h:md:libmd-dev zlib.h:z:zlib1g-dev \
         md4c-html.h:md4c-html:libmd4c-html0-dev archive.h:archive:libarchive-dev omp.h:m:libomp-dev
TEST_NEEDS := cmocka.h:cmocka:libcmocka-dev

define LOOK_FOR
@mkdir -p $(@D)
@command -v $(firstword $(CC)) >/dev/null || { echo "$(firstword $(CC)) is not installed" >&2; exit 4; }
@missing=; for need in $(1); do \
  header=$${need%%:*} package=$${need##*:}; library=$${need#*:}; library=$${library%:*}; \
  { printf '#include <%s>\n' setjmp.h stdarg.h stddef.h stdint.h stdio.h $$header; echo 'int main(void) { }'; } | \
    $(CC) $(ALL_CFLAGS) $(LDFLAGS) -w -o $@.try -x c - -x none $(filter -L%,$(ALL_LDLIBS)) -l$$library 2>/dev/null || \
    missing="$$missing $$package (<$$header>, -l$$library)"; \
done; rm -f $@.try; \
if ! command -v $(PKG_CONFIG) >/dev/null; then missing="$$missing pkg-config"; \
else for package in $(PACKAGES); do \
  $(PKG_CONFIG) --exists $$package || missing="$$missing lib$${package#lib}-dev ($$package.pc for $(PKG_CONFIG))"; \
done; fi; \
[ -z "$$missing" ] || { echo "missing, by their Debian packages:$$missing" >&2; exit 4; }
@touch $@
endef

$(B)/needs:
	$(call LOOK_FOR,$(NEEDS))

$(B)/test-needs: | $(B)/needs
	$(call LOOK_FOR,$(TEST_NEEDS))

$(OBJECTS) $(PROGRAM_OBJECTS) $(B)/libsvm_peer.so: | $(B)/needs
$(TEST_PROGRAMS:=.o) $(SUPPORT_OBJECTS): | $(B)/test-needs

# Written only if the list has changed, so that adding or removing a source rebuilds the archives.
$(B)/objects: FORCE
	@mkdir -p $(@D); echo '$(OBJECTS) $(SUPPORT_OBJECTS)' | cmp -s - $@ || echo '$(OBJECTS) $(SUPPORT_OBJECTS)' >$@

$(B)/libhullbench.a: $(OBJECTS)
# What tests share; of this, the linker takes what a test uses.
$(B)/libtests.a: $(SUPPORT_OBJECTS)
$(B)/libhullbench.a $(B)/libtests.a: $(B)/objects
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(B)/hullbench: $(MAIN) $(B)/libhullbench.a solvers/plugin.symbols
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORT_NAMES) $(STRIP_DEBUG) -o $@ $(filter-out %.symbols,$^) \
	  $(PROGRAM_LDLIBS) $(ALL_LDLIBS)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(LDFLAGS)' '$(PROGRAM_LDLIBS) $(ALL_LDLIBS)' >$(B)/flags

define LANES_RULE
$(LANES:%=$(B)/$(1)/%.o): $(B)/$(1)/%.o: solvers/kernel/$(1).c
	@mkdir -p $$(@D)
	@echo "  CC $$< ($$*)"
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-psabi $$(LANES_FLAGS_$$*) -DLANES_NAME=$$* -MMD -MP -c -o $$@ $$<
endef
$(foreach source,$(LANES_SOURCES),$(eval $(call LANES_RULE,$(source))))

# As stated in run.json.
BUILD_FLAGS := $(strip $(CC) $(OPT) $(DIALECT) $(SANITIZE) $(CPPFLAGS) $(CFLAGS) $(EXTRA))

$(SOURCES:%.c=$(B)/%.o) $(PROGRAM_OBJECTS): $(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(OPTIONAL) -DHULLBENCH_BUILD='"$(BUILD_FLAGS)"' -MMD -MP -c -o $@ $<

$(TEST_PROGRAMS): $(B)/%: $(B)/%.o $(B)/libtests.a $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(TEST_LDLIBS) \
	  $(PROGRAM_LDLIBS) $(ALL_LDLIBS)

$(BENCH): $(BENCHES:%.c=$(B)/%.o) $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PROGRAM_LDLIBS) $(ALL_LDLIBS) -ldl

# Third-party solvers, as far as installed.
bench-built: $(BENCH) $(B)/hullbench
	$(Q)CC="$(firstword $(CC))" tests/bench/peers/build.sh $(dir $(BENCH))peers build/libsvm-3.37

tests-built: $(TEST_PROGRAMS) all

## test, check: build and run every test; ends in "N passed, N failed"
check: test
test: tests-built
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS) $(TEST_SCRIPTS)

## check-records: compare the records of ./run_all.sh --quick with tests/records.sha256 (a minute)
check-records: all
	$(Q)HULLBENCH=$(B)/hullbench tests/check_records.sh

## check-records-all: also those of ./run_all.sh (half an hour)
check-records-all: all
	$(Q)HULLBENCH=$(B)/hullbench tests/check_records.sh '*'

## test-faults: every fault of tests/faults/test_faults.sh, of which `make test` runs only some (45 minutes)
test-faults: all
	$(Q)HULLBENCH_FAULTS=all BUILD=$(B) CC="$(CC)" tests/run.sh tests/faults/test_faults.sh

## test-kills: kill ./run_all.sh --quick at 200 moments and compare what it ends with (half an hour)
test-kills: all
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh tests/faults/kills.sh

## bench: speed as ratios in one run; writes results/bench.json (ten minutes; LIBSVM_SOURCE: docs/performance.md)
bench: bench-built
	$(Q)$(BENCH) results/bench.json

## bench-large: the same for 50 000 patterns and for sparse ones; writes results/bench-large.json (15 minutes)
bench-large: bench-built
	$(Q)$(BENCH) results/bench-large.json huge process sparse-large

## bench-peers: the same with all installed peers; writes results/bench-peers.json (half an hour)
bench-peers: bench-built
	$(Q)$(BENCH) results/bench-peers.json peers peers-huge

## bench-rates: measured linear rates against their bounds; writes results/bench-rates.json
bench-rates: $(BENCH)
	$(Q)mkdir -p results
	$(Q)$(BENCH) results/bench-rates.json rates

## bench-auto: the solvers that --solver auto may choose, on generated files; writes results/bench-auto.jsonl (hours)
bench-auto: all
	$(Q)python3 tests/bench/measure_auto.py $(B)/hullbench results/bench-auto.jsonl --break-even
	$(Q)python3 tests/bench/measure_auto.py $(B)/hullbench results/bench-auto.jsonl --draw 1,90

## docs-paper: make docs/paper/atlas.tex from docs/atlas.md (needs pandoc)
docs-paper:
	$(Q)docs/paper/make.sh

## docs-performance: write the tables of docs/performance.md from the three reports, as far as RESULTS has them
docs-performance:
	$(Q)python3 tests/bench/tables.py docs/performance.md $(RESULTS)

## sanitize: the unit tests under address and undefined-behaviour sanitizers
sanitize:
	$(Q)$(MAKE) OPT=-O1 SANITIZE="-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=undefined \
	  -fno-omit-frame-pointer" unit

## fuzz-seeds: the seeds of `make fuzz`, and variants of them, under the same sanitizers
fuzz-seeds:
	$(Q)$(MAKE) TESTS=tests/fuzz/test_corpora.c sanitize

## test-portability: same bytes from every compiler, optimisation, vector width, threads, and aarch64 (half an hour)
test-portability: all
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh tests/packaging/portability.sh

## test-packages: build and test the packages for Debian 12 and 13 and two other installations; as root (an hour)
test-packages: all
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh tests/packaging/packages.sh

## coverage: lines and branches that all tests reach, also in build/coverage.txt; status 1 below 90 % of lines (gcov)
coverage:
	$(Q)$(MAKE) OPT=-O1 SANITIZE=--coverage coverage-run

# Profiles that a test cannot write because its disk is full are not errors of the program.
coverage-run: $(TEST_PROGRAMS) $(B)/hullbench
	$(Q)find $(B) -name '*.gcda' -exec rm {} +
	$(Q)export GCOV_ERROR_FILE=/dev/null BUILD=$(B) CC="$(CC)"; status=0; \
	  tests/run.sh $(TEST_PROGRAMS) $(TEST_SCRIPTS) || status=$$?; \
	  tests/lint/coverage.sh $(B) >build/coverage.txt || status=$$?; cat build/coverage.txt; exit $$status

MUTANTS ?= 300
SEED ?= 1
JOBS ?= 2

## mutate: share of MUTANTS (300) small faults, drawn with SEED (1), that tests detect; JOBS (2); at least 95 % (hours)
mutate:
	$(Q)python3 tests/mutation/mutate.py --mutants $(MUTANTS) --seed $(SEED) --jobs $(JOBS)

# The file readers under libFuzzer, which needs clang, with sanitizers; seeds are in tests/fuzz/corpus.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= $(notdir $(wildcard tests/fuzz/corpus/*))

$(FUZZ): $(FUZZ).o $(B)/tests/fuzz/targets.o $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(PROGRAM_LDLIBS) $(ALL_LDLIBS)

## fuzz: each file reader for FUZZ_SECONDS (60) under sanitizers; needs clang; FUZZ_TARGETS="csv model" selects some
fuzz:
	$(Q)$(MAKE) CC=clang OPT=-O1 SANITIZE="-fsanitize=address,undefined,float-cast-overflow,fuzzer-no-link \
	  -fno-sanitize-recover=undefined -fno-omit-frame-pointer" FUZZ_SECONDS="$(FUZZ_SECONDS)" \
	  FUZZ_TARGETS="$(FUZZ_TARGETS)" fuzz-run

fuzz-run: $(FUZZ)
	$(Q)tests/fuzz/fuzz_readers.sh $(FUZZ) $(FUZZ_SECONDS) $(FUZZ_TARGETS)

## unit: only the unit tests (no whole-program scripts)
unit: $(TEST_PROGRAMS) $(B)/hullbench
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS)

# The folders whose unit tests need no data files, no network and no gnuplot.
SHORT := solvers/kernel solvers/hull harness/stats harness/support harness/library
SHORT_TESTS := $(filter $(SHORT:%=$(B)/%/%),$(TEST_PROGRAMS))

## unit-short: the part of the unit tests that a package build runs (a minute)
unit-short: $(SHORT_TESTS) $(B)/hullbench
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(SHORT_TESTS)

## valgrind: the unit tests under valgrind's memory checker
valgrind: $(TEST_PROGRAMS)
	$(Q)BUILD=$(B) TEST_WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full \
	  --suppressions=tests/faults/valgrind.supp" \
	  tests/run.sh $(TEST_PROGRAMS)

RESULTS ?= results

## docs-results: rewrite docs/results from the full run in RESULTS (default: results)
docs-results: all
	$(Q)folders=; for config in configs/*.json; do folder=$(RESULTS)/$$(basename $$config .json); \
	  [ ! -e $$folder/run.json ] || folders="$$folders $$folder"; done; \
	[ -n "$$folders" ] || { echo "docs-results: $(RESULTS) holds no run of a configuration in configs/" >&2; exit 2; }; \
	rm -rf docs/results; $(B)/hullbench report --markdown docs/results $$folders

# Links between the pages lead to the HTML; what they link to beside pages is copied.
PAGES = $(filter-out CODE_OF_CONDUCT.md SECURITY.md,$(wildcard *.md)) datasets/README.md plots/README.md \
        $(sort $(shell find docs -name '*.md'))

## docs-man: the options in docs/hullbench.1 anew, from --help of each verb
docs-man: all
	$(Q)docs/man.sh $(B)/hullbench >$(B)/hullbench.1 && mv $(B)/hullbench.1 docs/hullbench.1

## docs-html: the documents as HTML in build/html (needs pandoc)
docs-html:
	$(Q)rm -rf build/html
	$(Q)set -e; for page in $(PAGES); do \
	  html=build/html/$${page%.md}.html; mkdir -p $$(dirname $$html); \
	  LC_ALL=C.UTF-8 pandoc -f gfm -t html5 -s --metadata pagetitle="$$(sed -n '/^# /{s/^# //p;q}' $$page)" $$page | \
	    sed -E 's/(href="[^":]*)\.md(["#])/\1.html\2/g' >$$html; \
	done
	$(Q)cp -R CITATION.cff configs schemas build/html && \
	  cp -R docs/ci docs/examples docs/images build/html/docs && cp -R docs/results/figures build/html/docs/results

## sensitivity: write docs/sensitivity.md, the papers' tables with one convention changed at a time (20 CPU minutes)
sensitivity: all
	$(Q)HULLBENCH=$(B)/hullbench scripts/sensitivity.sh --page docs/sensitivity.md

## lint: the rules of CONTRIBUTING.md on folders and lines; strict warnings of gcc and clang, cppcheck, shellcheck
lint:
	$(Q)tests/lint/lint.sh

# The library that `make install` installs with the program. It exports only the names in harness/library/hullbench.h;
# for that reason the archive is a single object.
VERSION = $(shell sed -n 's/.*HULLBENCH_VERSION "\(.*\)"/\1/p' harness/library/version.h)
SONAME := libhullbench.so.1
LIBRARY_FOLDERS := evaluate library
LIBRARY_OBJECTS := $(filter $(B)/solvers/% $(LIBRARY_FOLDERS:%=$(B)/harness/%/%),$(OBJECTS)) $(LANES_OBJECTS)

$(B)/lib/$(SONAME): $(LIBRARY_OBJECTS) harness/library/library.symbols
	@mkdir -p $(@D)
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared $(SONAME_OPTION) $(NO_UNDEFINED) $(VERSION_SCRIPT) \
	  -o $@ $(LIBRARY_OBJECTS) $(LIBRARY_LDLIBS)

$(B)/lib/libhullbench.a: $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	@echo "  AR $@"
	@rm -f $@
	$(Q)if command -v $(OBJCOPY) >/dev/null; then \
	  $(LD) -r -o $(@D)/hullbench.o $^ && \
	  $(OBJCOPY) -w --keep-global-symbol='hullbench_*' $(@D)/hullbench.o && $(AR) rcs $@ $(@D)/hullbench.o; \
	else $(AR) rcs $@ $^; fi

## abi: describe the library's ABI in tests/packaging/abi/libhullbench.abi, for a test to compare (abigail-tools)
abi: $(B)/lib/$(SONAME)
	$(Q)abidw --exported-interfaces-only --headers-dir harness/library --no-corpus-path --no-comp-dir-path --no-show-locs \
	  --no-elf-needed --out-file tests/packaging/abi/libhullbench.abi $<

# Built before the tests, since several of them install it in parallel.
test: $(B)/lib/$(SONAME) $(B)/lib/libhullbench.a

# The installed headers for plugins: solvers/plugin.h and all headers that it includes, as <hullbench/solvers/...>.
PUBLIC = $(filter-out /usr/%,$(filter %.h,$(shell $(CC) $(BASE) -MM solvers/plugin.h)))
INSTALL_HEADER = sed 's|^\#include "solvers/\(.*\)"|\#include <hullbench/solvers/\1>|'

## peer: the plugin with LIBSVM's solvers, if libsvm-dev is installed; prints its path
peer: $(B)/libsvm_peer.so
	@echo $<

$(B)/libsvm_peer.so: solvers/peer/libsvm.c
	@$(if $(HAVE_LIBSVM),true,echo "libsvm/svm.h is not here: install libsvm-dev" >&2; exit 4)
	@mkdir -p $(@D)
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fno-openmp -shared -MMD -MP -MF $(@:.so=.d) -o $@ $< -lsvm

# The source folders whose files go to share/hullbench, the installation folders, and the installed files.
SHARED := papers baselines configs configs/minkowski configs/mu-mdm configs/sensitivity configs/smo-steps \
          plots docs docs/ci docs/templates docs/examples docs/solvers datasets schemas scripts \
          bindings/python bindings/R
# The first use looks for them, and the others take what it found.
SHARED_FILES = $(eval SHARED_FILES := COPYING run_all.sh \
  $(sort $(shell find $(SHARED) -maxdepth 1 -type f ! -name '.*')))$(SHARED_FILES)
shared_in = $(foreach file,$(SHARED_FILES),$(if $(filter $(1),$(patsubst %/,%,$(dir $(file)))),$(file)))
# One call for all files of a folder and mode, since one for each file takes seconds.
install_shared = $(if $(3),$(INSTALL) -m $(2) $(3) $(TO)/share/hullbench/$(1) &&)
TO = $(DESTDIR)$(PREFIX)
TO_LIB = $(DESTDIR)$(LIBDIR)
DOC_FILES = share/man/man1/hullbench.1 share/man/man3/libhullbench.3 share/bash-completion/completions/hullbench \
            share/zsh/site-functions/_hullbench share/fish/vendor_completions.d/hullbench.fish

## install: install under PREFIX (default /usr/local), libraries in LIBDIR (PREFIX/lib); DESTDIR is honoured
install: all $(B)/lib/$(SONAME) $(B)/lib/libhullbench.a install-headers
	$(INSTALL) -d $(addprefix $(TO)/,bin $(sort $(dir $(DOC_FILES))) $(SHARED:%=share/hullbench/%)) $(TO_LIB)
	$(INSTALL) -m 755 $(B)/hullbench $(TO)/bin/hullbench
	$(INSTALL) -m 644 docs/hullbench.1 $(TO)/share/man/man1/hullbench.1
	$(INSTALL) -m 644 docs/libhullbench.3 $(TO)/share/man/man3/libhullbench.3
	$(INSTALL) -m 644 docs/hullbench.bash $(TO)/share/bash-completion/completions/hullbench
	$(INSTALL) -m 644 docs/hullbench.zsh $(TO)/share/zsh/site-functions/_hullbench
	$(INSTALL) -m 644 docs/hullbench.fish $(TO)/share/fish/vendor_completions.d/hullbench.fish
	$(foreach folder,. $(SHARED),$(call install_shared,$(folder),644,$(filter-out %.sh,$(call shared_in,$(folder))))\
	  $(call install_shared,$(folder),755,$(filter %.sh,$(call shared_in,$(folder))))) true
	$(INSTALL) -m 644 $(B)/lib/libhullbench.a $(TO_LIB)/libhullbench.a
	$(INSTALL) -m 755 $(B)/lib/$(SONAME) $(TO_LIB)/$(SONAME)
	ln -sf $(SONAME) $(TO_LIB)/libhullbench.so

## install-headers: only the headers and hullbench.pc, which suffice to compile a plugin
install-headers:
	$(INSTALL) -d $(addprefix $(TO)/include/hullbench/,$(sort $(dir $(PUBLIC)))) $(TO_LIB)/pkgconfig
	for header in $(PUBLIC); do \
	  $(INSTALL_HEADER) $$header >$(TO)/include/hullbench/$$header || exit; done
	echo '#include <hullbench/solvers/plugin.h>' >$(TO)/include/hullbench/solver.h
	$(INSTALL) -m 644 harness/library/hullbench.h $(TO)/include/hullbench/hullbench.h
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' \
	  -e 's|@PRIVATE@|$(strip $(LIBRARY_LDLIBS)) -fopenmp|' \
	  harness/library/hullbench.pc.in >$(TO_LIB)/pkgconfig/hullbench.pc

## uninstall: remove the installed files; takes the same PREFIX, LIBDIR and DESTDIR
uninstall:
	rm -f $(TO)/bin/hullbench $(addprefix $(TO)/,$(DOC_FILES)) $(addprefix $(TO)/share/hullbench/,$(SHARED_FILES)) \
	  $(addprefix $(TO)/include/hullbench/,$(PUBLIC) solver.h hullbench.h) \
	  $(addprefix $(TO_LIB)/,libhullbench.a $(SONAME) libhullbench.so pkgconfig/hullbench.pc)
	for folder in $(TO)/share/hullbench $(TO)/include/hullbench; do \
	  [ ! -d $$folder ] || find $$folder -depth -type d -exec rmdir --ignore-fail-on-non-empty {} +; done

DIST = hullbench-$(VERSION)

## dist: hullbench-VERSION.tar.gz of the last commit, or, without git, of the current files
dist:
	$(Q)set -e; if [ -e .git ] && command -v git >/dev/null; then \
	  git archive --format=tar --prefix=$(DIST)/ HEAD >$(DIST).tar; \
	else \
	  tar -cf $(DIST).tar --sort=name --mtime=@$${SOURCE_DATE_EPOCH:-0} --owner=0 --group=0 --numeric-owner \
	    --mode=u=rwX,go=rX --exclude=datasets/cache --exclude='plots/*.svg' --exclude='plots/*.png' --exclude=__pycache__ \
	    --transform='flags=r;s|^|$(DIST)/|' .ci .dockerignore .github .gitignore CITATION.cff \
	    COPYING Makefile *.md codemeta.json run_all.sh baselines bindings configs datasets debian docs \
	    harness packaging papers plots results/README.md schemas scripts solvers tests; \
	fi; gzip -nf $(DIST).tar; echo $(DIST).tar.gz

## clean: remove everything built
clean:
	rm -rf build hullbench

-include $(OBJECTS:.o=.d) $(PROGRAM_OBJECTS:.o=.d) $(B)/libsvm_peer.d

# print-NAME: show a variable
print-%:
	@echo '$($*)'
