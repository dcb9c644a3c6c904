.PHONY: peer

## peer: the plugin with LIBSVM's solvers, if libsvm-dev is installed; prints its path
peer: $(B)/libsvm_peer.so
	@echo $<

$(B)/libsvm_peer.so: solvers/peer/libsvm.c
	@$(if $(HAVE_LIBSVM),true,echo "libsvm/svm.h is not here: install libsvm-dev" >&2; exit 4)
	@mkdir -p $(@D)
	@echo "  LD $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fno-openmp -shared -MMD -MP -MF $(@:.so=.d) -o $@ $< -lsvm
