# The objective against iterations, and the factor to the first series. Blocks: iteration objective, one a series; then
# iteration factor, one a series but the first.
n_series = |series|
width = 1080
head = 60.0 + 19 * rows_of(n_series, legend_columns(width - 40, 0))
foot = 70.0 + 14 * caption_lines
height = head + 380 + foot

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set tmargin at screen 1 - head / height
    set bmargin at screen foot / height
    set grid xtics ytics
    set logscale x
    set xrange [1:high[1]]
    eval "set xtics " . log_tics(1, high[1])
    set xlabel "iterations"
    set lmargin at screen 100.0 / width
    set rmargin at screen 540.0 / width
    set yrange [1.05 * low[2]:low[2] < 0 ? 0 : high[2]]
    set ylabel "objective"
    plot for [s = 1:n_series] name . ".dat" index s - 1 using 1:2 with linespoints linetype line(s) \
        linecolor rgb colour(s) linewidth 1.8 pointtype mark(s) pointsize 0.9 pointinterval 25 + 6 * s
    unset label
    unset arrow
    set lmargin at screen 620.0 / width
    set rmargin at screen 1060.0 / width
    set yrange [0:1.1 * high[3]]
    set xlabel "iterations of " . series[1] noenhanced
    set ylabel "times as fast"
    plot for [s = 2:n_series] name . ".dat" index n_series + s - 2 using 1:2 with linespoints linetype line(s) \
        linecolor rgb colour(s) linewidth 1.8 pointtype mark(s) pointsize 0.9 pointinterval 25 + 6 * s
    unset multiplot
}
unset output
