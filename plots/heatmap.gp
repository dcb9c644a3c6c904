# A metric over two swept settings, one panel per series. Columns: x y x_level y_level n mean shown label lowest pairs
# difference low high text neighbour (0: none, 1: not separated from the lowest, 2: separated); one block per panel.
n_panels = |panels|
n_slots = slots(n_panels)
x_most = 1
y_most = 1
do for [p = 1:n_panels] {
    x_most = x_count[p] > x_most ? x_count[p] : x_most
    y_most = y_count[p] > y_most ? y_count[p] : y_most
}
narrowest = n_panels == 1 ? 8 : 5
across = across_of(n_slots, n_panels < 4 ? n_panels : (n_panels == 4 ? 2 : 3), 80, 95, 15, 250)
panel_width = width_of(72 * (x_most > narrowest ? x_most : narrowest), across, 80, 95, 15)
cell = panel_width / x_most
panel_height = (paper ? 26.0 : 38.0) * (y_most > 5 ? y_most : 5)
step_x = panel_width + 95
upright = paper && cell < letter * 6.5
step_y = panel_height + 105
head = paper ? (panel ? 76.0 : 106.0) : panel ? 15.0 : 40.0
down = (n_slots + across - 1) / across
width = paper ? paper_width : step_x * across + 145
height = head + step_y * down - (paper ? 42 : 35) + (upright ? 20 : 0)
stats data using 7 nooutput
low = 1.0 * STATS_min
high = 1.0 * end_of_colours(STATS_min, STATS_median, STATS_max)
span = high > low ? high - low : 1.0
colours_end = high < STATS_max ? sprintf(", up to %.3g or more", high) : ""
colour_letters = 1.0 / 6.6 * (paper ? width - 95 : step_y * (down - 1) + panel_height)
eval palette_of_numbers
# A number that does not fit its cell is omitted, but the star of unfinished runs stays.
label_of(number) = strlen(number) * 0.6 * size_of(9) / unit < cell ? number : strstrt(number, "*") ? "*" : ""
ink_of(shown) = ink((shown - low) / span)
# Where texts are hidden: gnuplot 5.4 crashes when a panel's only label is at NaN.
outside = -1
unset grid
unset key

do for [ending in endings] {
    eval page(ending)
    set multiplot
    set cbrange [low:low + span]
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        x_panel = 80.0 + step_x * ((k - 1) % across)
        eval place_panel(x_panel, head + step_y * ((k - 1) / across), panel_width, panel_height)
        set xrange [0.5:x_count[p] + 0.5]
        set yrange [0.5:y_count[p] + 0.5]
        eval "set xtics " . (upright ? "rotate " : "norotate ") . "scale 0 () noenhanced"
        set ytics scale 0 () noenhanced
        if (!panel) { set title written(panels[p]) noenhanced }
        set xlabel written(x_label[p]) noenhanced
        set ylabel written(y_label[p]) noenhanced
        if (k == 1) {
            set cblabel written(fold(quantity . colours_end, colour_letters)) font small
            if (paper) {
                set colorbox horizontal user origin 80.0 / width, 1 - 24.0 / height \
                    size (width - 95.0) / width, 14.0 / height
                set cbtics font small offset 0, 0.4
                set cblabel offset 0, 0.8
            } else {
                set cblabel offset 1, 0
                set colorbox user origin (width - 120.0) / width, \
                    1 - (head + step_y * (down - 1) + panel_height) / height \
                    size 18.0 / width, (step_y * (down - 1) + panel_height) / height
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
             "" index p - 1 using ($15 == 1 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
                 linecolor rgb "#ffffff" linewidth 2.6 fillstyle empty border, \
             "" index p - 1 using ($15 == 1 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
                 linecolor rgb "#e00000" dashtype (3, 3) linewidth 1.6 fillstyle empty border, \
             "" index p - 1 using 1:($2 + (differences && $15 > 0 ? 0.16 : 0)):(label_of(stringcolumn(8))):(ink_of($7)) \
                 with labels textcolor rgb variable font small, \
             "" index p - 1 using (differences && $15 > 0 ? $1 : outside):($2 - 0.2):14:(ink_of($7)) \
                 with labels textcolor rgb variable font font_of(7.5)
    }
    unset multiplot
}
unset output
