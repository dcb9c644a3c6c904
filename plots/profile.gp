# Shares that curves reach: performance profiles, data profiles or distributions of runtimes, one panel for each title of
# its axis. Columns: ratio or budget, share; after each such block, if there are bands, one with place, low, high; the
# series of the first panel come first.
n_panels = |panels|
n_series = |series|
n_slots = slots(n_panels)
across = across_of(n_slots, n_panels, 80, 60, 20, 230)
panel_width = width_of(n_panels == 1 ? 500.0 : n_panels == 2 ? 450.0 : 380.0, across, 80, 60, 20)
step = panel_width + 60
width = paper ? paper_width : 70 + step * n_panels
head = head_of(n_series, 0)
panel_height = height_of(380, panel_width, share)
lines_of_axis = 1
do for [p = 1:n_panels] {
    lines_of_axis = fold_lines(panels[p], panel_width / letter) > lines_of_axis ? 2 : lines_of_axis
}
gap = 46 + 20 * lines_of_axis
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + 40 + 20 * lines_of_axis

# Marks distinguish lines in grey. Each marks where its line first passes some positions along the axis, which differ
# between lines. `along` is between 0 and 1.
last_bin = 0
marked(row, along, share, s) = (bin = floor(7 * along + 1.0 * s / n_series), \
    show = (row > 0 ? bin != last_bin : share > 0) ? share : NaN, last_bin = bin, show)
block(p, s) = (1 + bands) * ((p - 1) * n_series + s - 1)
along(x, from, to, is_log) = to > from ? (is_log ? log(x / from) / log(to / from) : (x - from) / (to - from)) : 0

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set grid xtics ytics
    # room for lines at 0 and 1, which the frame would hide
    set yrange [-0.03:1.05]
    set ytics 0.2
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        first = (k - 1) % across == 0
        eval place_panel(80.0 + step * ((k - 1) % across), head + (panel_height + gap) * ((k - 1) / across), \
            panel_width, panel_height)
        eval forget
        set table $seen
        plot for [s = 1:n_series] data index block(p, s) using (widen(number(1), 1)) with table
        unset table
        from = 1.0 * seen_low
        to = seen_high > 1.1 * from ? 1.0 * seen_high : 1.1 * from
        is_log = to >= 5 * from
        unset logscale x
        set xtics autofreq
        if (is_log) {
            set logscale x
            set xrange [from * (to / from) ** -0.02:to * (to / from) ** 0.02]
            eval "set xtics " . x_log_tics(from, to, panel_width)
        } else {
            set xrange [from - 0.02 * (to - from):to + 0.02 * (to - from)]
        }
        set xlabel written(fold(panels[p], panel_width / letter)) noenhanced
        if (first) { set ylabel written(share) } else { unset ylabel }
        set format y (first ? "%h" : "")
        plot for [s = 1:n_series] data index block(p, s) + bands using 1:2:(bands ? $3 : $2) with filledcurves \
                 fillstyle transparent solid 0.13 noborder linecolor rgb colour(s), \
             for [s = 1:n_series] data index block(p, s) using 1:2 with steps \
                 linetype line(s) linecolor rgb colour(s) linewidth 1.8, \
             for [s = 1:n_series] "" index block(p, s) \
                 using 1:(marked($0, along($1, from, to, is_log), $2, s)) with points pointtype mark(s) pointsize 0.9 \
                 linecolor rgb colour(s)
        unset label
        unset arrow
    }
    set format y
    unset multiplot
}
unset output
