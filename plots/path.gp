# The path of W in the plane, one panel per solver. Two blocks per panel: the polytope's outline (x y), and W (x y
# iteration).
n_panels = |panels|
n_slots = slots(n_panels)
# The ends of both axes, with the origin.
array low[2]
array high[2]
do for [d = 1:2] {
    stats data using d nooutput
    low[d] = STATS_min < 0 ? STATS_min : 0.0
    high[d] = STATS_max > 0 ? STATS_max : 0.0
}
across = across_of(n_slots, n_panels, 70, 50, 15, 200)
panel_width = width_of(430, across, 70, 50, 15)
width = paper ? paper_width : 40 + 480 * n_panels
panel_height = paper ? panel_width : 420
head = panel ? 14 : 36
gap = paper ? 95 : 75
down = (n_slots + across - 1) / across
height = head + panel_height * down + gap * (down - 1) + 60
room(d) = 0.06 * (high[d] - low[d])

do for [ending in endings] {
    eval page(ending)
    set multiplot
    set xrange [low[1] - room(1):high[1] + room(1)]
    set yrange [low[2] - room(2):high[2] + room(2)]
    set grid xtics ytics
    set xlabel tex ? '$w_1$' : "w_1"
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        eval place_panel(70.0 + (panel_width + 50) * ((k - 1) % across), head + (panel_height + gap) * ((k - 1) / across), \
            panel_width, panel_height)
        if (!panel) { set title written(panels[p]) noenhanced }
        if ((k - 1) % across == 0) { set ylabel (tex ? '$w_2$' : "w_2") offset 1, 0 } else { unset ylabel }
        plot data index 2 * p - 2 using 1:2 with filledcurves closed fillcolor rgb "#ececec", \
             "" index 2 * p - 2 using 1:2 with lines linecolor rgb "#808080" linewidth 1.2, \
             "" index 2 * p - 1 using 1:2 with linespoints linetype 101 linecolor rgb colour(p) linewidth 1.3 \
                 pointtype 7 pointsize 0.5, \
             "+" using (0):(0) every ::0::0 with points pointtype 1 pointsize 2 linewidth 2 linecolor rgb "#000000"
        unset label
    }
    unset multiplot
}
unset output
