# Measured over printed values of one table: one panel per column, one row per data set. Columns: ratio low high
# position band_low band_high data_set n verdict; one block for each panel.
n_panels = |panels|
n_rows = |datasets|
n_slots = slots(n_panels)
longest = 0
do for [d = 1:n_rows] { longest = longest_of(datasets[d], longest) }
left = 30.0 + letter * longest
across = across_of(n_slots, n_panels == 4 ? 2 : n_panels < 4 ? n_panels : 3, left, 22, 20, 200)
row_height = paper ? 20.0 : 24.0
panel_height = row_height * (n_rows > 3 ? n_rows : 3)
panel_width = width_of(across == 1 ? 420.0 : across == 2 ? 300.0 : 235.0, across, left, 22, 20)
step_x = panel_width + (paper ? 22 : 18)
down = (n_slots + across - 1) / across
title_lines = 0
do for [p = 1:n_panels] {
    lines_of_title = paper ? (panel ? 0 : fold_lines(panels[p], panel_width / letter)) : 1
    title_lines = lines_of_title > title_lines ? lines_of_title : title_lines
}
step_y = panel_height + 70 + 20 * title_lines
width = paper ? paper_width : left + step_x * across + 10

# Shape and colour of each verdict; either identifies it. The legend omits verdicts without cells.
array style_names[5] = ["agrees", "compatible", "near", "differs", "undecidable"]
array style_marks[5] = [7, 6, 13, 2, 10]
array style_colours[5] = ["#004c8c", "#00785a", "#8c6d00", "#c03000", "#606060"]
style_of(v) = int(sum [k = 1:|style_names|] (style_names[k] eq verdicts[v] ? k : 0))
n_shown = int(sum [v = 1:|verdicts|] (counts[v] > 0 ? 1 : 0))
# The axis covers all ratios within a factor of 4, and their intervals up to a factor of 2.
seen_low = 1 / 1.1
seen_high = 1.1
widen_to_cell(ratio, low_end, high_end) = ratio < 0.25 || ratio > 4 ? 0 : \
    widen(ratio, 1) + widen(low_end < 0.5 ? 0.5 : low_end, 1) + widen(high_end > 2 ? 2.0 : high_end, 1)
set table $seen
plot for [p = 1:n_panels] data index p - 1 using (widen_to_cell(column(1), number(2), number(3))) with table
unset table
low = seen_low
high = seen_high
head = head_of(n_shown, 0) - 14 + 20 * title_lines
height = head + step_y * down - 20 * title_lines + 12.0

from = low / 1.05
to = high * 1.05
few = paper && panel_width < 290
axis_tics = to / from < 1.5 ? few ? "(0.8, 0.9, 1, 1.1, 1.2)" : "(0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25)" : \
    to / from < 2.6 ? "(0.5, 0.6, 0.7, 0.85, 1, 1.2, 1.4, 1.7, 2)" : \
    to / from < 6 ? "(0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4)" : "(0.25, 0.5, 1, 2, 4)"
inside(x) = x < from ? from : x > to ? to : x
# a row above the panel, where labels are not drawn
above = -1

do for [ending in endings] {
    eval page(ending)
    set multiplot
    entry = 0
    do for [v = 1:|verdicts|] {
        if (counts[v] > 0) {
            entry = entry + 1
            eval mark_entry(entry, n_shown, 0, series[v], style_marks[style_of(v)], 1.1, style_colours[style_of(v)], 12)
        }
    }
    set logscale x
    set xrange [from:to]
    set yrange [n_rows + 0.5:0.5]
    unset grid
    set errorbars 0
    set xlabel written("measured / printed") offset 0, 0.3
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        column_of = (k - 1) % across
        eval place_panel(left + step_x * column_of, head + 14 + step_y * ((k - 1) / across), panel_width, panel_height)
        eval "set xtics " . axis_tics
        unset ytics
        if (column_of == 0) {
            set ytics () scale 0 noenhanced
            do for [d = 1:n_rows] { set ytics add (in_tic(datasets[d]) d) }
        }
        if (!panel) {
            set title written(paper ? fold(panels[p], panel_width / letter) : panels[p]) noenhanced offset 0, -0.6 \
                font font_of(10)
        }
        set arrow 1 from 1, graph 0 to 1, graph 1 nohead linecolor rgb "#606060" linewidth 1 front
        plot data index p - 1 using 1:4:(inside($5)):(inside($6)):($4 - 0.5):($4 + 0.5) with boxxyerror \
                 fillstyle solid 1 noborder linecolor rgb "#e2e2e2", \
             for [v = 1:|style_names|] "" index p - 1 \
                 using (strcol(9) eq style_names[v] ? inside($1) : NaN):4:($2 == $2 ? inside($2) : from): \
                     ($3 == $3 ? inside($3) : to) with xerrorbars \
                 pointtype style_marks[v] pointsize 1.1 linewidth 1.6 linecolor rgb style_colours[v], \
             "" index p - 1 using (to):($1 > to ? $4 : above):(written(sprintf("%.3g ▸", $1))) \
                 with labels right offset -1, 0.5 font small, \
             "" index p - 1 using (from):($1 < from ? $4 : above):(written(sprintf("◂ %.2g", $1))) \
                 with labels left offset 1, 0.5 font small
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
