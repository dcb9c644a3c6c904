.PHONY: bench-built bench bench-check bench-large bench-peers bench-rates bench-auto

$(BENCH): $(BENCHES:%.c=$(B)/%.o) $(B)/tests/load_dataset.o $(B)/libhullbench.a
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PROGRAM_LDLIBS) $(ALL_LDLIBS) -ldl

# What is measured, for the tables of docs/performance.md.
MEASURED_COMMIT = HULLBENCH_COMMIT=$$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)

# Third-party solvers, as far as installed.
bench-built: $(BENCH) $(B)/hullbench
	$(Q)CC="$(firstword $(CC))" tests/bench/peers/build.sh $(dir $(BENCH))peers build/libsvm-3.37

## bench: speed as ratios in one run; writes results/bench.json (three minutes; LIBSVM_SOURCE: docs/performance.md)
bench: bench-built
	$(Q)$(MEASURED_COMMIT) $(BENCH) results/bench.json

## bench-check: whether speed was lost against tests/bench/ratios.json; status 1 if so (a minute; UPDATE=1 stores)
bench-check: bench-built
	$(Q)mkdir -p results
	$(Q)python3 tests/bench/check.py $(BENCH) tests/bench/ratios.json results/bench-check.json $(if $(UPDATE),--update)

## bench-large: 50 000 patterns, sparse ones, files; writes results/bench-large.json, bench-reading.json (16 minutes)
bench-large: bench-built
	$(Q)mkdir -p results
	$(Q)$(MEASURED_COMMIT) python3 tests/bench/reading.py $(B)/hullbench results/bench-reading.json
	$(Q)$(MEASURED_COMMIT) $(BENCH) results/bench-large.json huge process sparse-large

## bench-peers: the same with all installed peers; writes results/bench-peers.json, bench-linear.json (half an hour)
bench-peers: bench-built
	$(Q)mkdir -p results
	$(Q)$(MEASURED_COMMIT) python3 tests/bench/linear.py $(B)/hullbench results/bench-linear.json
	$(Q)$(MEASURED_COMMIT) $(BENCH) results/bench-peers.json peers peers-huge

## bench-rates: measured linear rates against their bounds; writes results/bench-rates.json
bench-rates: $(BENCH)
	$(Q)mkdir -p results
	$(Q)$(BENCH) results/bench-rates.json rates

## bench-auto: the solvers that --solver auto may choose, on generated files; writes results/bench-auto.jsonl (hours)
bench-auto: all
	$(Q)python3 tests/bench/measure_auto.py $(B)/hullbench results/bench-auto.jsonl --break-even
	$(Q)python3 tests/bench/measure_auto.py $(B)/hullbench results/bench-auto.jsonl --draw 1,90
