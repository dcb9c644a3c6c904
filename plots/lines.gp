# Metrics against swept settings: one row of panels per metric, one column per setting. Columns: level n mean sd
# quartile_1 median quartile_3 at_limit, and level_text if the levels are not numbers (`x_named` of the column is 1); one
# block for each series of each panel, row by row. A block of a series without the setting (`reference` of the series is
# 1) has one row with level NaN: a horizontal line, with its quartiles as a band.
n_series = |series|
n_rows = |y_axes|
n_columns = |x_axes|
# unless the figure says otherwise
if (!exists("reference")) { array reference[n_series]; do for [s = 1:n_series] { reference[s] = 0 } }
if (!exists("x_scale")) { array x_scale[n_columns]; do for [c = 1:n_columns] { x_scale[c] = 0 } }
if (!exists("x_named")) { array x_named[n_columns]; do for [c = 1:n_columns] { x_named[c] = 0 } }
if (!exists("logarithmic")) { array logarithmic[n_rows]; do for [r = 1:n_rows] { logarithmic[r] = 1 } }
# room for the label of the y axis and tics such as 1.25·10⁷
margin = 110.0
n_slots = slots(n_rows * n_columns)
across = across_of(n_slots, n_columns, margin, 30, 20, n_columns > 2 ? 200 : 230)
alone = across < n_columns || panel
panel_width = width_of(n_columns == 1 ? 440 : 380, across, margin, 30, 20)
block(r, c, s) = ((r - 1) * n_columns + c - 1) * n_series + s - 1
# Ends of each row's metric, and of each column's setting. Intervals of fewer values than `fewest_for_range` are clipped.
if (!exists("fewest_for_range")) { fewest_for_range = 0 }
in_range(k) = strcol(2) ne "NaN" && column(2) < fewest_for_range ? NaN : number(k)
array low[n_rows]
array high[n_rows]
array x_low[n_columns]
array x_high[n_columns]
array x_tics[n_columns]
array names[500]
n_names = 0
longest_name = 0
do for [r = 1:n_rows] {
    eval forget
    set table $seen
    plot for [b = block(r, 1, 1):block(r, n_columns, n_series)] data index b \
        using (widen(number(3), logarithmic[r]) + widen(in_range(5), logarithmic[r]) + widen(in_range(7), logarithmic[r])) with table
    unset table
    low[r] = seen_low
    high[r] = seen_high
}
# Level texts. An empty one has no tic; those that do not fit side by side are slanted.
take_name(x, text) = (names[x] = text, n_names = x > n_names ? x : n_names, longest_name = longest_of(text, longest_name), 0)
is_log_axis(c) = x_low[c] > 0 && x_high[c] > x_low[c] && \
    (x_scale[c] == 2 || (x_scale[c] == 0 && 1.0 * x_high[c] / x_low[c] >= 8))
do for [c = 1:n_columns] {
    eval forget
    n_levels = 0
    set table $seen
    do for [r = 1:n_rows] {
        plot for [b = block(r, c, 1):block(r, c, n_series)] data index b using (x_named[c] && strcol(1) ne "NaN" ? \
            take_name(int(column(1)), strcol(9)) : 0, widen(number(1), 0) + take_level(number(1))) with table
    }
    unset table
    x_low[c] = seen_low
    x_high[c] = seen_high
    x_tics[c] = level_tics(is_log_axis(c), panel_width)
}
longest_axis = 0
do for [r = 1:n_rows] { longest_axis = longest_of(y_axes[r], longest_axis) }
slanted = 0
last_named = 0
do for [i = 1:n_names] {
    if (strlen(names[i])) {
        slanted = slanted || (last_named && (i - last_named) * panel_width / n_names < letter * (longest_name + 1))
        last_named = i
    }
}
name_height = slanted ? 0.6 * letter * longest_name : 0
panel_height = paper ? (0.6 * panel_width > letter * longest_axis + 12 ? 0.6 * panel_width : letter * longest_axis + 12) : \
    n_rows == 1 ? 380 : 250
