# The duality gap and the objective above the best, each against iterations and against kernel operations. For one
# split: columns iteration kernel_operations gap excess at_limit, one block per trace. Over splits: columns iterations
# or kernel operations, quartile 1, median, quartile 3 of the gap, the same of the excess, at_limit; two blocks per
# series. at_limit: runs that were stopped at a limit, in the last row of a block.
n_series = |series|
# Ends of iterations, kernel operations, gap and excess; NaN: not drawn.
array low[4]
array high[4]
do for [k = 1:4] {
    eval forget
    set table $seen
    if (over_splits) {
        plot for [b = 0:2 * n_series - 1] data index b using (k > 2 ? widen(number(3 * k - 7), 1) + \
            widen(number(3 * k - 6), 1) + widen(number(3 * k - 5), 1) : b % 2 == k - 1 ? widen(number(1), 1) : 0) with table
    } else {
        plot for [b = 0:n_series - 1] data index b using (widen(number(k), 1)) with table
    }
    unset table
    low[k] = seen_low
    high[k] = seen_high
}
n_rows = (low[3] == low[3]) + (low[4] == low[4])
row_of(k) = n_rows == 2 ? (k + 1) / 2 : low[3] == low[3] ? 1 : 2
n_slots = slots(2 * n_rows)
array x_axes[2] = ["iterations", "kernel operations"]
array y_axes[2] = ["duality gap", paper ? "f − f*" : "objective above the best, f − f*"]
across = across_of(n_slots, 2, 90, 60, 20, 230)
panel_width = width_of(450, across, 90, 60, 20)
width = paper ? paper_width : 1080
panel_height = paper && across == 1 && !panel ? 0.58 * panel_width : \
    height_of(n_rows == 1 ? 400 : 320, panel_width, n_rows == 2 ? y_axes[2] : y_axes[row_of(1)])
alone = across == 1
gap = alone ? 64 : 20
head = head_of(n_series, 0)
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + 60
at_least(value, other) = value == value ? value : other

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set logscale xy
    set grid xtics ytics
    do for [k = 1:n_slots] {
        p = (shown_panel(k) - 1) % 2 + 1
        q = row_of(shown_panel(k))
        eval place_panel(90.0 + (panel_width + 60) * ((k - 1) % across), head + (panel_height + gap) * ((k - 1) / across), \
            panel_width, panel_height)
        bottom = log_low(low[2 + q], high[2 + q], 2)
        top = log_high(low[2 + q], high[2 + q], 2)
        set yrange [bottom:top]
        eval "set ytics " . y_log_tics(bottom, top, panel_height)
        from = log_low(low[p], high[p], 1.2)
        to = log_high(low[p], high[p], 1.2)
        set xrange [from:to]
        x_tics = x_log_tics(from, to, panel_width)
        if (alone || k > n_slots - across) {
            eval "set xtics " . x_tics
            set xlabel written(x_axes[p])
        } else {
            eval "set xtics " . without_text(x_tics)
            unset xlabel
        }
        if (alone || p == 1) { set ylabel written(y_axes[q]) } else { unset ylabel }
        if (over_splits) {
            plot for [s = 1:n_series] data index 2 * s + p - 3 \
                     using 1:(at_least(column(3 * q - 1), bottom)):3 * q + 1 with filledcurves \
                     fillcolor rgb colour(s) fillstyle transparent solid 0.15 noborder, \
                 for [s = 1:n_series] "" index 2 * s + p - 3 using 1:3 * q with lines \
                     linetype line(s) linecolor rgb colour(s) linewidth 1.6, \
                 for [s = 1:n_series] "" index 2 * s + p - 3 every 16::(2 * s) using 1:3 * q with points \
                     pointtype mark(s) pointsize 0.8 linecolor rgb colour(s), \
                 for [s = 1:n_series] "" index 2 * s + p - 3 using 1:(column(8) > 0 ? column(3 * q) : NaN) with points \
                     pointtype ring pointsize 1.8 linewidth 1.2 linecolor rgb colour(s)
        } else {
            plot for [s = 1:n_series] data index s - 1 using p:2 + q with linespoints \
                     linetype line(s) linecolor rgb colour(s) linewidth 1.4 \
                     pointtype mark(s) pointsize 0.8 pointinterval 40 + 7 * s, \
                 for [s = 1:n_series] "" index s - 1 using p:(column(5) > 0 ? column(2 + q) : NaN) with points \
                     pointtype ring pointsize 1.8 linewidth 1.2 linecolor rgb colour(s)
        }
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
