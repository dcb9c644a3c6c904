# Records of hullbench as data frames, in base R.
#
#     source("hullbench.R")
#     frame <- hullbench_read("results/my-run")        # one row per record; or a CSV file of `hullbench export`
#     points <- hullbench_traces("results/my-run")     # one row per point of a trace
#     steps <- hullbench_profile(frame)                # performance profile of kernel operations
#     hullbench_draw_profile(steps)
#
# CSV files need no program. A run folder is read by `hullbench export`, so the program must be on PATH, or
# options(hullbench = "/path/to/hullbench") must name it. docs/export.md describes the columns.

# Reads the records of run folders, or of one CSV file of `hullbench export`, into a data frame with one row per record.
# Missing values are NA, and counts are doubles, because kernel operations may exceed R's integers.
hullbench_read <- function(...) {
    paths <- c(...)
    if (length(paths) == 1 && !dir.exists(paths)) return(.hullbench_csv(paths))
    .hullbench_export(paths, "--out=%s")
}

# The same for traces; the file is one written by `hullbench export --traces`.
hullbench_traces <- function(...) {
    paths <- c(...)
    if (length(paths) == 1 && !dir.exists(paths)) return(.hullbench_csv(paths))
    .hullbench_export(paths, paste0("--out=", nullfile(), " --traces=%s"))
}

.hullbench_export <- function(paths, options) {
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    words <- c("export", sprintf(options, shQuote(file)), "--", shQuote(path.expand(paths)))
    if (system2(getOption("hullbench", "hullbench"), words) != 0)
        stop("hullbench export refused ", paste(paths, collapse = ", "), call. = FALSE)
    .hullbench_csv(file)
}

