.PHONY: dist

DIST = hullbench-$(VERSION)

## dist: hullbench-VERSION.tar.gz of the last commit, or, without git, of the current files; its needs, and checksums
dist:
	$(Q)set -e; if [ -e .git ] && command -v git >/dev/null; then \
	  git archive --format=tar --prefix=$(DIST)/ HEAD >$(DIST).tar; \
	else \
	  tar -cf $(DIST).tar --sort=name --mtime=@$${SOURCE_DATE_EPOCH:-0} --owner=0 --group=0 --numeric-owner \
	    --mode=u=rwX,go=rX --exclude=datasets/cache --exclude='plots/*.svg' --exclude='plots/*.png' --exclude=__pycache__ \
	    --transform='flags=r;s|^|$(DIST)/|' .ci .dockerignore .github .gitignore CITATION.cff \
	    COPYING Makefile *.md codemeta.json run_all.sh baselines bindings configs datasets debian docs \
	    harness packaging papers plots results/README.md schemas scripts solvers tests; \
	fi; gzip -nf $(DIST).tar; \
	packaging/bill.sh $(VERSION) $(NEEDS) >$(DIST).cdx.json; \
	sha256sum $(DIST).tar.gz $(DIST).cdx.json >$(DIST).sha256; \
	echo $(DIST).tar.gz $(DIST).cdx.json $(DIST).sha256
