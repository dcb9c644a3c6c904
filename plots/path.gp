# The way of W in the plane, a panel a solver. Two blocks a panel: the polytope's outline (x y), and W (x y iteration).
n_panels = |panels|
width = 40 + 480 * n_panels
foot = 65.0 + 14 * caption_lines
height = 70 + 420 + foot
room(d) = 0.06 * (high[d] - low[d])

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    set tmargin at screen 1 - 70.0 / height
    set bmargin at screen foot / height
    set xrange [low[1] - room(1):high[1] + room(1)]
    set yrange [low[2] - room(2):high[2] + room(2)]
    set grid xtics ytics
    set xlabel "w_1"
    do for [p = 1:n_panels] {
        set lmargin at screen (70.0 + 480 * (p - 1)) / width
        set rmargin at screen (70.0 + 480 * (p - 1) + 430) / width
        set title panels[p] noenhanced
        if (p == 1) { set ylabel "w_2" offset 1, 0 } else { unset ylabel }
        plot name . ".dat" index 2 * p - 2 using 1:2 with filledcurves closed fillcolor rgb "#ececec", \
             "" index 2 * p - 2 using 1:2 with lines linecolor rgb "#808080" linewidth 1.2, \
             "" index 2 * p - 1 using 1:2 with linespoints linetype 101 linecolor rgb colour(p) linewidth 1.3 \
                 pointtype 7 pointsize 0.5, \
             "+" using (0):(0) every ::0::0 with points pointtype 1 pointsize 2 linewidth 2 linecolor rgb "#000000"
        unset label
    }
    unset multiplot
}
unset output
