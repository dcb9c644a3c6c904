# What the compiler, the linker and the installed libraries offer.

# The program loads libarchive by its name when a file needs it (harness/support/archive_functions.h). It is linked if
# its name cannot be found out, or with ARCHIVE_SONAME= .
soname = $(shell LC_ALL=C objdump -p "$$($(CC) -print-file-name=lib$(1).so)" 2>/dev/null | sed -n 's/^ *SONAME *//p')
ifeq ($(origin ARCHIVE_SONAME),undefined)
ARCHIVE_SONAME := $(call soname,archive)
endif

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
