# The best solver, one panel per target. Columns: x y winner (its index in `series`; 0: no solver reaches the target)
# decided (1 or 0) candidates. A number in each cell names the solver, so that the map is readable in grey; in undecided
# cells it is in parentheses, on a lighter colour.
n_panels = |panels|
x_count = |x_values|
y_count = |y_values|
n_slots = slots(n_panels)
array shades[12] = [0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee, 0xaa3377, 0xee7733, 0x009988, 0x997700, \
    0x777777, 0x6699cc, 0x994455]
shade(s) = shades[1 + (int(s) - 1) % 12]
part(value, shift) = (value / shift) % 256
# two thirds of the way to white
lighter(part) = (part + 510) / 3
light(value) = 65536 * lighter(part(value, 65536)) + 256 * lighter(part(value, 256)) + lighter(part(value, 1))
fill_of(winner, decided) = winner < 1 ? 0xf4f4f4 : decided > 0 ? shade(winner) : light(shade(winner))

# small panels if there are many, with room for a short label
across = across_of(n_slots, n_panels < 4 ? n_panels : 3, 80, 70, 15, n_panels > 2 ? 100 : 200)
x_text = n_panels > 2 ? "width factor" : x_label
panel_width = width_of(46.0 * (x_count > 7 ? x_count : 7), across, 80, 70, 15)
cell = panel_width / x_count
panel_height = (paper ? 20.0 : 30.0) * (y_count > 5 ? y_count : 5)
width = paper ? paper_width : 80 + (panel_width + 70) * across + 15
head = head_of(|series|, 4) + (panel ? 8 : 30)
step_y = panel_height + 96
down = (n_slots + across - 1) / across
height = head + step_y * down - 96 + 58
upright = paper && cell < letter * 4
unset grid

box(s) = sprintf("set object %d rectangle center screen %.6f, screen %.6f size screen %.6f, screen %.6f ", 200 + s, \
    entry_x(s, |series|, 4) + 8.0 / width, entry_y(s, |series|, 4), 16.0 / width, \
    12.0 / height) . sprintf("fillcolor rgb %d fillstyle solid 1 noborder front; ", shade(s))
brightness(value) = 0.299 * part(value, 65536) + 0.587 * part(value, 256) + 0.114 * part(value, 1)
ink_on(fill) = brightness(fill) < 130 ? 0xffffff : 0x000000
tic(value) = value < 1 && abs(1 / value - floor(1 / value + 0.5)) < 1e-9 ? sprintf("1/%.0f", 1 / value) : sprintf("%g", value)
x_tics = ""
do for [i = 1:x_count] { x_tics = x_tics . sprintf("%s'%s' %d", i > 1 ? ", " : "", tic(x_values[i]), i) }
y_tics = ""
do for [i = 1:y_count] { y_tics = y_tics . sprintf("%s'%s' %d", i > 1 ? ", " : "", tic(y_values[i]), i) }
text_of(winner, decided) = winner < 1 ? "–" : sprintf(decided > 0 ? "%d" : "(%d)", int(winner))

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [s = 1:|series|] {
        eval box(s)
        eval text_entry(s, |series|, 4, sprintf("%d  %s", s, series[s]), 22)
    }
    do for [k = 1:n_slots] {
        p = shown_panel(k)
        eval place_panel(80.0 + (panel_width + 70) * ((k - 1) % across), head + step_y * ((k - 1) / across), \
            panel_width, panel_height)
        set xrange [0.5:x_count + 0.5]
        set yrange [0.5:y_count + 0.5]
        eval "set xtics " . (upright ? "rotate " : "norotate ") . "scale 0 (" . x_tics . ")"
        eval "set ytics scale 0 (" . y_tics . ")"
        if (!panel) { set title written(panels[p]) noenhanced }
        set xlabel written(x_text) noenhanced
        set ylabel written("C") noenhanced
        plot data index p - 1 using 1:2:(0.49):(0.49):(fill_of($3, $4)) with boxxyerror fillstyle solid 1 noborder \
                 linecolor rgb variable, \
             "" index p - 1 using 1:2:(text_of($3, $4)):(ink_on(fill_of($3, $4))) with labels \
                 textcolor rgb variable font small
        unset label
        unset object
    }
    unset multiplot
}
unset output
