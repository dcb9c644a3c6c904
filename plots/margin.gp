# MinOver's bounds on the angle and on the norm. Columns: t, 1 - cos gamma, R / (d sqrt t), |v| / (d t); one block per
# series.
n_series = |series|
n_slots = slots(2)
eval forget
set table $seen
plot for [s = 1:n_series] data index s - 1 using (widen(number(1), 1)) with table
steps = seen_high == seen_high ? seen_high : 10
eval forget
plot for [s = 1:n_series] data index s - 1 using (widen(number(2), 1)) with table
unset table
low = seen_low < 1 ? seen_low : 0.1
across = across_of(n_slots, 2, 90, 80, 20, 230)
panel_width = width_of(450, across, 90, 80, 20)
width = paper ? paper_width : 1080
panel_height = height_of(400, panel_width, "1 − cos γ")
head = head_of(n_series, 0)
gap = 60
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + 60

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [s = 1:n_series] { eval line_entry(s, n_series, 101) }
    set grid xtics ytics
    from = 1 / 1.15
    to = log_high(1, steps, 1.2)
    set xrange [from:to]
    set logscale x
    eval "set xtics " . x_log_tics(from, to, panel_width)
    set xlabel written("t")
    do for [k = 1:n_slots] {
        eval place_panel(90.0 + (panel_width + 80) * ((k - 1) % across), head + (panel_height + gap) * ((k - 1) / across), \
            panel_width, panel_height)
        if (shown_panel(k) == 1) {
            bottom = log_low(low, 2, 2)
            set logscale y
            set yrange [bottom:4]
            eval "set ytics " . y_log_tics(bottom, 4, panel_height)
            set ylabel written("1 − cos γ")
            plot for [s = 1:n_series] data index s - 1 using 1:2 with linespoints linetype 101 linewidth 1.4 \
                     linecolor rgb colour(s) pointtype mark(s) pointsize 0.8 pointinterval 20 + 5 * s, \
                 for [s = 1:n_series] "" index s - 1 using 1:3 with linespoints linetype 102 linewidth 1.2 \
                     linecolor rgb colour(s) pointtype mark(s) pointsize 0.6 pointinterval 60 + 5 * s
        } else {
            unset logscale y
            set yrange [-0.08:3]
            set ytics 0, 0.5, 3
            set ylabel written("|v| / (d t)")
            plot 1 with lines linetype 101 linecolor rgb "#808080" linewidth 1, \
                 for [s = 1:n_series] data index s - 1 using 1:4 with linespoints linetype 101 linewidth 1.4 \
                     linecolor rgb colour(s) pointtype mark(s) pointsize 0.8 pointinterval 20 + 5 * s, \
                 for [s = 1:n_series] "" index s - 1 using 1:(1 + $3) with linespoints linetype 102 linewidth 1.2 \
                     linecolor rgb colour(s) pointtype mark(s) pointsize 0.6 pointinterval 60 + 5 * s
        }
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
