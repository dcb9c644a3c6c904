# Critical-difference diagrams, one below the other. Two blocks a panel: solvers (mean_rank place side solver; side 0
# left, 1 right, places from the axis down), and groups that are not told apart (from to place).
n_panels = |panels|
n_solvers = |series|
margin = 95 + 7.8 * longest_label
width = 2 * margin + 460 > 840 ? 2 * margin + 460 : 840
depth = (n_solvers + 1) / 2
most_groups = 0
do for [p = 1:n_panels] { most_groups = groups[p] > most_groups ? groups[p] : most_groups }
head = 50.0
upper = 78.0
lower = 24.0 + 12 * most_groups + 22 * depth
height = head + (upper + lower + 20) * n_panels + 14 * caption_lines + 10
best = 1.0
worst = 1.0 * n_solvers
edge = 0.03 * (worst - best)
y_group(place) = -(8.0 + 12 * place)
y_solver(place) = -(12.0 + 12 * groups[p] + 22 * place)
x_label(side) = side > 0 ? worst + edge : best - edge

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    unset border
    unset grid
    unset ytics
    set lmargin at screen margin / width
    set rmargin at screen 1 - margin / width
    set xrange [best - 2 * edge:worst + 2 * edge]
    set yrange [-lower:0]
    set xtics axis 1 offset 0, 0.2 nomirror
    do for [p = 1:n_panels] {
        top = head + (upper + lower + 20) * (p - 1) + upper
        set tmargin at screen 1 - top / height
        set bmargin at screen 1 - (top + lower) / height
        unset xtics
        unset arrow
        do for [i = 1:100] { unset label 100 + i }
        set label 101 panels[p] at screen 0.5, screen 1 - (top - upper + 12) / height center noenhanced
        set arrow 1 from best, 0 to worst, 0 nohead linewidth 1.4
        do for [i = 1:n_solvers] {
            set label 101 + i sprintf("%d", i) at i, 0 center offset 0, 0.9
            set arrow 1 + i from i, -3 to i, 3 nohead linewidth 1.2
        }
        cd = best + difference[p]
        y = 1 - (top - 40) / height
        set arrow 60 from best, screen y to (cd < worst ? cd : worst), screen y \
            heads size screen 0.006, 90 linewidth 1.6 linecolor rgb "#404040"
        set label 160 sprintf("CD = %.3g%s", difference[p], cd > worst ? ", beyond the axis" : "") \
            at best, screen 1 - (top - 50) / height left font small
        plot name . ".dat" index 2 * p - 2 using 1:(0):(0):(y_solver($2)) with vectors nohead \
                 linecolor rgb "#404040" linewidth 1.2, \
             "" index 2 * p - 2 using 1:(y_solver($2)):(x_label($3) - $1):(0) with vectors nohead \
                 linecolor rgb "#404040" linewidth 1.2, \
             "" index 2 * p - 2 \
                 using (x_label(0)):(y_solver($2)):($3 > 0 ? "" : sprintf("%s  %.2f", stringcolumn(4), $1)) \
                 with labels noenhanced right offset -0.6, 0, \
             "" index 2 * p - 2 \
                 using (x_label(1)):(y_solver($2)):($3 > 0 ? sprintf("%.2f  %s", $1, stringcolumn(4)) : "") \
                 with labels noenhanced left offset 0.6, 0, \
             "" index 2 * p - 1 using ($1 - 0.3 * edge):(y_group($3)):($2 - $1 + 0.6 * edge):(0) with vectors nohead \
                 linecolor rgb "#000000" linewidth 5
        unset label 1
        unset label 2
    }
    unset multiplot
}
unset output
