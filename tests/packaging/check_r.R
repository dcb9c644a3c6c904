# Tests of bindings/R/hullbench.R. Usage: Rscript check_r.R MODULE WORK HULLBENCH. WORK has the run folders `first`,
# with traces and figures drawn without pictures, and `second`. Prints a line for each test; stops at the first failure.
words <- commandArgs(TRUE)
source(words[1])
setwd(words[2])
options(hullbench = words[3], warn = 2)

test <- function(sentence, holds) {
    if (!isTRUE(holds)) stop(sentence, ": ", paste(format(holds), collapse = " "), call. = FALSE)
    cat("ok:", sentence, "\n")
}
fails <- function(expression) inherits(try(expression, silent = TRUE), "try-error")
export <- function(...) stopifnot(system2(words[3], c("export", ...)) == 0)

# ---- reading ----

export("first", "second", "--out=two.csv", "--traces=twot.csv")
frame <- hullbench_read("two.csv")
texts <- read.csv("two.csv", colClasses = "character", check.names = FALSE)
texts$config <- sub("^'@first$", "@first", texts$config)
test("rows and columns are those of the file", nrow(frame) == nrow(texts) && identical(names(frame), names(texts)))
# R's conversion may lose one unit in the last place.
same <- vapply(names(frame), function(name) {
    given <- texts[[name]] != ""
    value <- frame[[name]]
    identical(!is.na(value), given) && (if (is.numeric(value)) {
        numbers <- vapply(texts[[name]][given], function(text) eval(parse(text = text)), 0)
        all(abs(value[given] - numbers) <= 2^-52 * abs(numbers))
    } else all(as.character(value[given]) == texts[[name]][given]))
}, NA)
test("every value is that of the file, and empty fields are missing", all(same))
test("costs are numbers and solvers texts",
     is.numeric(frame$kernel_operations_iterations) && is.character(frame$solver))
test("folders give the same frame", identical(hullbench_read("first", "second"), frame))
test("so do their traces", identical(hullbench_traces("first", "second"), hullbench_traces("twot.csv")))
test("traces belong to records", all(hullbench_traces("first")$record %in% hullbench_read("first")$record))
test("a folder that is not there is refused", suppressWarnings(fails(hullbench_read("nowhere", "first"))))

# ---- profiles ----

made <- function(costs, outcome = "converged") {
    grid <- expand.grid(split = seq_len(ncol(costs)), s = seq_len(nrow(costs)))
    data.frame(dataset = "d", split = grid$split, solver = paste0("s", grid$s), kernel = "linear", stop = "kkt",
               tolerance = 1e-3, problem = grid$split, series = paste0("s", grid$s),
               outcome = c(t(matrix(outcome, nrow(costs), ncol(costs)))), iterations = c(t(costs)))
}
limit <- c("converged", "iteration-limit")[c(1, 1, 1, 1, 1, 1, 1, 1, 2, 2)]
ratios <- hullbench_ratios(made(rbind(c(2, 6, 0, 5, 7), c(4, 3, 0, 0, 7)), limit), "iterations")
test("ratios by hand", identical(unname(ratios), cbind(c(1, 2, 1, Inf, Inf), c(2, 1, 1, 1, Inf))))
steps <- hullbench_profile(made(rbind(c(2, 6), c(1, 1)), c("converged", "stalled")), "iterations")
test("a series that solves nothing is still named", identical(levels(steps$series), c("s1", "s2")) &&
    identical(as.character(steps$series), "s1") && steps$ratio == 1 && steps$share == 1)
both <- hullbench_read("first", "second")
test("problems differ by kernel",
     all(tapply(both$kernel_width, both$problem, function(width) length(unique(width))) == 1) &&
         length(unique(both$kernel_width)) > 2)
test("a failed record is not solved",
     identical(unname(hullbench_ratios(made(rbind(c(1, 1), c(2, 1)), c("converged", "converged", "failed", "failed")),
                                       "iterations")), cbind(c(1, Inf), c(2, Inf))))
test("a problem that a series lacks is left out for all",
     identical(unname(suppressWarnings(hullbench_ratios(made(rbind(c(1, 5, 3), c(2, 4, 9)))[-2, ], "iterations"))),
               cbind(c(1, 1), c(2, 3))))
test("a negative cost is refused", fails(hullbench_ratios(made(rbind(-1, 2)), "iterations")))
test("an unknown metric is refused", fails(hullbench_ratios(made(rbind(1, 2)), "nowhere")))
test("two costs of one record are refused",
     fails(hullbench_ratios(rbind(made(rbind(1)), made(rbind(2))), "iterations")))
timed <- made(rbind(c(5, 6), c(7, 8)))
timed$seconds <- c(0.5, 0.4, 0.3, 0.0009)
timed$cpu_seconds_median <- c(0.2, NA, 0.2, 0.2)
test("mixed times are refused, and short single shots",
     fails(hullbench_ratios(timed, "seconds")) && fails(hullbench_ratios(timed[-10], "seconds")) &&
         identical(unname(suppressWarnings(hullbench_ratios(timed[-2, ], "seconds"))), cbind(1, 1)))

# The steps as harness/figure/profile_steps.c prints them between the ends of an axis: of steps too close together, only
# the last.
drawn <- function(own, high) {
    apart <- signif(high^(1 / 200), 12)
    points <- rbind(c(1, max(0, own$share[own$ratio <= 1])))
    own <- own[own$ratio > 1, ]
    following <- apart
    for (k in seq_len(nrow(own)))
        if (k == nrow(own) || own$ratio[k + 1] >= following) {
            points <- rbind(points, c(own$ratio[k], own$share[k]))
            following <- own$ratio[k] * apart
        }
    rbind(points, c(high, points[nrow(points), 2]))
}
for (metric in c("iterations", "kernel operations", "seconds")) {
    lines <- readLines(if (metric == "seconds") "first/plots/times.dat" else "first/plots/all.dat")
    heads <- grep("^#", lines)
    steps <- hullbench_profile(hullbench_read("first"), sub(" ", "_", metric))
    blocks <- heads[startsWith(lines[heads], paste0("# ", metric, ":"))]
    same <- length(blocks) == nlevels(steps$series)
    for (s in seq_along(blocks)) {
        rows <- lines[seq(blocks[s] + 1, min(c(heads[heads > blocks[s]], length(lines) + 1)) - 1)]
        rows <- as.matrix(read.table(text = rows[rows != ""]))
        mine <- drawn(steps[steps$series == levels(steps$series)[s], ], max(1, steps$ratio))
        same <- same && nrow(rows) == nrow(mine) && nrow(rows) > 2 && all(abs(rows - mine) <= 2^-52 * mine)
    }
    test(paste("the profile of", metric, "is that of the figure"), same)
}
grDevices::pdf("profile.pdf")
hullbench_draw_profile(steps)
hullbench_draw_profile(hullbench_profile(made(rbind(1), "stalled"), "iterations"))
invisible(grDevices::dev.off())
test("profiles are drawn", file.size("profile.pdf") > 1000)
