# Performance profiles, a panel a metric. Columns: ratio share; a block for each panel and series, the series of the
# first panel first.
n_panels = |panels|
n_series = |series|
width = 30 + 540 * n_panels
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
foot = 75.0 + 14 * caption_lines
height = head + 380 + foot

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [i = 1:n_series] {
        x = legend_x(i, 20, width - 40, n_series, 0)
        y = legend_y(i, width - 40, 0)
        set label 100 + i series[i] left noenhanced at screen x / width, screen 1 - y / height offset 2.5, 0
        set arrow 100 + i from screen (x - 18) / width, screen 1 - y / height \
            to screen (x + 18) / width, screen 1 - y / height nohead linetype line(i) \
            linecolor rgb colour(i) linewidth 1.8
    }
    set tmargin at screen 1 - head / height
    set bmargin at screen foot / height
    set grid xtics ytics
    set yrange [0:1.02]
    set ytics 0.2
    do for [p = 1:n_panels] {
        set lmargin at screen (80.0 + 540 * (p - 1)) / width
        set rmargin at screen (80.0 + 540 * (p - 1) + 460) / width
        top = high[p] > 1.1 ? 1.0 * high[p] : 1.1
        unset logscale x
        set xtics autofreq
        if (top < 5) {
            set xrange [1 - 0.015 * (top - 1):top]
        } else {
            set logscale x
            set xrange [top ** -0.015:top]
            eval "set xtics " . log_tics(1, top)
        }
        set xlabel panels[p] . ", times those of the best" noenhanced
        if (p == 1) { set ylabel "share of problems" } else { unset ylabel }
        plot for [s = 1:n_series] name . ".dat" index (p - 1) * n_series + s - 1 using 1:2 with steps \
            linetype line(s) linecolor rgb colour(s) linewidth 1.8
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
