# Metrics against swept settings: a row of panels a metric, a column a setting. Columns: level n mean sd quartile_1
# median quartile_3; a block for each line of each panel, row by row.
n_series = |series|
n_rows = |y_axes|
n_columns = |x_axes|
panel_width = n_columns == 1 ? 440 : 380
panel_height = n_rows == 1 ? 380 : 250
width = n_columns == 1 && n_series > 1 ? 620 : 100 + (panel_width + 30) * n_columns
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
foot = 75.0 + 14 * caption_lines
height = head + panel_height * n_rows + 22 * (n_rows - 1) + foot

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set grid xtics ytics
    do for [r = 1:n_rows] {
        upper = head + (panel_height + 22) * (r - 1)
        set tmargin at screen 1 - upper / height
        set bmargin at screen 1 - (upper + panel_height) / height
        if (logarithmic[r]) {
            bottom = log_low(low[r], high[r], 1.4)
            top = log_high(low[r], high[r], 1.4)
            set logscale y
            eval "set ytics " . log_tics(bottom, top)
        } else {
            # at least a tenth of the largest value is shown, so that what hardly differs looks so
            room = 0.08 * high[r] + 0.5 * (high[r] - low[r])
            bottom = high[r] + low[r] > 2 * room ? 0.5 * (high[r] + low[r]) - room : 0
            top = high[r] > 0 ? 0.5 * (high[r] + low[r]) + room : 1
            unset logscale y
            set ytics autofreq
        }
        set yrange [bottom:top]
        do for [c = 1:n_columns] {
            p = (r - 1) * n_columns + c
            set lmargin at screen (90.0 + (panel_width + 30) * (c - 1)) / width
            set rmargin at screen (90.0 + (panel_width + 30) * (c - 1) + panel_width) / width
            from = 1.0 * x_low[c]
            to = 1.0 * x_high[c]
            unset logscale x
            tics = "autofreq"
            if (strlen(x_tics[c])) {
                set xrange [from - 0.5:to + 0.5]
                tics = x_tics[c]
            } else {
                if (from > 0 && to / from >= 8) {
                    set logscale x
                    set xrange [from / (to / from) ** 0.05:to * (to / from) ** 0.05]
                    tics = log_tics(from, to)
                } else {
                    room = to > from ? 0.05 * (to - from) : 0.5
                    set xrange [from - room:to + room]
                }
            }
            eval "set xtics " . tics
            set format x (r == n_rows ? "%h" : "")
            if (r == n_rows) {
                set xlabel x_axes[c] noenhanced
            } else {
                unset xlabel
                if (tics ne "autofreq") { eval "set xtics " . without_text(tics) }
            }
            if (c == 1) {
                set ylabel y_axes[r]
                set format y "%h"
            } else {
                unset ylabel
                set format y ""
                if (logarithmic[r]) { eval "set ytics " . without_text(log_tics(bottom, top)) }
            }
            if (last_block[p] >= first_block[p]) {
                plot for [b = first_block[p]:last_block[p]] name . ".dat" index b - 1 \
                    using 1:3:($5 > bottom ? $5 : bottom):7 with yerrorlines linetype line(block_series[b]) \
                    linecolor rgb colour(block_series[b]) linewidth 1.4 pointtype mark(block_series[b]) pointsize 1
            } else {
                plot NaN
            }
            unset label
            unset arrow
        }
    }
    unset multiplot
}
unset output
