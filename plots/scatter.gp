# Measured against printed means, a panel a field. Columns: printed_mean mean data_set n name; a block for each panel
# and series that has points.
n_panels = |panels|
across = n_panels == 1 ? 1 : 2
down = (n_panels + across - 1) / across
width = across == 1 ? 640 : 960
left = across == 1 ? 155.0 : 90.0
legend_room = 19 * rows_of(|series|, legend_columns(width - 40, 0))
height = 65 + legend_room + 450 * down + 14 * caption_lines

# Names stand off the line, to the left of what is above it and to the right of what is below, where the frame has room.
along(x) = log(1.0 * x / bottom) / log(1.0 * top / bottom)
to_the_right(x, y) = y > x ? along(x) < 0.2 : along(x) < 0.7

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    do for [i = 1:|series|] {
        set label 100 + i series[i] left noenhanced at screen legend_x(i, 20, width - 40, |series|, 0) / width, \
            screen 1 - legend_y(i, width - 40, 0) / height offset 1, 0 \
            point pointtype open[(i - 1) % 6 + 1] pointsize 1.1 linewidth 1.3 linecolor rgb colour(i)
    }
    set grid xtics ytics
    do for [p = 1:n_panels] {
        column_of = (p - 1) % across
        row_of = (p - 1) / across
        set lmargin at screen (left + 470 * column_of) / width
        set rmargin at screen (left + 470 * column_of + 370) / width
        set tmargin at screen 1 - (85.0 + legend_room + 450 * row_of) / height
        set bmargin at screen 1 - (85.0 + legend_room + 450 * row_of + 350) / height
        set logscale xy
        bottom = log_low(low[p], high[p], 1.5)
        top = log_high(low[p], high[p], 1.5)
        set xrange [bottom:top]
        set yrange [bottom:top]
        eval "set xtics " . log_tics(bottom, top)
        eval "set ytics " . log_tics(bottom, top)
        set title panels[p]
        set xlabel "printed mean"
        set ylabel "measured mean"
        plot x with lines linecolor rgb "#808080" linewidth 1, \
             for [b = first_block[p]:last_block[p]] name . ".dat" index b - 1 using 1:2 with points \
                 pointtype open[(block_series[b] - 1) % 6 + 1] linecolor rgb colour(block_series[b]) \
                 pointsize 1.1 linewidth 1.3, \
             for [b = first_block[p]:last_block[p]] "" index b - 1 \
                 using 1:2:(to_the_right($1, $2) ? "" : stringcolumn(5)) \
                 with labels noenhanced right offset -0.8, 0.3 font small textcolor rgb "#404040", \
             for [b = first_block[p]:last_block[p]] "" index b - 1 \
                 using 1:2:(to_the_right($1, $2) ? stringcolumn(5) : "") \
                 with labels noenhanced left offset 0.8, -0.3 font small textcolor rgb "#404040"
        unset label
    }
    unset multiplot
}
unset output
