# The duality gap against iterations and against kernel operations. Columns: iteration kernel_operations gap; a block
# a trace.
n_series = |series|
width = 1080
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
foot = 70.0 + 14 * caption_lines
height = head + 400 + foot
array x_axes[2] = ["iterations", "kernel operations"]

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [i = 1:n_series] {
        x = legend_x(i, 20, width - 40, n_series, 0)
        y = legend_y(i, width - 40, 0)
        set label 100 + i series[i] left noenhanced at screen x / width, screen 1 - y / height offset 2.5, 0 \
            point pointtype mark(i) pointsize 1 linecolor rgb colour(i)
        set arrow 100 + i from screen (x - 18) / width, screen 1 - y / height \
            to screen (x + 18) / width, screen 1 - y / height nohead linetype 100 + (i - 1) % 4 + 1 \
            linecolor rgb colour(i) linewidth 1.4
    }
    set logscale xy
    set grid xtics ytics
    set tmargin at screen 1 - head / height
    set bmargin at screen foot / height
    do for [p = 1:2] {
        set lmargin at screen (90.0 + 510 * (p - 1)) / width
        set rmargin at screen (90.0 + 510 * (p - 1) + 450) / width
        from = log_low(low[p], high[p], 1.2)
        to = log_high(low[p], high[p], 1.2)
        bottom = log_low(low[3], high[3], 2)
        top = log_high(low[3], high[3], 2)
        set xrange [from:to]
        set yrange [bottom:top]
        eval "set xtics " . log_tics(from, to)
        eval "set ytics " . log_tics(bottom, top)
        set xlabel x_axes[p]
        if (p == 1) {
            set ylabel "duality gap"
        } else {
            unset ylabel
            unset label
            unset arrow
        }
        plot for [s = 1:n_series] name . ".dat" index s - 1 using p:3 with linespoints linetype 100 + (s - 1) % 4 + 1 \
            linecolor rgb colour(s) linewidth 1.4 pointtype mark(s) pointsize 0.8 pointinterval 40 + 7 * s
    }
    unset multiplot
}
unset output
