# MinOver's bounds on the angle and on the norm. Columns: t, 1 - cos gamma, R / (d sqrt t), |v| / (d t); a block a
# series.
n_series = |series|
width = 1080
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
foot = 70.0 + 14 * caption_lines
height = head + 400 + foot

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [s = 1:n_series] { eval line_entry(s, n_series, 101) }
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
    plot for [s = 1:n_series] name . ".dat" index s - 1 using 1:2 with linespoints linetype 101 linewidth 1.4 \
             linecolor rgb colour(s) pointtype mark(s) pointsize 0.8 pointinterval 20 + 5 * s, \
         for [s = 1:n_series] "" index s - 1 using 1:3 with linespoints linetype 102 linewidth 1.2 \
             linecolor rgb colour(s) pointtype mark(s) pointsize 0.6 pointinterval 60 + 5 * s
    unset label
    unset arrow
    unset logscale y
    set lmargin at screen 620.0 / width
    set rmargin at screen 1050.0 / width
    set yrange [0:3]
    set ytics 0, 0.5, 3
    set ylabel "|v| / (d t)"
    plot 1 with lines linetype 101 linecolor rgb "#808080" linewidth 1, \
         for [s = 1:n_series] name . ".dat" index s - 1 using 1:4 with linespoints linetype 101 linewidth 1.4 \
             linecolor rgb colour(s) pointtype mark(s) pointsize 0.8 pointinterval 20 + 5 * s, \
         for [s = 1:n_series] "" index s - 1 using 1:(1 + $3) with linespoints linetype 102 linewidth 1.2 \
             linecolor rgb colour(s) pointtype mark(s) pointsize 0.6 pointinterval 60 + 5 * s
    unset multiplot
}
unset output
