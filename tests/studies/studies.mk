.PHONY: studies

tests-built: studies

## studies: build build/bias-forms and build/dual-change, the programs of docs/deviations.md
studies: $(B)/tests/studies/bias_forms $(B)/tests/studies/dual_change
	@ln -sf ../$(B)/tests/studies/bias_forms build/bias-forms
	@ln -sf ../$(B)/tests/studies/dual_change build/dual-change

$(B)/tests/studies/%: tests/studies/%.c $(B)/libtests.a $(B)/libhullbench.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PROGRAM_LDLIBS) $(ALL_LDLIBS)
