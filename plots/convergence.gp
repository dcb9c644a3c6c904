# The duality gap and the objective above the best, each against iterations and against kernel operations. Of one split:
# columns iteration kernel_operations gap excess, a block a trace. Over splits: columns iterations or kernel operations,
# quartile 1, median, quartile 3 of the gap, the same of the excess; two blocks a series.
n_series = |series|
n_rows = (low[3] == low[3]) + (low[4] == low[4])
width = 1080
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
panel = n_rows == 1 ? 400 : 320
foot = 70.0 + 14 * caption_lines
height = head + panel * n_rows + 20 * (n_rows - 1) + foot
array x_axes[2] = ["iterations", "kernel operations"]
array y_axes[2] = ["duality gap", "objective above the best, f − f*"]
at_least(value, other) = value == value ? value : other

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set logscale xy
    set grid xtics ytics
    drawn = 0
    do for [q = 1:2] {
        if (low[2 + q] == low[2 + q]) {
            drawn = drawn + 1
            upper = head + (panel + 20) * (drawn - 1)
            set tmargin at screen 1 - upper / height
            set bmargin at screen 1 - (upper + panel) / height
            bottom = log_low(low[2 + q], high[2 + q], 2)
            top = log_high(low[2 + q], high[2 + q], 2)
            set yrange [bottom:top]
            eval "set ytics " . log_tics(bottom, top)
            do for [p = 1:2] {
                set lmargin at screen (90.0 + 510 * (p - 1)) / width
                set rmargin at screen (90.0 + 510 * (p - 1) + 450) / width
                from = log_low(low[p], high[p], 1.2)
                to = log_high(low[p], high[p], 1.2)
                set xrange [from:to]
                if (drawn == n_rows) {
                    eval "set xtics " . log_tics(from, to)
                    set xlabel x_axes[p]
                } else {
                    eval "set xtics " . without_text(log_tics(from, to))
                    unset xlabel
                }
                if (p == 1) { set ylabel y_axes[q] } else { unset ylabel }
                if (over_splits) {
                    plot for [s = 1:n_series] name . ".dat" index 2 * s + p - 3 \
                             using 1:(at_least(column(3 * q - 1), bottom)):3 * q + 1 with filledcurves \
                             fillcolor rgb colour(s) fillstyle transparent solid 0.15 noborder, \
                         for [s = 1:n_series] "" index 2 * s + p - 3 using 1:3 * q with lines \
                             linetype line(s) linecolor rgb colour(s) linewidth 1.6, \
                         for [s = 1:n_series] "" index 2 * s + p - 3 every 16::(2 * s) using 1:3 * q with points \
                             pointtype mark(s) pointsize 0.8 linecolor rgb colour(s)
                } else {
                    plot for [s = 1:n_series] name . ".dat" index s - 1 using p:2 + q with linespoints \
                        linetype line(s) linecolor rgb colour(s) linewidth 1.4 \
                        pointtype mark(s) pointsize 0.8 pointinterval 40 + 7 * s
                }
                unset label
                unset arrow
            }
        }
    }
    unset multiplot
}
unset output
