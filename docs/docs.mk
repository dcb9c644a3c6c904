.PHONY: docs-images docs-paper docs-performance docs-results docs-man docs-html schemas sensitivity deviation-ids

## docs-paper: make docs/paper/atlas.tex from docs/atlas.md (needs pandoc)
docs-paper:
	$(Q)docs/paper/make.sh

## docs-performance: write the tables of docs/performance.md from the three reports, as far as RESULTS has them
docs-performance:
	$(Q)$(MEASURED_COMMIT) HULLBENCH=$(B)/hullbench python3 tests/bench/tables.py docs/performance.md $(RESULTS)

RESULTS ?= results

## docs-results: rewrite docs/results from the full run in RESULTS (default: results)
docs-results: all
	$(Q)folders=; for config in configs/*.json; do folder=$(RESULTS)/$$(basename $$config .json); \
	  [ ! -e $$folder/run.json ] || folders="$$folders $$folder"; done; \
	[ -n "$$folders" ] || { echo "docs-results: $(RESULTS) holds no run of a configuration in configs/" >&2; exit 2; }; \
	rm -rf docs/results; $(B)/hullbench report --markdown docs/results $$folders

# Links between the pages lead to the HTML; what they link to beside pages is copied.
PAGES = $(filter-out CODE_OF_CONDUCT.md SECURITY.md,$(wildcard *.md)) datasets/README.md plots/README.md \
        $(sort $(shell find docs -name '*.md'))

## docs-images: draw the figures of the documents anew with the templates in plots/ (needs gnuplot)
docs-images:
	$(Q)docs/images.sh

## docs-man: the options in docs/hullbench.1 anew, from --help of each verb
docs-man: all
	$(Q)docs/man.sh $(B)/hullbench >$(B)/hullbench.1 && mv $(B)/hullbench.1 docs/hullbench.1

## schemas: write schemas/ and the tables of keys in the documents from the tables of members
schemas: $(B)/tests/docs/test_formats
	$(Q)$< write

## docs-html: the documents as HTML in build/html (needs pandoc)
docs-html:
	$(Q)rm -rf build/html
	$(Q)set -e; for page in $(PAGES); do \
	  html=build/html/$${page%.md}.html; mkdir -p $$(dirname $$html); \
	  LC_ALL=C.UTF-8 pandoc -f gfm -t html5 -s --metadata pagetitle="$$(sed -n '/^# /{s/^# //p;q}' $$page)" $$page | \
	    sed -E 's/(href="[^":]*)\.md(["#])/\1.html\2/g' >$$html; \
	done
	$(Q)cp -R CITATION.cff configs schemas build/html && \
	  cp -R docs/ci docs/examples docs/images build/html/docs && cp -R docs/results/figures build/html/docs/results

## sensitivity: write docs/sensitivity.md, the papers' tables with one convention changed at a time (20 CPU minutes)
sensitivity: all
	$(Q)HULLBENCH=$(B)/hullbench scripts/sensitivity.sh --page docs/sensitivity.md

## deviation-ids: write the ids of papers/*.deviations.json into docs/deviations.md
deviation-ids:
	$(Q)python3 scripts/deviation_ids.py
