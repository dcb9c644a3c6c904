# Runs ksvm of kernlab, or svm of e1071.
#
# r_svm.R PACKAGE --version: prints the version; status 1 if the package is not installed
# r_svm.R PACKAGE DATA.csv GAMMA C TOLERANCE MEGABYTES OUT: trains on rows of label and features; writes to OUT the
# training time in seconds and one multiplier per row
arguments <- commandArgs(trailingOnly = TRUE)
package <- arguments[1]
if (!requireNamespace(package, quietly = TRUE)) quit(status = 1)
if (arguments[2] == "--version") {
    cat(format(packageVersion(package)), "\n", sep = "")
    quit(status = 0)
}
number <- as.numeric(arguments[3:6])
gamma <- number[1]; C <- number[2]; tolerance <- number[3]; megabytes <- number[4]
table <- as.matrix(read.csv(arguments[2], header = FALSE, colClasses = "numeric"))
y <- factor(table[, 1]); x <- table[, -1, drop = FALSE]
before <- proc.time()
if (package == "kernlab") {
    model <- kernlab::ksvm(x, y, type = "C-svc", kernel = "rbfdot", kpar = list(sigma = gamma), C = C,
                           tol = tolerance, cache = megabytes, scaled = FALSE, fit = FALSE)
} else {
    model <- e1071::svm(x, y, type = "C-classification", kernel = "radial", gamma = gamma, cost = C,
                        tolerance = tolerance, cachesize = megabytes, scale = FALSE, fitted = FALSE)
}
seconds <- sum((proc.time() - before)[1:2])
alpha <- numeric(nrow(x))
if (package == "kernlab") {
    alpha[kernlab::alphaindex(model)[[1]]] <- abs(kernlab::alpha(model)[[1]])
} else {
    alpha[model$index] <- abs(model$coefs[, 1])
}
writeLines(sprintf("%.17g", c(seconds, alpha)), arguments[7])
