.PHONY: fuzz-seeds fuzz fuzz-run

## fuzz-seeds: the seeds of `make fuzz`, and variants of them, under the same sanitizers, with clang if it is installed
fuzz-seeds:
	$(Q)$(MAKE) CC=$(if $(shell command -v clang),clang,$(CC)) OPT=-O1 SANITIZE="$(SANITIZERS)" \
	  TESTS=tests/fuzz/test_corpora.c unit

# The file readers under libFuzzer, which needs clang, with sanitizers; seeds are in tests/fuzz/corpus.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= $(notdir $(wildcard tests/fuzz/corpus/*))

$(FUZZ): $(FUZZ).o $(B)/libtests.a $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(PROGRAM_LDLIBS) $(ALL_LDLIBS)

## fuzz: each file reader for FUZZ_SECONDS (60) under sanitizers; needs clang; FUZZ_TARGETS="csv model" selects some
fuzz:
	$(Q)$(MAKE) CC=clang OPT=-O1 SANITIZE="$(SANITIZERS) -fsanitize=fuzzer-no-link" EXTRA=-DINPUT_CHUNK=300 \
	  FUZZ_SECONDS="$(FUZZ_SECONDS)" FUZZ_TARGETS="$(FUZZ_TARGETS)" fuzz-run

fuzz-run: $(FUZZ)
	$(Q)tests/fuzz/fuzz_readers.sh $(FUZZ) $(FUZZ_SECONDS) $(FUZZ_TARGETS)
