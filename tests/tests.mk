.PHONY: check-records check-records-all test-faults test-kills sanitize sanitize-threads test-portability \
        test-packages coverage coverage-run mutate unit-short valgrind lint

## check-records: compare the records of ./run_all.sh --quick with tests/records.sha256 (a minute)
check-records: all
	$(Q)HULLBENCH=$(B)/hullbench tests/check_records.sh

## check-records-all: also those of ./run_all.sh (half an hour)
check-records-all: all
	$(Q)HULLBENCH=$(B)/hullbench tests/check_records.sh '*'

## test-faults: the faults of tests/faults/test_faults.sh, of which `make test` runs a selection (45 minutes)
test-faults: all
	$(Q)HULLBENCH_FAULTS=all BUILD=$(B) CC="$(CC)" tests/run.sh tests/faults/test_faults.sh

## test-kills: kill run_all.sh --quick, a run and a report at 200 moments each and compare what they end with (an hour)
test-kills: all
	$(Q)BUILD=$(B) CC="$(CC)" tests/run.sh tests/faults/kills.sh

SANITIZERS := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=undefined -fno-omit-frame-pointer

## sanitize: all tests under address and undefined-behaviour sanitizers (an hour)
sanitize:
	$(Q)OMP_NUM_THREADS=1 $(MAKE) OPT=-O1 SANITIZE="$(SANITIZERS)" test

## sanitize-threads: the unit tests under clang's thread sanitizer, with LLVM's OpenMP library and its archer (an hour)
sanitize-threads:
	$(Q)OMP_TOOL_LIBRARIES=$$(clang -print-resource-dir)/../../libarcher.so \
	  TSAN_OPTIONS="ignore_noninstrumented_modules=1 allocator_may_return_null=1" \
	  $(MAKE) CC=clang OPT=-O1 SANITIZE="-fsanitize=thread -fno-omit-frame-pointer" unit

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

## lint: the rules of CONTRIBUTING.md on folders and lines; strict warnings of gcc and clang, cppcheck, shellcheck
lint:
	$(Q)tests/lint/lint.sh
