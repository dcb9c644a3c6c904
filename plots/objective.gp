# The objective against iterations, and the factor relative to the first series. Blocks: iteration objective, one per
# series; then iteration factor, one per series except the first.
n_series = |series|
n_slots = slots(2)
# Ends of iterations, objective and factor.
array low[3]
array high[3]
do for [k = 1:3] {
    eval k == 1 ? "seen_low = 1; seen_high = 2" : k == 2 ? forget : "seen_low = 0; seen_high = 1"
    set table $seen
    if (k < 3) {
        plot for [s = 0:n_series - 1] data index s using (widen(number(k), 0)) with table
    } else {
        plot for [s = 0:n_series - 2] data index n_series + s using (widen(number(2), 0)) with table
    }
    unset table
    low[k] = seen_low
    high[k] = seen_high
}
across = across_of(n_slots, 2, 100, 80, 20, 230)
panel_width = width_of(440, across, 100, 80, 20)
width = paper ? paper_width : 1080
panel_height = height_of(380, panel_width, "times as fast")
head = head_of(n_series, 0)
gap = 60
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + 60

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set grid xtics ytics
    set logscale x
    set xrange [1 / 1.15:1.15 * high[1]]
    eval "set xtics " . x_log_tics(1, high[1], panel_width)
    do for [k = 1:n_slots] {
        eval place_panel(100.0 + (panel_width + 80) * ((k - 1) % across), \
            head + (panel_height + gap) * ((k - 1) / across), panel_width, panel_height)
        if (shown_panel(k) == 1) {
            set xlabel written("iterations")
            set yrange [low[2] < 0 ? 1.05 * low[2] : 0:low[2] < 0 ? 0 : high[2] > 0 ? 1.05 * high[2] : 1]
            set ylabel written("objective")
            plot for [s = 1:n_series] data index s - 1 using 1:2 with linespoints linetype line(s) \
                linecolor rgb colour(s) linewidth 1.8 pointtype mark(s) pointsize 0.9 pointinterval 25 + 6 * s
        } else {
            set yrange [0:1.1 * high[3]]
            set xlabel written("iterations of " . series[1]) noenhanced
            set ylabel written("times as fast")
            plot for [s = 2:n_series] data index n_series + s - 2 using 1:2 with linespoints linetype line(s) \
                linecolor rgb colour(s) linewidth 1.8 pointtype mark(s) pointsize 0.9 pointinterval 25 + 6 * s
        }
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
