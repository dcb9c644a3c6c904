# The error over one number, with its standard deviation over the folds: x, error, sd.
square = paper ? paper_width - 90 : 560.0
head = 16.0
foot = 60.0
width = square + 90
height = head + 0.7 * square + foot

do for [ending in endings] {
    eval page(ending)
    set lmargin at screen 75.0 / width
    set rmargin at screen (75.0 + square) / width
    set tmargin at screen 1 - head / height
    set bmargin at screen foot / height
    unset key
    set xrange [x_low:x_high]
    if (x_logarithmic && whole_powers(x_low, x_high)) { set xtics 1 } else { set xtics autofreq }
    set format x x_logarithmic ? power_of("2", "%g") : "%g"
    set xlabel written(x_title) noenhanced
    set ylabel written("error (%)")
    plot data using 1:2:3 with yerrorbars pointtype 7 pointsize 0.7 linewidth 1 linecolor rgb "#004c8c", \
         data using 1:2 with lines linewidth 2 linecolor rgb "#004c8c"
}
unset output
