# The error over two numbers, such as log2 C and log2 width: cells of the grid, points and mean of CMA-ES, marked
# points. Blocks: grid, CMA-ES, its means (x y), best of the grid, best of CMA-ES, printed; the others have
# x y error label unfinished generation. `has_grid`, `has_cma_es` and `has_printed` say which of them exist; the legend
# has only these.
left = paper ? 105.0 : 75.0
square = paper ? paper_width - left - 115 : 560.0
n_entries = has_grid + 3 * has_cma_es + has_printed
head = paper ? 20 + 25.0 * n_entries : 52.0
foot = 60.0
width = square + left + 115
height = head + square + foot
cell = x_half * 2 / (x_high - x_low) * square
# Colours follow the grid if there is one: CMA-ES clusters around its best point and leaves no colours for the rest.
stats data index (has_grid ? 0 : 1) using 3 nooutput
low = 1.0 * STATS_min
high = 1.0 * end_of_colours(STATS_min, STATS_median, STATS_max)
span = high > low ? high - low : 1.0
colours_end = high < STATS_max ? sprintf(", up to %.3g or more", high) : ""
eval palette_of_numbers
label_of(number) = strlen(number) * 0.6 * size_of(9) / unit < cell && size_of(9) / unit < 2 * y_half / (y_high - y_low) * square ? number : strstrt(number, "*") ? "*" : ""
unset grid

do for [ending in endings] {
    eval page(ending)
    set lmargin at screen left / width
    set rmargin at screen (left + square) / width
    set tmargin at screen 1 - head / height
    set bmargin at screen 1 - (head + square) / height
    set key at screen (left + 0.5 * square) / width, screen 1 - (paper ? 0.5 * head - 4.5 : 0.5 * head) / height \
        center center Left reverse samplen 1.5 width 1 spacing 1.5 font small noenhanced
    if (paper) { set key vertical maxrows 5 } else { set key horizontal maxrows 2 }
    set xrange [x_low:x_high]
    set yrange [y_low:y_high]
    set cbrange [low:low + span]
    if (x_logarithmic && whole_powers(x_low, x_high)) { set xtics 1 } else { set xtics autofreq }
    if (y_logarithmic && whole_powers(y_low, y_high)) { set ytics 1 } else { set ytics autofreq }
    set format x x_logarithmic ? power_of("2", "%g") : "%g"
    set format y y_logarithmic ? power_of("2", "%g") : "%g"
    set xlabel written(x_title) noenhanced
    set ylabel written(y_title) noenhanced
    set cblabel written("error (%)" . colours_end)
    set colorbox user origin (width - 85.0) / width, 1 - (head + square) / height size 18.0 / width, square / height
    plot data index 0 using 1:2:(x_half):(y_half):3 with boxxyerror fillstyle solid 1 border rgb "white" \
             linecolor palette notitle, \
         "" index 0 using 1:($2 - 0.62 * y_half):(label_of(stringcolumn(4))):(ink(($3 - low) / span)) with labels \
             textcolor rgb variable font small notitle, \
         "" index 1 using 1:2 with points pointtype 7 pointsize 0.75 linecolor rgb "#ffffff" notitle, \
         "" index 1 using 1:2:3 with points pointtype 7 pointsize 0.55 linecolor palette notitle, \
         "" index 1 using 1:2 with points pointtype 6 pointsize 0.6 linewidth 0.6 linecolor rgb "#000000" \
             title (has_cma_es ? "points of CMA-ES" : ""), \
         "" index 2 using 1:2 with lines linewidth 3 linecolor rgb "#ffffff" notitle, \
         "" index 2 using 1:2 with lines linewidth 1.5 linecolor rgb "#d55e00" title (has_cma_es ? "its mean" : ""), \
         "" index 3 using 1:2 with points pointtype 4 pointsize 2.4 linewidth 5 linecolor rgb "#ffffff" notitle, \
         "" index 3 using 1:2 with points pointtype 4 pointsize 2.4 linewidth 2.5 linecolor rgb "#ff2020" \
             title (has_grid ? "best of the grid" : ""), \
         "" index 4 using 1:2 with points pointtype 8 pointsize 2.4 linewidth 5 linecolor rgb "#ffffff" notitle, \
         "" index 4 using 1:2 with points pointtype 8 pointsize 2.4 linewidth 2.5 linecolor rgb "#ff2020" \
             title (has_cma_es ? "best of CMA-ES" : ""), \
         "" index 5 using 1:2 with points pointtype 2 pointsize 2 linewidth 6 linecolor rgb "#ffffff" notitle, \
         "" index 5 using 1:2 with points pointtype 2 pointsize 2 linewidth 3 linecolor rgb "#000000" title (has_printed ? "printed" : "")
}
unset output
