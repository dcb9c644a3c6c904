# A metric against one swept setting, a panel a setting. Columns: level n mean sd quartile_1 median quartile_3; a block
# for each line.
n_panels = |panels|
width = 30 + 520 * n_panels
most = 1
do for [p = 1:n_panels] {
    lines = last_block[p] - first_block[p] + 1
    most = lines > most ? lines : most
}
head = 60.0 + 19 * rows_of(most, legend_columns(500, 0))
foot = 75.0 + 14 * caption_lines
height = head + 380 + foot
bottom = logarithmic ? log_low(low, high, 1.4) : 0
top = logarithmic ? log_high(low, high, 1.4) : (high > 0 ? 1.06 * high : 1)

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    set tmargin at screen 1 - head / height
    set bmargin at screen foot / height
    set grid xtics ytics
    set yrange [bottom:top]
    if (logarithmic) {
        set logscale y
        eval "set ytics " . log_tics(bottom, top)
    }
    set ylabel axis
    do for [p = 1:n_panels] {
        set lmargin at screen (90.0 + 520 * (p - 1)) / width
        set rmargin at screen (90.0 + 520 * (p - 1) + 440) / width
        lines = last_block[p] - first_block[p] + 1
        do for [i = 1:lines] {
            s = block_series[first_block[p] + i - 1]
            x = legend_x(i, 60 + 520 * (p - 1), 500, lines, 0)
            y = legend_y(i, 500, 0)
            set label 100 + i series[s] left noenhanced at screen x / width, screen 1 - y / height offset 2.5, 0 \
                point pointtype mark(s) pointsize 1 linecolor rgb colour(s)
            set arrow 100 + i from screen (x - 18) / width, screen 1 - y / height \
                to screen (x + 18) / width, screen 1 - y / height nohead linetype line(s) \
                linecolor rgb colour(s) linewidth 1.4
        }
        unset logscale x
        set xtics autofreq
        from = 1.0 * x_low[p]
        to = 1.0 * x_high[p]
        if (strlen(x_tics[p])) {
            set xrange [from - 0.5:to + 0.5]
            eval "set xtics " . x_tics[p]
        } else {
            if (from > 0 && to / from >= 8) {
                set logscale x
                set xrange [from / (to / from) ** 0.05:to * (to / from) ** 0.05]
                eval "set xtics " . log_tics(from, to)
            } else {
                room = to > from ? 0.05 * (to - from) : 0.5
                set xrange [from - room:to + room]
            }
        }
        set xlabel panels[p] noenhanced
        plot for [b = first_block[p]:last_block[p]] name . ".dat" index b - 1 using 1:3:($5 > bottom ? $5 : bottom):7 \
            with yerrorlines linetype line(block_series[b]) linecolor rgb colour(block_series[b]) \
            linewidth 1.4 pointtype mark(block_series[b]) pointsize 1
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
