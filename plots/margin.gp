# MinOver's bounds on the angle and on the norm. Columns: t, 1 - cos gamma, R / (d sqrt t), |v| / (d t); a block a series.
n_series = |series|
width = 1080
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
foot = 70.0 + 14 * caption_lines
height = head + 400 + foot

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
            to screen (x + 18) / width, screen 1 - y / height nohead linetype 101 linecolor rgb colour(i) linewidth 1.4
    }
    set logscale xy
    set grid xtics ytics
    set tmargin at screen 1 - head / height
    set bmargin at screen foot / height
    from = 1
    to = log_high(1, steps, 1.2)
    set xrange [from:to]
    eval "set xtics " . log_tics(from, to)
    set xlabel "t"
    set lmargin at screen 90.0 / width
    set rmargin at screen 540.0 / width
    bottom = log_low(low, 2, 2)
    set yrange [bottom:4]
    eval "set ytics " . log_tics(bottom, 4)
    set ylabel "1 − cos γ"
    plot for [s = 1:n_series] name . ".dat" index s - 1 using 1:2 with linespoints linetype 101 linecolor rgb colour(s) \
             linewidth 1.4 pointtype mark(s) pointsize 0.8 pointinterval 20 + 5 * s, \
         for [s = 1:n_series] "" index s - 1 using 1:3 with linespoints linetype 102 linecolor rgb colour(s) linewidth 1.2 \
             pointtype mark(s) pointsize 0.6 pointinterval 60 + 5 * s
    unset label
    unset arrow
    unset logscale y
    set lmargin at screen 620.0 / width
    set rmargin at screen 1050.0 / width
    set yrange [0:3]
    set ytics 0, 0.5, 3
    set ylabel "|v| / (d t)"
    plot 1 with lines linetype 101 linecolor rgb "#808080" linewidth 1, \
         for [s = 1:n_series] name . ".dat" index s - 1 using 1:4 with linespoints linetype 101 linecolor rgb colour(s) \
             linewidth 1.4 pointtype mark(s) pointsize 0.8 pointinterval 20 + 5 * s, \
         for [s = 1:n_series] "" index s - 1 using 1:(1 + $3) with linespoints linetype 102 linecolor rgb colour(s) linewidth 1.2 \
             pointtype mark(s) pointsize 0.6 pointinterval 60 + 5 * s
    unset multiplot
}
unset output