width = paper ? paper_width : n_columns == 1 && n_series > 1 ? 620 : margin + 10 + (panel_width + 30) * n_columns
head = head_of(n_series, 0)
# Axis labels take two lines if one has no room.
x_text(c) = fold(x_axes[c], panel_width / letter)
further_lines = 0
do for [c = 1:n_columns] {
    further_lines = fold_lines(x_axes[c], panel_width / letter) > 1 + further_lines ? \
        fold_lines(x_axes[c], panel_width / letter) - 1 : further_lines
}
gap = alone ? 64 + 20 * further_lines + name_height : 22
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + 60 + 20 * further_lines + name_height
without_mark(s) = reference[s]
# A column that is NaN makes an expression undefined, so the level is compared as text.
is_line(level) = level eq "NaN"

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [s = 1:n_series] { eval line_entry(s, n_series, line(s)) }
    set grid xtics ytics
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        r = (p - 1) / n_columns + 1
        c = (p - 1) % n_columns + 1
        eval place_panel(margin + (panel_width + 30) * ((k - 1) % across), head + (panel_height + gap) * ((k - 1) / across), \
            panel_width, panel_height)
        # a difference below a factor of 2 would look like one line on a logarithmic axis
        is_log = logarithmic[r] && high[r] >= 2.0 * low[r]
        if (is_log) {
            bottom = log_low(low[r], high[r], 1.4)
            top = log_high(low[r], high[r], 1.4)
            set logscale y
            y_tics = y_log_tics(bottom, top, panel_height)
            eval "set ytics " . y_tics
        } else {
            # show at least a tenth of the largest value, so that small differences look small
            room = 0.08 * high[r] + 0.5 * (high[r] - low[r])
            bottom = high[r] + low[r] > 2 * room ? 0.5 * (high[r] + low[r]) - room : 0
            top = high[r] > 0 ? 0.5 * (high[r] + low[r]) + room : 1
            unset logscale y
            y_tics = logarithmic[r] ? linear_tics(bottom, top) : "autofreq"
            eval "set ytics " . y_tics
        }
        set yrange [bottom:top]
        from = 1.0 * x_low[c]
        to = 1.0 * x_high[c]
        unset logscale x
        tics = "autofreq"
        if (x_named[c]) {
            left = from - 0.5
            right = to + 0.5
        } else {
            if (is_log_axis(c)) {
                set logscale x
                left = from / (to / from) ** 0.05
                right = to * (to / from) ** 0.05
                tics = strlen(x_tics[c]) ? x_tics[c] : x_log_tics(from, to, panel_width)
            } else {
                room = to > from ? 0.05 * (to - from) : 0.5
                left = from - room
                right = to + room
                if (strlen(x_tics[c])) { tics = x_tics[c] }
            }
        }
        set xrange [left:right]
        eval "set xtics " . (x_named[c] ? "()" : tics)
        set format x (alone || r == n_rows ? "%h" : "")
        if (alone || r == n_rows) {
            set xlabel written(x_text(c)) noenhanced
        } else {
            unset xlabel
            if (tics ne "autofreq") { eval "set xtics " . without_text(tics) }
        }
        if (x_named[c]) {
            set xtics noenhanced
            if (slanted) { set xtics rotate by 35 right }
            do for [i = 1:n_names] {
                if (strlen(names[i])) { set xtics add (alone || r == n_rows ? in_tic(names[i]) : "" i) }
            }
        }
        if (alone || c == 1) {
            set ylabel written(y_axes[r])
            set format y "%h"
        } else {
            unset ylabel
            set format y ""
            if (logarithmic[r]) { eval "set ytics " . without_text(y_tics) }
        }
        plot for [s = 1:n_series] data index block(r, c, s) \
                 using (is_line(stringcolumn(1)) ? 0.5 * (left + right) : NaN):3:(left):(right):($5 > bottom ? $5 : bottom):7 \
                 with boxxyerror fillstyle transparent solid 0.13 noborder linecolor rgb colour(s), \
             for [s = 1:n_series] "" index block(r, c, s) \
                 using (is_line(stringcolumn(1)) ? left : NaN):3:(right - left):(0) with vectors nohead \
                 linetype line(s) linecolor rgb colour(s) linewidth 1.6, \
             for [s = 1:n_series] "" index block(r, c, s) using 1:3:($5 > bottom ? $5 : bottom):7 with yerrorlines \
                 linetype line(s) linecolor rgb colour(s) linewidth 1.4 pointtype mark(s) pointsize 1, \
             for [s = 1:n_series] "" index block(r, c, s) using ($8 > 0 ? $1 : NaN):3 with points \
                 pointtype ring pointsize 2.2 linewidth 1.2 linecolor rgb colour(s)
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
