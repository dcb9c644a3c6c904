# hullbench. `make help` lists the targets.
#
# Objects live in build/<key>/, where the key is made from the compiler and every flag, so objects of different flag
# sets never mix. The program just built is linked as ./hullbench.

CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2
SANITIZE ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
V ?= 0
Q = $(if $(filter 1,$(V)),,@)

WARN := -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith -Wcast-qual \
        -Wwrite-strings -Wvla -Wundef
PACKAGES := libcjson gsl matio
# Contraction off and no -march: the same bits on every machine.
DIALECT := -std=c11 -ffp-contract=off -fno-math-errno -fopenmp
BASE := $(DIALECT) -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffile-prefix-map=$(CURDIR)=. -fPIC \
        -fno-semantic-interposition -I. $(WARN)
ALL_CFLAGS := $(OPT) -g $(BASE) $(SANITIZE) $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null) $(CFLAGS) $(EXTRA)
ALL_LDLIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lcsv -lmd -lz -lm $(LDLIBS)
# Markdown in the report: of the program, not of the library.
REPORT_LDLIBS := $(shell pkg-config --libs md4c 2>/dev/null || echo -lmd4c)
HAVE_LIBSVM := $(shell printf '\#include <libsvm/svm.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
HAVE_MPFR := $(shell printf '\#include <mpfr.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)

MACHINE := $(shell $(CC) -dumpmachine)
KEY := $(notdir $(firstword $(CC)))-$(firstword $(shell printf '%s' '$(CC) $(MACHINE) $(ALL_CFLAGS) $(LDFLAGS) $(ALL_LDLIBS)' | cksum))
B := build/$(KEY)

SOURCES := $(sort $(shell find solvers harness -name '*.c' ! -name 'test_*.c' ! -name 'simd.c' ! -name 'simd_search.c' ! -path harness/cli/main.c ! -path 'solvers/peer/*' ! -path 'tests/bench/*'))
TESTS := $(sort $(shell find solvers harness tests -name 'test_*.c'))
BENCHES := $(sort $(wildcard tests/bench/*.c))
# LIBSVM and MPFR are used by tests and the bench only, where they are installed.
OPTIONAL := -DHAVE_LIBSVM=$(if $(HAVE_LIBSVM),1,0) -DHAVE_MPFR=$(if $(HAVE_MPFR),1,0)
TEST_LDLIBS := $(if $(HAVE_LIBSVM),-lsvm) $(if $(HAVE_MPFR),-lmpfr -lgmp)
# Two sources, one object each per vector width.
LANES := generic
ifneq (,$(filter x86_64%,$(MACHINE)))
LANES += avx2 avx512
endif
LANES_FLAGS_generic :=
LANES_FLAGS_avx2 := -mavx2
LANES_FLAGS_avx512 := -mavx512f -mavx512dq -mprefer-vector-width=512

SUPPORT_OBJECTS := $(patsubst %.c,$(B)/%.o,$(filter-out tests/test_%,$(wildcard tests/*.c)) tests/fuzz/targets.c)
FUZZ := $(B)/tests/fuzz/fuzz
LANES_SOURCES := simd simd_search
LANES_OBJECTS := $(foreach source,$(LANES_SOURCES),$(LANES:%=$(B)/$(source)/%.o))
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(LANES_OBJECTS)
TEST_PROGRAMS := $(TESTS:%.c=$(B)/%)
BENCH := $(B)/tests/bench/bench
MAIN := $(B)/harness/cli/main.o
PROGRAM_OBJECTS := $(TEST_PROGRAMS:=.o) $(BENCHES:%.c=$(B)/%.o) $(SUPPORT_OBJECTS) $(FUZZ).o $(MAIN)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all test-faults peer help docs-results sensitivity test bench bench-large sanitize lint install install-headers clean valgrind tests-built unit fuzz fuzz-run test-portability coverage coverage-run mutate

## all: build the program (the default)
all: $(B)/hullbench
	@ln -sf $< hullbench

## help: list the targets
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

$(B)/libhullbench.a: $(OBJECTS)
	@rm -f $@
	$(Q)ar rcs $@ $^

$(B)/hullbench: $(MAIN) $(B)/libhullbench.a solvers/plugin.symbols
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -Wl,--dynamic-list=solvers/plugin.symbols -o $@ $(filter-out %.symbols,$^) $(REPORT_LDLIBS) $(ALL_LDLIBS)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(LDFLAGS)' '$(REPORT_LDLIBS) $(ALL_LDLIBS)' >$(B)/flags

define LANES_RULE
$(LANES:%=$(B)/$(1)/%.o): $(B)/$(1)/%.o: solvers/kernel/$(1).c Makefile
	@mkdir -p $$(@D)
	@echo "  CC $$< ($$*)"
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-psabi $$(LANES_FLAGS_$$*) -DLANES_NAME=$$* -MMD -MP -c -o $$@ $$<
endef
$(foreach source,$(LANES_SOURCES),$(eval $(call LANES_RULE,$(source))))

$(SOURCES:%.c=$(B)/%.o) $(PROGRAM_OBJECTS): $(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  CC $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(OPTIONAL) -DHULLBENCH_BUILD='"$(strip $(CC) $(OPT) $(DIALECT) $(SANITIZE) $(CFLAGS) $(EXTRA))"' -MMD -MP -c -o $@ $<

$(TEST_PROGRAMS): $(B)/%: $(B)/%.o $(SUPPORT_OBJECTS) $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(SUPPORT_OBJECTS) $(B)/libhullbench.a -lcmocka $(TEST_LDLIBS) $(REPORT_LDLIBS) $(ALL_LDLIBS)

$(BENCH): $(BENCHES:%.c=$(B)/%.o) $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(TEST_LDLIBS) $(REPORT_LDLIBS) $(ALL_LDLIBS)

tests-built: $(TEST_PROGRAMS) all

## test: build and run every test; ends in "N passed, N failed"
test: tests-built
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS) $(wildcard tests/test_*.sh)

## test-faults: every fault of tests/test_faults.sh, where `make test` takes some (half an hour)
test-faults: all
	$(Q)HULLBENCH_FAULTS=all BUILD=$(B) CC="$(CC)" tests/run.sh tests/test_faults.sh

## bench: measure speed as ratios in one run; writes results/bench.json (some ten minutes)
bench: $(BENCH)
	$(Q)$(BENCH) results/bench.json

## bench-large: the same for 50 000 patterns; writes results/bench-large.json
bench-large: $(BENCH)
	$(Q)$(BENCH) results/bench-large.json huge

## sanitize: the unit tests under address and undefined-behaviour sanitizers
sanitize:
	$(Q)$(MAKE) OPT=-O1 SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" unit

## test-portability: the same bytes from every compiler, optimisation, vector width, number of threads, and aarch64 (half an hour)
test-portability: all
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh tests/portability.sh

## coverage: line coverage of solvers/ and harness/ by all tests, by folder; status 1 below 90 % (gcov)
coverage:
	$(Q)$(MAKE) OPT=-O1 SANITIZE=--coverage coverage-run

# Profiles that a test's full disk leaves unwritten are no matter of the program's.
coverage-run: $(TEST_PROGRAMS) $(B)/hullbench
	$(Q)find $(B) -name '*.gcda' -exec rm {} +
	$(Q)status=0; GCOV_ERROR_FILE=/dev/null BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS) $(wildcard tests/test_*.sh) || status=$$?; \
	  tests/coverage.sh $(B) || status=$$?; exit $$status

MUTANTS ?= 300
SEED ?= 1
JOBS ?= 2

## mutate: how many of MUTANTS (300) small faults, chosen by SEED (1), the tests notice; JOBS (2) at a time; status 1 below 95 % (hours)
mutate:
	$(Q)python3 tests/mutate.py --mutants $(MUTANTS) --seed $(SEED) --jobs $(JOBS)

# The readers under libFuzzer, which is clang's, with sanitizers; the seeds are the files of tests/fuzz/corpus.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= $(notdir $(wildcard tests/fuzz/corpus/*))

$(FUZZ): $(FUZZ).o $(B)/tests/fuzz/targets.o $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(ALL_LDLIBS)

## fuzz: fuzz each reader of files for FUZZ_SECONDS (60) under sanitizers; needs clang; FUZZ_TARGETS="csv model" for some
fuzz:
	$(Q)$(MAKE) CC=clang OPT=-O1 SANITIZE="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined \
	  -fno-omit-frame-pointer" FUZZ_SECONDS="$(FUZZ_SECONDS)" FUZZ_TARGETS="$(FUZZ_TARGETS)" fuzz-run

fuzz-run: $(FUZZ)
	$(Q)tests/fuzz/run.sh $(FUZZ) $(FUZZ_SECONDS) $(FUZZ_TARGETS)

## unit: the unit tests only (no whole-program scripts)
unit: $(TEST_PROGRAMS) $(B)/hullbench
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS)

## valgrind: the unit tests under valgrind's memory checker
valgrind: $(TEST_PROGRAMS)
	$(Q)BUILD=$(B) TEST_WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full" tests/run.sh $(TEST_PROGRAMS)

RESULTS ?= results

## docs-results: make docs/results anew from the full run in RESULTS (default: results)
docs-results: all
	$(Q)folders=; for config in configs/*.json; do folder=$(RESULTS)/$$(basename $$config .json); \
	  [ ! -e $$folder/run.json ] || folders="$$folders $$folder"; done; \
	[ -n "$$folders" ] || { echo "docs-results: $(RESULTS) holds no run of a configuration in configs/" >&2; exit 2; }; \
	rm -rf docs/results; $(B)/hullbench report --markdown docs/results $$folders

## sensitivity: run tables of the papers with one convention changed at a time; counts into docs/sensitivity.md (about 20 CPU minutes)
sensitivity: all
	$(Q)HULLBENCH=$(B)/hullbench scripts/sensitivity.sh --page docs/sensitivity.md

## lint: strict warnings as errors under gcc and clang, cppcheck, shellcheck (each where installed)
lint:
	$(Q)tests/lint.sh

# The library: what `make install` puts beside the program. It shows the names of harness/library/hullbench.h and no others; the
# archive is one object for that reason.
VERSION = $(shell sed -n 's/.*HULLBENCH_VERSION "\(.*\)"/\1/p' harness/run/run.h)
SONAME := libhullbench.so.0
LIBRARY_OBJECTS := $(filter-out $(B)/harness/cli/% $(B)/harness/report/%,$(OBJECTS))

$(B)/lib/$(SONAME): $(LIBRARY_OBJECTS) harness/library/library.symbols
	@mkdir -p $(@D)
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--version-script=harness/library/library.symbols \
	  -o $@ $(LIBRARY_OBJECTS) $(ALL_LDLIBS)

$(B)/lib/libhullbench.a: $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	@echo "  AR $@"
	$(Q)$(LD) -r -o $(@D)/hullbench.o $^
	$(Q)objcopy -w --keep-global-symbol='hullbench_*' $(@D)/hullbench.o
	@rm -f $@
	$(Q)ar rcs $@ $(@D)/hullbench.o

# The headers of plugins as they are installed: solvers/plugin.h with all it includes, as <hullbench/solvers/...>.
PUBLIC = $(filter-out /usr/%,$(filter %.h,$(shell $(CC) $(BASE) -MM solvers/plugin.h)))
INSTALL_HEADER = sed 's|^\#include "solvers/\(.*\)"|\#include <hullbench/solvers/\1>|'

## peer: the plugin with LIBSVM's solvers, where libsvm-dev is installed; prints its path
peer: $(B)/libsvm_peer.so
	@echo $<

$(B)/libsvm_peer.so: solvers/peer/libsvm.c Makefile
	@$(if $(HAVE_LIBSVM),true,echo "libsvm/svm.h is not here: install libsvm-dev" >&2; exit 4)
	@mkdir -p $(@D)
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fno-openmp -shared -MMD -MP -MF $(@:.so=.d) -o $@ $< -lsvm

## install: install under PREFIX (default /usr/local), libraries in LIBDIR (PREFIX/lib); DESTDIR is honoured
install: all $(B)/lib/$(SONAME) $(B)/lib/libhullbench.a install-headers
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin share/man/man1 share/man/man3 share/hullbench share/bash-completion/completions)
	install -m 755 $(B)/hullbench $(DESTDIR)$(PREFIX)/bin/hullbench
	install -m 644 docs/hullbench.1 $(DESTDIR)$(PREFIX)/share/man/man1/hullbench.1
	install -m 644 docs/libhullbench.3 $(DESTDIR)$(PREFIX)/share/man/man3/libhullbench.3
	install -m 644 docs/hullbench.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/hullbench
	install -m 644 COPYING $(DESTDIR)$(PREFIX)/share/hullbench/COPYING
	for folder in results/paper results/baselines configs configs/sensitivity plots docs docs/ci docs/templates docs/examples datasets scripts; do \
	  install -d $(DESTDIR)$(PREFIX)/share/hullbench/$$folder; \
	  for f in $$folder/*; do [ -f $$f ] && install -m 644 $$f $(DESTDIR)$(PREFIX)/share/hullbench/$$folder/; done; done; true
	chmod 755 $(DESTDIR)$(PREFIX)/share/hullbench/datasets/fetch.sh $(DESTDIR)$(PREFIX)/share/hullbench/scripts/*.sh
	install -d $(DESTDIR)$(LIBDIR)
	install -m 644 $(B)/lib/libhullbench.a $(DESTDIR)$(LIBDIR)/libhullbench.a
	install -m 755 $(B)/lib/$(SONAME) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libhullbench.so

## install-headers: the headers and hullbench.pc alone, which is all that compiling a plugin needs
install-headers:
	install -d $(addprefix $(DESTDIR)$(PREFIX)/include/hullbench/,$(sort $(dir $(PUBLIC)))) $(DESTDIR)$(LIBDIR)/pkgconfig
	for header in $(PUBLIC); do \
	  $(INSTALL_HEADER) $$header >$(DESTDIR)$(PREFIX)/include/hullbench/$$header || exit; done
	echo '#include <hullbench/solvers/plugin.h>' >$(DESTDIR)$(PREFIX)/include/hullbench/solver.h
	install -m 644 harness/library/hullbench.h $(DESTDIR)$(PREFIX)/include/hullbench/hullbench.h
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@PRIVATE@|$(strip $(ALL_LDLIBS)) -fopenmp|' harness/library/hullbench.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/hullbench.pc

## clean: remove everything built
clean:
	rm -rf build hullbench

-include $(OBJECTS:.o=.d) $(PROGRAM_OBJECTS:.o=.d) $(B)/libsvm_peer.d

# print-NAME: show a variable
print-%:
	@echo '$($*)'
