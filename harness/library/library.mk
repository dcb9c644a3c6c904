.PHONY: abi install-headers

# The library that `make install` installs with the program. It exports only the names in harness/library/hullbench.h;
# for that reason the archive is a single object.
VERSION = $(shell sed -n 's/.*HULLBENCH_VERSION "\(.*\)"/\1/p' harness/library/version.h)
SONAME := libhullbench.so.1
LIBRARY_FOLDERS := evaluate library
LIBRARY_OBJECTS := $(filter $(B)/solvers/% $(LIBRARY_FOLDERS:%=$(B)/harness/%/%),$(OBJECTS)) $(LANES_OBJECTS)
LIBRARY_LDLIBS := $(shell $(PKG_CONFIG) --libs gsl 2>/dev/null) -lm $(LDLIBS)

# Debug information describes the types of the ABI.
$(B)/harness/library/%.o: ALL_CFLAGS += -g
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
