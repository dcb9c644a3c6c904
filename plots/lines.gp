# Metrics against swept settings: one row of panels per metric, one column per setting. Columns: level n mean sd
# quartile_1 median quartile_3 at_limit; one block for each line of each panel, row by row. A block of a series without
# the setting (`reference` of the series is 1) has one row with level NaN: a horizontal line, with its quartiles as a
# band.
n_series = |series|
n_rows = |y_axes|
n_columns = |x_axes|
# room for the label of the y axis and tics such as 1.25·10⁷
margin = 110.0
n_slots = slots(n_rows * n_columns)
across = across_of(n_slots, n_columns, margin, 30, 20, n_columns > 2 ? 200 : 230)
alone = across < n_columns || panel
panel_width = width_of(n_columns == 1 ? 440 : 380, across, margin, 30, 20)
longest_axis = 0
do for [r = 1:n_rows] { longest_axis = longest_of(y_axes[r], longest_axis) }
panel_height = paper ? (0.6 * panel_width > letter * longest_axis + 12 ? 0.6 * panel_width : letter * longest_axis + 12) : \
    n_rows == 1 ? 380 : 250
width = paper ? paper_width : n_columns == 1 && n_series > 1 ? 620 : margin + 10 + (panel_width + 30) * n_columns
head = head_of(n_series, 0)
# On paper, axis labels take two lines if one has no room.
x_text(c) = paper ? fold(x_axes[c], panel_width / letter) : x_axes[c]
further_lines = 0
do for [c = 1:n_columns] {
    further_lines = paper && fold_lines(x_axes[c], panel_width / letter) > 1 + further_lines ? \
        fold_lines(x_axes[c], panel_width / letter) - 1 : further_lines
}
gap = alone ? 64 + 20 * further_lines : 22
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + foot_of_figure(paper ? 60 + 20 * further_lines : 75)
without_mark(s) = reference[s]
# A column that is NaN makes an expression undefined, so the level is compared as text.
is_line(level) = level eq "NaN"

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
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
        if (strlen(x_tics[c])) {
            left = from - 0.5
            right = to + 0.5
            tics = x_tics[c]
        } else {
            if (from > 0 && to > from && (x_scale[c] == 2 || (x_scale[c] == 0 && to / from >= 8))) {
                set logscale x
                left = from / (to / from) ** 0.05
                right = to * (to / from) ** 0.05
                tics = strlen(x_value_tics[c]) ? x_value_tics[c] : x_log_tics(from, to, panel_width)
            } else {
                room = to > from ? 0.05 * (to - from) : 0.5
                left = from - room
                right = to + room
                if (strlen(x_value_tics[c])) { tics = x_value_tics[c] }
            }
        }
        set xrange [left:right]
        eval "set xtics " . tics
        set format x (alone || r == n_rows ? "%h" : "")
        if (alone || r == n_rows) {
            set xlabel written(x_text(c)) noenhanced
        } else {
            unset xlabel
            if (tics ne "autofreq") { eval "set xtics " . without_text(tics) }
        }
        if (alone || c == 1) {
            set ylabel written(y_axes[r])
            set format y "%h"
        } else {
            unset ylabel
            set format y ""
            if (logarithmic[r]) { eval "set ytics " . without_text(y_tics) }
        }
        if (last_block[p] >= first_block[p]) {
            plot for [b = first_block[p]:last_block[p]] data index b - 1 \
                     using (is_line(stringcolumn(1)) ? 0.5 * (left + right) : NaN):3:(left):(right):($5 > bottom ? $5 : bottom):7 \
                     with boxxyerror fillstyle transparent solid 0.13 noborder linecolor rgb colour(block_series[b]), \
                 for [b = first_block[p]:last_block[p]] "" index b - 1 \
                     using (is_line(stringcolumn(1)) ? left : NaN):3:(right - left):(0) with vectors nohead \
                     linetype line(block_series[b]) linecolor rgb colour(block_series[b]) linewidth 1.6, \
                 for [b = first_block[p]:last_block[p]] "" index b - 1 \
                     using 1:3:($5 > bottom ? $5 : bottom):7 with yerrorlines \
                     linetype line(block_series[b]) linecolor rgb colour(block_series[b]) linewidth 1.4 \
                     pointtype mark(block_series[b]) pointsize 1, \
                 for [b = first_block[p]:last_block[p]] "" index b - 1 \
                     using ($8 > 0 ? $1 : NaN):3 with points pointtype ring pointsize 2.2 linewidth 1.2 \
                     linecolor rgb colour(block_series[b])
        } else {
            plot NaN
        }
        unset label
        unset arrow
    }
    unset multiplot
}
unset output
