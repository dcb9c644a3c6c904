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
PACKAGES := libcjson gsl
# No contraction and no -march: the bits are the same on every machine.
DIALECT := -std=c11 -ffp-contract=off -fno-math-errno -fopenmp
# harness/base/platform.c and solvers/kernel/pages.c alone define more.
BASE := $(DIALECT) -D_POSIX_C_SOURCE=200809L -ffile-prefix-map=$(CURDIR)=. -fPIC \
        -fno-semantic-interposition -I. $(WARN)
packages = $(foreach package,$(PACKAGES),$(shell $(PKG_CONFIG) $(1) $(package) 2>/dev/null))
# -g1: lines for reports of tools; all debug information takes a sixth longer to compile. EXTRA=-g has it.
ALL_CFLAGS := $(OPT) -g1 $(BASE) $(SANITIZE) $(call packages,--cflags) $(CPPFLAGS) $(CFLAGS) $(EXTRA)
include packaging/toolchain.mk
ALL_LDLIBS := $(foreach package,$(PACKAGES),$(shell $(PKG_CONFIG) --libs $(package) 2>/dev/null)) -lmd -lz \
              $(if $(ARCHIVE_SONAME),,-larchive) -ldl -lm $(LDLIBS)
# Markdown in the report.
PROGRAM_LDLIBS := $(shell $(PKG_CONFIG) --libs md4c 2>/dev/null || echo -lmd4c)

LANES_SOURCES := simd simd_search
SOURCES := $(filter-out $(LANES_SOURCES:%=solvers/kernel/%.c) harness/cli/main.c solvers/peer/%, \
             $(sort $(shell find solvers harness -name '*.c' ! -name 'test_*.c')))
TESTS := $(sort $(shell find solvers harness tests -name 'test_*.c'))
TEST_SCRIPTS := $(sort $(wildcard tests/*/test_*.sh))
BENCHES := $(sort $(filter-out tests/bench/test_%,$(wildcard tests/bench/*.c)))
# Only tests and the bench use LIBSVM and MPFR, if installed.
OPTIONAL := -DHAVE_LIBSVM=$(if $(HAVE_LIBSVM),1,0) -DHAVE_MPFR=$(if $(HAVE_MPFR),1,0) \
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
.DEFAULT_GOAL := all
.PHONY: all help tests-built test check unit install uninstall clean FORCE

## all: build the program (the default)
all: $(B)/hullbench
	@ln -sf $< hullbench

## help: list the targets
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

# Each of these files says what it builds, beside what it serves.
include $(filter-out packaging/toolchain.mk,\
  $(wildcard docs/*.mk harness/library/*.mk packaging/*.mk solvers/peer/*.mk tests/*.mk tests/*/*.mk))

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

tests-built: $(TEST_PROGRAMS) $(BENCH) all

## test, check: build and run every test; ends in "N passed, N failed"
check: test
test: tests-built
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS) $(TEST_SCRIPTS)

## unit: only the unit tests (no whole-program scripts)
unit: $(TEST_PROGRAMS) $(B)/hullbench
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh $(TEST_PROGRAMS)

# The source folders whose files go to share/hullbench, the installation folders, and the installed files.
SHARED := papers baselines configs configs/deviations configs/examples configs/minkowski configs/mu-mdm \
          configs/sensitivity configs/smo-steps plots docs docs/ci docs/templates docs/examples docs/solvers datasets \
          schemas scripts \
          bindings/python bindings/R bindings/octave bindings/julia
# The first use looks for them, and the others take what it found.
SHARED_FILES = $(eval SHARED_FILES := COPYING run_all.sh \
  $(sort $(shell find $(SHARED) -maxdepth 1 -type f ! -name '.*' ! -name '*.mk')))$(SHARED_FILES)
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

## uninstall: remove the installed files; takes the same PREFIX, LIBDIR and DESTDIR
uninstall:
	rm -f $(TO)/bin/hullbench $(addprefix $(TO)/,$(DOC_FILES)) $(addprefix $(TO)/share/hullbench/,$(SHARED_FILES)) \
	  $(addprefix $(TO)/include/hullbench/,$(PUBLIC) solver.h hullbench.h) \
	  $(addprefix $(TO_LIB)/,libhullbench.a $(SONAME) libhullbench.so pkgconfig/hullbench.pc)
	for folder in $(TO)/share/hullbench $(TO)/include/hullbench; do \
	  [ ! -d $$folder ] || find $$folder -depth -type d -exec rmdir --ignore-fail-on-non-empty {} +; done

## clean: remove everything built
clean:
	rm -rf build hullbench

-include $(OBJECTS:.o=.d) $(PROGRAM_OBJECTS:.o=.d) $(B)/libsvm_peer.d

# print-NAME: show a variable
print-%:
	@echo '$($*)'
