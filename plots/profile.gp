# Performance profiles, one panel per metric, and optionally a data profile. Columns: ratio share, or budget share;
# after each such block, if there are bands, one with place, low, high. The series of the first panel come first.
n_panels = panels[1] eq "" ? 0 : |panels|
n_series = |series|
with_data = exists("data_low")
n_all = n_panels + with_data
n_slots = slots(n_all)
y_axis = n_panels ? "share of problems" : data_share
across = across_of(n_slots, n_all, 80, 60, 20, 230)
panel_width = width_of(n_panels == 0 ? 600.0 : n_all == 1 ? 460.0 : n_all == 2 ? 450.0 : 380.0, across, 80, 60, 20)
step = panel_width + 60
width = paper ? paper_width : 70 + step * n_all
head = head_of(n_series, 0)
panel_height = height_of(380, panel_width, y_axis)
x_axis(p) = p > n_panels ? data_axis : panels[p] . ", times those of the best"
lines_of_axis = 1
do for [p = 1:n_all] {
    lines_of_axis = paper && fold_lines(x_axis(p), panel_width / letter) > lines_of_axis ? 2 : lines_of_axis
}
gap = 46 + 20 * lines_of_axis
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + foot_of_figure(paper ? 40 + 20 * lines_of_axis : 75)

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
    eval words
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set grid xtics ytics
    set yrange [0:1.02]
    set ytics 0.2
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        first = (k - 1) % across == 0
        eval place_panel(80.0 + step * ((k - 1) % across), head + (panel_height + gap) * ((k - 1) / across), \
            panel_width, panel_height)
        of_data = p > n_panels
        from = of_data ? 1.0 * data_low : 1.0
        to = of_data ? 1.0 * data_high : high[p] > 1.1 ? 1.0 * high[p] : 1.1
        is_log = of_data || to >= 5
        unset logscale x
        set xtics autofreq
        if (is_log) {
            if (of_data) { to = to > 10 * from ? to : 10.0 * from }
            set logscale x
            set xrange [from * (to / from) ** -0.015:to]
            eval "set xtics " . x_log_tics(from, to, panel_width)
        } else {
            set xrange [1 - 0.015 * (to - 1):to]
        }
        set xlabel written(paper ? fold(x_axis(p), panel_width / letter) : x_axis(p)) noenhanced
        if (first) { set ylabel written(y_axis) } else { unset ylabel }
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
