.PHONY: docs-images docs-paper docs-performance docs-results docs-man docs-html schemas sensitivity deviation-ids

## docs-paper: make docs/paper/atlas.tex from docs/atlas.md (needs pandoc)
docs-paper:
	$(Q)docs/paper/make.sh

## docs-performance: write the tables of docs/performance.md from the reports in RESULTS
docs-performance:
	$(Q)$(MEASURED_COMMIT) HULLBENCH=$(B)/hullbench python3 tests/bench/tables.py docs/performance.md $(RESULTS)

RESULTS ?= results

## docs-results: rewrite docs/results from the full run in RESULTS (default: results)
docs-results: all
	$(Q)folders=; for config in configs/*.json; do folder=$(RESULTS)/$$(basename $$config .json); \
	  [ ! -e $$folder/run.json ] || folders="$$folders $$folder"; done; \
	[ -n "$$folders" ] || { echo "docs-results: $(RESULTS) holds no run of a configuration in configs/" >&2; exit 2; }; \
	rm -rf docs/results; $(B)/hullbench report --markdown docs/results $$folders

## docs-images: draw the figures of the documents anew with the templates in plots/ (needs gnuplot)
docs-images:
	$(Q)docs/images.sh

## docs-man: the options in docs/hullbench.1 anew, from --help of each verb
docs-man: all
	$(Q)docs/man.sh $(B)/hullbench >$(B)/hullbench.1 && mv $(B)/hullbench.1 docs/hullbench.1

## schemas: write schemas/ and the tables of keys in the documents from the tables of members
schemas: $(B)/tests/docs/test_formats
	$(Q)$< write

## docs-html: the documents as a site with navigation and search in build/html (needs pandoc and python3)
docs-html:
	$(Q)rm -rf build/html
	$(Q)docs/site/site.py build/html

## sensitivity: write docs/sensitivity.md, the papers' tables with one convention changed at a time (20 CPU minutes)
sensitivity: all
	$(Q)HULLBENCH=$(B)/hullbench scripts/sensitivity.sh --page docs/sensitivity.md

## deviation-ids: write the ids of papers/*.deviations.json into docs/deviations.md
deviation-ids:
	$(Q)python3 scripts/deviation_ids.py
