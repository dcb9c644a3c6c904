# Solvers of hullbench in R. A declaration (docs/programs.md) names the program, which ends with
#
#     source(file.path(Sys.getenv("HULLBENCH_BINDINGS"), "R", "hullbench_solver.R"))
#     hullbench_serve(init, step, multipliers)
#
# hullbench calls init(problem) once a problem, then step() until its stopping rule is met or a budget is spent, and
# multipliers() when it wants the n multipliers. init and step return a list: objective (the function minimised), norm2
# (|W|^2), delta (the violation of the pair that the next step updates), and, where known, gap (of the whole problem),
# class_gap (of the classes 1 and -1), violation, updated_class (1, -1 or 0), no_choice (no update is admissible),
# no_step (the last step has changed nothing) and class_stuck. An error fails the job with its text.
#
# `problem` has n, y, tolerance (NaN if the solver ignores it), parameters (a named vector) and functions for kernel
# values, each of which is counted in kernel operations. Patterns are numbered from 1.
#
#     row(i)                          k(x_i, x_j) for all j; n operations
#     weighted_sum(patterns, weights) sum_k weights[k] k(x_patterns[k], x_j) for all j; n for each pattern
#     diagonal()                      k(x_j, x_j) for all j; n operations
#     values(i, j)                    k(x_i[k], x_j[k]) for all k; one operation each

hullbench_serve <- function(init, step, multipliers) {
    source <- file("stdin", "rb")
    sink_to <- file("/dev/stdout", "wb")
    sink(stderr()) # what the solver prints must not mix with frames

    take <- function(bytes) {
        content <- if (bytes > 0) readBin(source, "raw", bytes) else raw()
        if (length(content) < bytes) quit("no") # hullbench has closed the pipe
        content
    }
    frame <- function() {
        head <- take(8)
        list(kind = rawToChar(head[1]), content = take(readBin(head[5:8], "integer", 1)))
    }
    whole <- function(x) writeBin(as.integer(x), raw())
    real <- function(x) writeBin(as.double(x), raw())
    send <- function(kind, content = raw()) {
        writeBin(c(charToRaw(kind), raw(3), whole(length(content)), content), sink_to)
        flush(sink_to)
    }
    reals <- function() {
        content <- frame()$content
        readBin(content, "double", length(content) %/% 8)
    }
    ask <- function(kind, content = raw()) {
        send(kind, content)
        reals()
    }
    begin <- function(content) {
        numbers <- readBin(content[1:8], "integer", 2)
        count <- readBin(content[17:24], "integer", 2) # of parameters, and of the bytes of their names
        if (numbers[1] != 1L) stop("hullbench speaks version ", numbers[1], " of the protocol; this file has 1")
        at <- 24 + 8 * count[1]
        list(n = numbers[2], tolerance = readBin(content[9:16], "double", 1),
             parameters = setNames(readBin(content[25:length(content)], "double", count[1]),
                                   readBin(content[at + seq_len(count[2])], "character", count[1])),
             y = readBin(content[at + count[2] + seq_len(numbers[2])], "integer", numbers[2], size = 1),
             row = function(i) ask("R", whole(i - 1)),
             weighted_sum = function(patterns, weights)
                 ask("W", c(whole(c(length(patterns), 0)), real(weights), whole(patterns - 1))),
             diagonal = function() ask("D"),
             values = function(i, j) ask("V", c(whole(c(length(i), 0)), whole(i - 1), whole(j - 1))))
    }
    state <- function(given) {
        known <- modifyList(list(gap = NaN, class_gap = c(NaN, NaN), violation = NaN, updated_class = 0,
                                 no_choice = FALSE, no_step = FALSE, class_stuck = FALSE), given)
        send("P", c(real(c(known$objective, known$norm2, known$delta, known$violation, known$gap, known$class_gap)),
                    whole(c(known$updated_class, known$no_choice + 2 * known$no_step + 4 * known$class_stuck))))
    }
    answer <- function(now)
        switch(now$kind,
               B = state(init(begin(now$content))),
               S = state(step()),
               M = send("M", real(multipliers())))
    repeat {
        now <- frame()
        tryCatch(answer(now), error = function(e) {
            send("F", charToRaw(substr(conditionMessage(e), 1, 150)))
            quit("no", 1)
        })
    }
}
