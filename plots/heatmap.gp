# Metrics over two swept settings, one panel per metric and series. Columns: x y x_level y_level n mean shown label
# lowest reference above_lowest low high text may_be_lowest (0: not tested, 1: not told from the lowest, 2: told from
# it); one block per panel, metric by metric.
n_panels = |title|
n_slots = slots(n_panels)
x_most = 1
y_most = 1
do for [p = 1:n_panels] {
    x_most = x_count[p] > x_most ? x_count[p] : x_most
    y_most = y_count[p] > y_most ? y_count[p] : y_most
}
# Each metric has its own rows and colours: its panels are first[m] to last[m], its rows begin with above[m], from 0.
n_metrics = panel ? 1 : |quantity|
metric_at(m) = panel ? metric[panel] : m
array first[|quantity|]
array last[|quantity|]
array above[|quantity|]
array low[|quantity|]
array span[|quantity|]
array colours_end[|quantity|]
series_most = 1
do for [m = 1:|quantity|] {
    first[m] = 1 + sum [p = 1:n_panels] (metric[p] < m)
    last[m] = sum [p = 1:n_panels] (metric[p] <= m)
    series_most = last[m] - first[m] + 1 > series_most ? last[m] - first[m] + 1 : series_most
}
narrowest = n_panels == 1 ? 8 : 5
across = across_of(panel ? 1 : series_most, series_most < 4 ? series_most : (series_most == 4 ? 2 : 3), 80, 95, 15, 250)
rows(m) = panel ? 1 : rows_of(int(last[m] - first[m] + 1), int(across))
panel_width = width_of(72 * (x_most > narrowest ? x_most : narrowest), across, 80, 95, 15)
cell = panel_width / x_most
panel_height = (paper ? 26.0 : 38.0) * (y_most > 5 ? y_most : 5)
step_x = panel_width + 95
upright = paper && cell < letter * 6.5
step_y = panel_height + 105 + (upright ? 20 : 0)
head = paper ? (panel ? 76.0 : 106.0) : panel ? 15.0 : 40.0
between = paper ? 76.0 : 15.0
down = 0
do for [m = 1:|quantity|] {
    above[m] = panel ? 0 : down
    down = panel ? 1 : down + rows(m)
    if (last[m] >= first[m]) {
        stats data index first[m] - 1:last[m] - 1 using 7 nooutput
        low[m] = 1.0 * STATS_min
        high = 1.0 * end_of_colours(STATS_min, STATS_median, STATS_max)
        span[m] = high > low[m] ? high - low[m] : 1.0
        colours_end[m] = high < STATS_max ? sprintf(", up to %.3g or more", high) : ""
    }
}
width = paper ? paper_width : step_x * across + 145
height = head + step_y * down + between * (n_metrics - 1) - (paper ? 42 : 35)
top(m) = head + step_y * above[m] + (panel ? 0 : between * (m - 1))
length(m) = step_y * (rows(m) - 1) + panel_height
colour_letters(m) = 1.0 / 6.6 * (paper ? width - 95 : length(m))
eval palette_of_numbers
# A number that does not fit its cell is omitted, but the star of unfinished runs stays.
label_of(number) = strlen(number) * 0.6 * size_of(9) / unit < cell ? number : strstrt(number, "*") ? "*" : ""
ink_of(shown) = ink((shown - low[m]) / span[m])
has_text(string) = differences && strlen(string) > 0
# Where texts are hidden: gnuplot 5.4 crashes when a panel's only label is at NaN.
outside = -1
unset grid
unset key

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        m = int(metric[p])
        place = panel ? 0 : int(p - first[m])
        set cbrange [low[m]:low[m] + span[m]]
        eval place_panel(80.0 + step_x * (place % int(across)), top(m) + step_y * (place / int(across)), panel_width, \
            panel_height)
        set xrange [0.5:x_count[p] + 0.5]
        set yrange [0.5:y_count[p] + 0.5]
        eval "set xtics " . (upright ? "rotate " : "norotate ") . "scale 0 () noenhanced"
        set ytics scale 0 () noenhanced
        if (!panel) { set title written(title[p]) noenhanced }
        set xlabel written(x_label[p]) noenhanced
        set ylabel written(y_label[p]) noenhanced
        if (place == 0) {
            set cblabel written(fold(quantity[m] . colours_end[m], colour_letters(m))) font small
            if (paper) {
                set colorbox horizontal user origin 80.0 / width, 1 - (top(m) - head + 24.0) / height \
                    size (width - 95.0) / width, 14.0 / height
                set cbtics font small offset 0, 0.4
                set cblabel offset 0, 0.8
            } else {
                set cblabel offset 1, 0
                set colorbox user origin (width - 120.0) / width, 1 - (top(m) + length(m)) / height \
                    size 18.0 / width, length(m) / height
            }
        } else {
            unset cblabel
            unset colorbox
        }
        plot data index p - 1 using 1:2:(0.5):(0.5):7:xtic(in_tic(strcol(3))):ytic(in_tic(strcol(4))) with boxxyerror fillstyle solid 1 border rgb "white" \
                 linecolor palette, \
             "" index p - 1 using ($9 > 0 ? $1 : NaN):2:(0.44):(0.42) with boxxyerror \
                 linecolor rgb "#ffffff" linewidth 4.5 fillstyle empty border, \
             "" index p - 1 using ($9 > 0 ? $1 : NaN):2:(0.44):(0.42) with boxxyerror \
                 linecolor rgb "#e00000" linewidth 2 fillstyle empty border, \
             "" index p - 1 using ($15 == 1 && $9 == 0 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
                 linecolor rgb "#ffffff" linewidth 2.6 fillstyle empty border, \
             "" index p - 1 using ($15 == 1 && $9 == 0 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
                 linecolor rgb "#e00000" dashtype (3, 3) linewidth 1.6 fillstyle empty border, \
             "" index p - 1 using ($10 > 0 ? $1 + 0.42 : NaN):($2 + 0.38) with points pointtype 13 pointsize 1.3 \
                 linecolor rgb "#ffffff", \
             "" index p - 1 using ($10 > 0 ? $1 + 0.42 : NaN):($2 + 0.38) with points pointtype 12 pointsize 1.3 \
                 linewidth 1.4 linecolor rgb "#000000", \
             "" index p - 1 using 1:($2 + (has_text(strcol(14)) ? 0.16 : 0)):(label_of(stringcolumn(8))):(ink_of($7)) \
                 with labels textcolor rgb variable font small, \
             "" index p - 1 using (has_text(strcol(14)) ? $1 : outside):($2 - 0.2):14:(ink_of($7)) \
                 with labels textcolor rgb variable font font_of(7.5)
    }
    unset multiplot
}
unset output