.hullbench_csv <- function(path) {
    frame <- utils::read.csv(path, colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8")
    # Texts without the apostrophe that keeps spreadsheets from computing them.
    frame[] <- lapply(frame, function(texts) sub("^'('*[=+@-])", "\\1", texts))
    names(frame) <- sub("^'('*[=+@-])", "\\1", names(frame))
    names <- c("folder", "config", "dataset", "split_source", "solver", "kernel", "stop", "outcome", "reason", "series",
               "trace")
    for (name in setdiff(names(frame), names)) frame[[name]] <- .hullbench_typed(frame[[name]])
    frame
}

# Converts texts to logical values or numbers, if all are. R's conversion of decimal numbers may be off by the last bit.
.hullbench_typed <- function(texts) {
    given <- texts[!is.na(texts)]
    if (length(given) > 0 && all(given %in% c("true", "false"))) return(texts == "true")
    if (anyNA(suppressWarnings(as.numeric(given)))) texts else as.numeric(texts)
}

# The costs of the records; rejects times as harness/records/conditions.c does.
.hullbench_costs <- function(frame, metric) {
    if (metric == "kernel_operations") metric <- "kernel_operations_iterations"
    if (!metric %in% names(frame)) stop("metric: there is no column \"", metric, "\"", call. = FALSE)
    value <- frame[[metric]]
    if (metric == "seconds") {
        median <- if ("cpu_seconds_median" %in% names(frame)) frame$cpu_seconds_median else rep(NA, nrow(frame))
        single <- is.na(median) & !is.na(value)
        if (any(value[single] < 1e-3))
            stop("some times are single measurements below 1 ms; repeat the run (\"repeats\")", call. = FALSE)
        if (any(single) && any(!is.na(median)))
            stop("some times are single measurements, the others are medians over repeats", call. = FALSE)
        value <- ifelse(is.na(median), value, median)
    }
    if (any(value < 0, na.rm = TRUE))
        stop("metric: a value of \"", metric, "\" is negative, so it is no cost", call. = FALSE)
    value
}

# Costs as ratios to the best: a matrix with one row per problem and one column per series.
#
# The columns `problem` and `series` of the frame say which records belong together: a problem is a data set and split
# with a kernel, a stopping rule, its tolerance, mu and C; a series is a solver with its other parameters. A ratio is
# the cost divided by the smallest cost of any series on the problem, so at least 1. It is infinite if the series failed
# or did not converge, or if the smallest cost is 0 and this one is not. Problems of which some series has no record are
# left out with a warning, as in the figure "profile" of hullbench (harness/compare/series_set.c). `metric` is a column
# of the frame; "kernel_operations" are those of the iterations. "seconds" is the median processor time if runs were
# repeated; single runs below 1 ms are rejected. To compare only some solvers, select rows before the call: the best is
# the best in the frame. Several folders must be read together, and be of the same data.
hullbench_ratios <- function(frame, metric = "kernel_operations") {
    ran <- frame$outcome != "failed"
    value <- rep(Inf, nrow(frame))
    value[ran] <- .hullbench_costs(frame[ran, , drop = FALSE], metric)
    labels <- unique(frame$series)
    problem <- match(frame$problem, unique(frame$problem))
    series <- match(frame$series, labels)
    value[frame$outcome != "converged" | !is.finite(value)] <- Inf
    costs <- seen <- matrix(Inf, max(0, problem), max(0, series), dimnames = list(NULL, labels))
    cells <- cbind(problem, series)
    costs[cells] <- value
    if (any(costs[cells] != value))
        stop("two records of one solver on one problem, with the same settings, have different costs", call. = FALSE)
    seen[cells] <- 0
    common <- rowSums(seen) == 0
    if (!all(common))
        warning(sum(!common), " of ", length(common),
                " problems are left out: not all series have records of them", call. = FALSE)
    costs <- costs[common, , drop = FALSE]
    best <- do.call(pmin, c(lapply(seq_len(ncol(costs)), function(s) costs[, s]), Inf))
    ratios <- costs / best
    ratios[is.infinite(costs)] <- Inf
    ratios[costs == best & is.finite(costs)] <- 1
    ratios
}

# The performance profile (Dolan and More, Mathematical Programming 91, 2002) of the records.
#
# rho_s(tau) is the share of the problems that series s solves at a cost of at most tau times the best, as in
# harness/stats/curves.c. The result has one row per step: series, ratio and share. The share is constant from that
# ratio to the next one, and 0 before the first. `series` is a factor, so the levels include series that solved nothing
# and have no rows.
hullbench_profile <- function(frame, metric = "kernel_operations") {
    ratios <- hullbench_ratios(frame, metric)
    steps <- lapply(seq_len(ncol(ratios)), function(s) {
        at <- sort(unique(ratios[is.finite(ratios[, s]), s]))
        share <- vapply(at, function(ratio) sum(ratios[, s] <= ratio), 0) / nrow(ratios)
        data.frame(series = rep(colnames(ratios)[s], length(at)), ratio = at, share = share)
    })
    steps <- do.call(rbind, c(list(data.frame(series = character(), ratio = numeric(), share = numeric())), steps))
    steps$series <- factor(steps$series, levels = colnames(ratios))
    steps
}

# Draws the result of hullbench_profile on the current device. Further arguments go to plot.
hullbench_draw_profile <- function(steps, ...) {
    end <- max(1, steps$ratio)
    colours <- grDevices::hcl.colors(max(2, nlevels(steps$series)), "Dark 3")
    graphics::plot(c(1, end), c(0, 1), type = "n", log = "x", xlab = "cost, as a multiple of the best",
                   ylab = "share of the problems", ...)
    for (s in seq_len(nlevels(steps$series))) {
        own <- steps[steps$series == levels(steps$series)[s], ]
        graphics::lines(c(1, own$ratio, end), c(0, own$share, max(0, own$share)), type = "s", col = colours[s], lwd = 2)
    }
    graphics::legend("bottomright", legend = levels(steps$series), col = colours, lwd = 2, bty = "n")
    invisible(steps)
}
