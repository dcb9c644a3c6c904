# Critical-difference diagrams, one below the other. Two blocks per panel: solvers (mean_rank place side solver; side 0
# left, 1 right, places counted from the axis down), and groups that are not separated (from to place).
n_panels = |panels|
n_solvers = |series|
n_slots = slots(n_panels)
margin = (paper ? 55 : 95) + letter * longest_label
width = paper ? paper_width : 2 * margin + 460 > 840 ? 2 * margin + 460 : 840
# Names too long for both sides of a page are all on the right, the lowest rank at the bottom.
one_sided = paper && 2 * margin + 160 > width
left_margin = one_sided ? 25 : margin
depth = one_sided ? n_solvers : (n_solvers + 1) / 2
place(row, of_side) = one_sided ? n_solvers - row : of_side
side(of_side) = one_sided ? 1 : of_side
most_groups = 0
do for [p = 1:n_panels] { most_groups = groups[p] > most_groups ? groups[p] : most_groups }
head = 8.0
upper = panel ? 62.0 : 78.0
lower = 24.0 + 12 * most_groups + 22 * depth
height = head + (upper + lower + 20) * n_slots
best = 1.0
worst = 1.0 * n_solvers
edge = 0.03 * (worst - best)
y_group(place) = -(8.0 + 12 * place)
y_solver(place) = -(12.0 + 12 * groups[p] + 22 * place)
x_label(side) = side > 0 ? worst + edge : best - edge

do for [ending in endings] {
    eval page(ending)
    set multiplot
    unset border
    unset grid
    unset ytics
    set lmargin at screen 1.0 * left_margin / width
    set rmargin at screen 1 - 1.0 * margin / width
    set xrange [best - 2 * edge:worst + 2 * edge]
    set yrange [-lower:0]
    set xtics axis 1 offset 0, 0.2 nomirror
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        top = head + (upper + lower + 20) * (k - 1) + upper
        set tmargin at screen 1 - top / height
        set bmargin at screen 1 - (top + lower) / height
        unset xtics
        unset arrow
        do for [i = 1:100] { unset label 100 + i }
        if (!panel) {
            set label 101 written(panels[p]) at screen 0.5, screen 1 - (top - upper + 12) / height center noenhanced
        }
        set arrow 1 from best, 0 to worst, 0 nohead linewidth 1.4
        do for [i = 1:n_solvers] {
            set label 101 + i sprintf("%d", i) at i, 0 center offset 0, 0.9
            set arrow 1 + i from i, -3 to i, 3 nohead linewidth 1.2
        }
        cd = best + difference[p]
        y = 1 - (top - 40) / height
        set arrow 60 from best, screen y to (cd < worst ? cd : worst), screen y \
            heads size screen 0.006, 90 linewidth 1.6 linecolor rgb "#404040"
        set label 160 written(sprintf("CD = %.3g%s", difference[p], cd > worst ? ", beyond the axis" : "")) \
            at best, screen 1 - (top - 50) / height left font small
        plot data index 2 * p - 2 using 1:(0):(0):(y_solver(place($0, $2))) with vectors nohead \
                 linecolor rgb "#404040" linewidth 1.2, \
             "" index 2 * p - 2 using 1:(y_solver(place($0, $2))):(x_label(side($3)) - $1):(0) with vectors nohead \
                 linecolor rgb "#404040" linewidth 1.2, \
             "" index 2 * p - 2 \
                 using (x_label(0)):(y_solver(place($0, $2))):(side($3) > 0 ? "" : written(sprintf("%s  %.2f", stringcolumn(4), $1))) \
                 with labels noenhanced right offset -0.6, 0, \
             "" index 2 * p - 2 \
                 using (x_label(1)):(y_solver(place($0, $2))):(side($3) > 0 ? written(sprintf("%.2f  %s", $1, stringcolumn(4))) : "") \
                 with labels noenhanced left offset 0.6, 0, \
             "" index 2 * p - 1 using ($1 - 0.3 * edge):(y_group($3)):($2 - $1 + 0.6 * edge):(0) with vectors nohead \
                 linecolor rgb "#000000" linewidth 5
    }
    unset multiplot
}
unset output
