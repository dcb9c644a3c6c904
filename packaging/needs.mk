# Requirements beyond the C library, as header:library:licence:Debian package; checked once, before compiling.
NEEDS := cjson/cJSON.h:cjson:MIT:libcjson-dev gsl/gsl_math.h:gsl:GPL-3.0-or-later:libgsl-dev \
         sha2.h:md:BSD-3-Clause:libmd-dev zlib.h:z:Zlib:zlib1g-dev \
         md4c.h:md4c:MIT:libmd4c-dev archive.h:archive:BSD-2-Clause:libarchive-dev \
         omp.h:m:Apache-2.0:libomp-dev
TEST_NEEDS := cmocka.h:cmocka:Apache-2.0:libcmocka-dev matio.h:matio:BSD-2-Clause:libmatio-dev

define LOOK_FOR
@mkdir -p $(@D)
@command -v $(firstword $(CC)) >/dev/null || { echo "$(firstword $(CC)) is not installed" >&2; exit 4; }
@missing=; for need in $(1); do \
  header=$${need%%:*} package=$${need##*:}; library=$${need#*:}; library=$${library%%:*}; \
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
