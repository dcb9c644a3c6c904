# A metric over two swept settings, a panel a series. Columns: x y x_level y_level n mean shown label lowest pairs
# difference low high text neighbour (0: none, 1: not told apart from the lowest, 2: told apart); a block a panel. The
# palette rises in lightness, so it reads in grey.
n_panels = |panels|
across = n_panels < 4 ? n_panels : (n_panels == 4 ? 2 : 3)
down = (n_panels + across - 1) / across
cell = 72
x_most = 1
y_most = 1
do for [p = 1:n_panels] {
    x_most = x_count[p] > x_most ? x_count[p] : x_most
    y_most = y_count[p] > y_most ? y_count[p] : y_most
}
narrowest = n_panels == 1 ? 8 : 5
panel_width = cell * (x_most > narrowest ? x_most : narrowest)
panel_height = 38.0 * (y_most > 5 ? y_most : 5)
step_x = panel_width + 95
step_y = panel_height + 105
head = 75.0
foot = 14.0 * caption_lines
width = step_x * across + 130
height = head + step_y * down - 35 + foot
span = high > low ? 1.0 * high - low : 1.0

set palette defined (0 "#440154", 0.25 "#3b528b", 0.5 "#21918c", 0.75 "#5ec962", 1 "#fde725")
ink(value) = (value - low) / span < 0.6 ? 0xffffff : 0x000000
unset grid
unset key

do for [ending in endings] {
    eval page(ending)
    set multiplot
    eval words
    set cbrange [low:low + span]
    do for [p = 1:n_panels] {
        column_of = (p - 1) % across
        row_of = (p - 1) / across
        set lmargin at screen (80.0 + step_x * column_of) / width
        set rmargin at screen (80.0 + step_x * column_of + panel_width) / width
        set tmargin at screen 1 - (head + step_y * row_of) / height
        set bmargin at screen 1 - (head + step_y * row_of + panel_height) / height
        set xrange [0.5:x_count[p] + 0.5]
        set yrange [0.5:y_count[p] + 0.5]
        eval "set xtics scale 0 " . x_tics[p]
        eval "set ytics scale 0 " . y_tics[p]
        set title panels[p] noenhanced
        set xlabel x_label[p] noenhanced
        set ylabel y_label[p] noenhanced
        if (p == 1) {
            set cblabel quantity font small
            set colorbox user origin (width - 105.0) / width, 1 - (head + step_y * (down - 1) + panel_height) / height \
                size 18.0 / width, (step_y * (down - 1) + panel_height) / height
        } else {
            unset cblabel
            unset colorbox
            unset label 1
            unset label 2
        }
        plot name . ".dat" index p - 1 using 1:2:(0.5):(0.5):7 with boxxyerror fillstyle solid 1 border rgb "white" \
                 linecolor palette, \
             "" index p - 1 using ($9 > 0 ? $1 : NaN):2:(0.44):(0.42) with boxxyerror \
                 linecolor rgb "#ffffff" linewidth 4.5 fillstyle empty border, \
             "" index p - 1 using ($9 > 0 ? $1 : NaN):2:(0.44):(0.42) with boxxyerror \
                 linecolor rgb "#e00000" linewidth 2 fillstyle empty border, \
             "" index p - 1 using ($15 == 1 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
                 linecolor rgb "#ffffff" linewidth 2.6 fillstyle empty border, \
             "" index p - 1 using ($15 == 1 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
                 linecolor rgb "#e00000" dashtype (3, 3) linewidth 1.6 fillstyle empty border, \
             "" index p - 1 using 1:($2 + ($15 > 0 ? 0.16 : 0)):8:(ink($7)) with labels textcolor rgb variable font small, \
             "" index p - 1 using ($15 > 0 ? $1 : NaN):($2 - 0.2):14:(ink($7)) \
                 with labels textcolor rgb variable font ",7.5"
    }
    unset multiplot
}
unset output
