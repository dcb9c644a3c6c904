# A figure of hullbench: run "gnuplot NAME.gp" in this folder.
# Template: plots/regime.gp
if (!exists("page_is_set")) {
name = "atlas-map"
data = "atlas-map.dat"
endings = "svg"
paper = 0
panel = 0
}
array panels[2] = ["svm-gap 0.001: decided in 3 of 50 cells", "svm-gap 1e-06: decided in 7 of 50 cells"]
array x_values[5] = [0.0625, 0.25, 1, 4, 16]
array y_values[10] = [0.0625, 0.25, 1, 4, 16, 64, 256, 1024, 4096, 16384]
x_label = "kernel width / tuned width"
array series[5] = ["maximum-gain-smo", "conjugate-smo", "second-order-clip-mdm", "conjugate-clip-mdm", "wolfe-mnp"]
array series_colour[5] = ["#004c8c", "#d55e00", "#009e73", "#000000", "#c04c94"]
array series_dash[5] = [1, 2, 3, 4, 1]
array series_mark[5] = [1, 2, 3, 4, 5]

# Shared by all figures: pages, marks, lines and colours, ranges and tics, the legend. `hullbench plot` inserts it between
# a figure's variables and the template of its kind. Pictures have neither heading nor caption: NAME.txt has both.
#
# Layouts use units in which letters are 14.667 high. On screen a unit is a pixel, 96 to the inch. On paper the page
# width is given and the font size determines the unit, so the margins grow with the text.
set encoding utf8

# Points per unit, and the width of a page on paper in units. No text on paper is smaller than 7 pt.
unit = paper ? font_size / 14.6667 : 0.75
paper_width = paper ? width_cm / 2.54 * 72 / unit : 0
# A size designed for letters of 11.
size_of(points) = paper ? (points / 11.0 * font_size < 7 ? 7 : points / 11.0 * font_size) : points
font_of(points) = sprintf(",%g", size_of(points))
small = font_of(9)

# The pictures of a figure of `width` x `height` units, with one layout for all.
svg_page = "set terminal svg size %d, %d fontscale 1.333 dashlength 0.7 " . \
    "font \"'DejaVu Sans'\\, Verdana\\, sans-serif,11\""
png_page = "set terminal pngcairo size %d, %d font 'DejaVu Sans,11'"
pdf_page = "set terminal pdfcairo size %.4f, %.4f fontscale 0.76 pointscale 0.8 linewidth 1.3 font 'DejaVu Sans,11'"
screen_page(ending) = ending eq "pdf" ? sprintf(pdf_page, width / 96.0, height / 96.0) : \
    sprintf(ending eq "svg" ? svg_page : png_page, width, height)
inches(ending) = sprintf("size %.4fin, %.4fin ", width * unit / 72, height * unit / 72)
pixels(inch) = sprintf("size %d, %d ", width * unit / 72 * inch + 0.5, height * unit / 72 * inch + 0.5)
thick = 1.2 * unit
paper_page(ending) = ending eq "pdf" ? "set terminal pdfcairo " . inches(ending) . \
        sprintf("fontscale 0.75 pointscale %.3f linewidth %.3f font '%s,%g'", 0.8 * thick, thick, font, font_size) : \
    ending eq "svg" ? "set terminal svg " . pixels(96) . sprintf("fontscale 1.3333 dashlength 0.7 linewidth %.3f ", \
        thick) . sprintf("font \"'%s'\\, sans-serif,%g\"", font, font_size) : \
    ending eq "png" ? "set terminal pngcairo " . pixels(300) . sprintf("fontscale 3.125 pointscale %.3f ", 3 * thick) . \
        sprintf("linewidth %.3f font '%s,%g'", 3 * thick, font, font_size) : ""
tex_page(ending) = ending eq "tikz" ? "set terminal tikz " . inches(ending) . \
        sprintf("linewidth %.3f font ',%g'", thick, size_of(11)) : \
    "set terminal cairolatex pdf colourtext " . inches(ending) . sprintf("fontscale 0.75 pointscale %.3f ", 0.8 * thick) . \
        sprintf("linewidth %.3f font ',%g' header '\\fontsize{%g}{%g}\\selectfont'", 2 * thick, size_of(11), \
        size_of(11), 1.2 * size_of(11))
is_tex(ending) = ending eq "tikz" || ending eq "cairolatex"
file_of(ending) = name . (ending eq "cairolatex" ? "-latex.tex" : "." . ending)
page(ending) = (is_tex(ending) ? tex_page(ending) : paper ? paper_page(ending) : screen_page(ending)) . \
    (ending eq "tikz" ? "" : " background rgb 'white'") . "; tex = " . (is_tex(ending) ? "1" : "0") . \
    "; set output '" . file_of(ending) . "'" . (paper && height * unit > 690 && ending eq word(endings, 1) ? too_high(height) : "")
too_high(units) = sprintf("; print 'it is %.1f cm high: a wider page, fewer series or single panels make it lower'", \
    units * unit / 72 * 2.54)
# Text for LaTeX, if the picture is a LaTeX file. Splits in halves, since gnuplot limits function recursion to 250.
written(string) = tex ? latex(string) : string
latex(string) = strlen(string) < 2 ? latex_letter(string) : \
    latex(string[1:strlen(string) / 2]) . latex(string[strlen(string) / 2 + 1:*])
latex_letter(c) = strlen(c) == 0 ? "" : strstrt('%&#_{}$', c) ? "\\" . c : c eq "\n" ? '\\' : \
    c eq "\\" ? '\textbackslash{}' : c eq "^" ? '\^{}' : c eq "~" ? '\~{}' : strstrt("<>|/", c) ? "$" . c . "$" : \
    c eq "−" ? "$-$" : c eq "–" ? "--" : c eq "±" ? '$\pm$' : c eq "·" ? '$\cdot$' : c eq "‖" ? '$\|$' : latex_greek(c)
latex_greek(c) = c eq "μ" ? '$\mu$' : c eq "γ" ? '$\gamma$' : c eq "λ" ? '$\lambda$' : c eq "σ" ? '$\sigma$' : \
    c eq "ε" ? '$\varepsilon$' : c eq "η" ? '$\eta$' : c eq "ν" ? '$\nu$' : c eq "χ" ? '$\chi$' : \
    c eq "²" ? '$^2$' : c eq "₁" ? '$_1$' : c eq "₀" ? '$_0$' : c eq "▸" ? '$\triangleright$' : \
    c eq "◂" ? '$\triangleleft$' : c
# The same as the text of a tic, where gnuplot takes "%" for the beginning of a format.
in_tic(string) = tic_percent(written(string))
tic_percent(string) = strstrt(string, "%") == 0 ? string : strlen(string) < 2 ? "%%" : \
    tic_percent(string[1:strlen(string) / 2]) . tic_percent(string[strlen(string) / 2 + 1:*])
# Lines of at most n letters, broken at blanks.
fold(string, n) = strlen(string) <= n ? string : fold_at(string, n, blank_before(string, int(n)))
blank_before(string, k) = k < 1 ? 0 : string[k:k] eq " " ? k : blank_before(string, k - 1)
fold_at(string, n, k) = k == 0 ? string : string[1:k - 1] . "\n" . fold(string[k + 1:*], n)
fold_lines(string, n) = strlen(string) <= n ? 1 : fold_lines_at(string, n, blank_before(string, int(n)))
fold_lines_at(string, n, k) = k == 0 ? 1 : 1 + fold_lines(string[k + 1:*], n)
# A letter's width, to estimate text widths; a test checks that no text leaves its page.
letter = 7.8

# In another style, series may have other names: renamed[2k - 1] becomes renamed[2k], also before a comma.
if (exists("n_renamed") && exists("series")) {
    do for [s = 1:|series|] {
        do for [k = 1:n_renamed / 2] {
            n_letters = strlen(renamed[2 * k - 1])
            if (series[s][1:n_letters] eq renamed[2 * k - 1] && \
                (strlen(series[s]) == n_letters || series[s][n_letters + 1:n_letters + 1] eq ",")) {
                series[s] = renamed[2 * k] . series[s][n_letters + 1:*]
                break
            }
        }
    }
}

# Looks of series: those of their solvers, the same in all figures (series_colour, series_dash, series_mark).
array filled[6] = [7, 5, 9, 13, 11, 15]
array open[6] = [6, 4, 8, 12, 10, 14]
array marks[12] = [7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14]
array dashes[4] = ["solid", "-", ".", "_."]
colour(s) = series_colour[s]
mark(s) = marks[series_mark[s]]
line(s) = 100 + series_dash[s]
# A ring around a mark: some of its runs were stopped at a limit or stalled.
ring = 6

# "solid" is gnuplot's dash type 1, the others are patterns.
do for [i = 1:4] {
    if (dashes[i] eq "solid") { set linetype (100 + i) dashtype 1 } else { set linetype (100 + i) dashtype dashes[i] }
}

# Colours of numbers, dark for large ones, and of text on them. The lightness falls, so they are readable in grey. If the
# largest value is more than three times as far from the lowest as the median is, the scale ends there: one outlier would
# leave a single colour for the others.
palette_of_numbers = 'set palette defined (0 "#fde725", 0.25 "#5ec962", 0.5 "#21918c", 0.75 "#3b528b", 1 "#440154")'
end_of_colours(low, median, high) = median > low && high > low + 3 * (median - low) ? low + 3 * (median - low) : high
ink(part) = part > 0.4 ? 0xffffff : 0x000000

# The smallest and largest value to be drawn, NaN without any: `plot ... using (widen(...)) with table` passes the values.
# gnuplot gives up an expression with a column that is NaN, so number() looks at its text first.
seen_low = NaN
seen_high = NaN
forget = "seen_low = NaN; seen_high = NaN"
number(k) = strcol(k) eq "NaN" ? NaN : column(k)
widen(x, is_positive) = x == x && (!is_positive || x > 0) ? \
    (seen_low = seen_low <= x ? seen_low : x, seen_high = seen_high >= x ? seen_high : x, 0) : 0

# Panels: all, or only the one that `panel` names, in the k-th of `across` positions side by side.
slots(n) = panel ? 1 : n
shown_panel(k) = panel ? panel : k
# The number that fits side by side on paper, none narrower than `least`; the panel width there.
across_of(n, natural, left, between, right, least) = panel ? 1 : !paper ? natural : \
    fitting(int((paper_width - left - right + between) / (least + between)), natural < n ? natural : n)
fitting(room, most) = room < 1 ? 1 : room < most ? room : most
paper_panel(across, left, between, right) = (paper_width - left - right - between * (across - 1)) / across
width_of(natural, across, left, between, right) = paper ? paper_panel(across, left, between, right) : natural
place_panel(x, y, w, h) = sprintf("set lmargin at screen %.6f; set rmargin at screen %.6f; ", 1.0 * x / width, \
    1.0 * (x + w) / width) . sprintf("set tmargin at screen %.6f; set bmargin at screen %.6f", 1 - 1.0 * y / height, \
    1 - 1.0 * (y + h) / height)
# The height of a panel on paper: in proportion to its width, but with room for the text along its axis.
height_of(natural, w, string) = !paper ? natural : \
    0.72 * w > letter * strlen(string) + 12 ? 0.72 * w : letter * strlen(string) + 12

# Ends of a logarithmic axis around [from, to]: some margin, and at least a decade, so that the axis has readable tics.
# 1.0 * avoids gnuplot's integer division.
log_low(from, to, factor) = 1.0 * to / from * factor ** 2 < 10 ? sqrt(0.1 * from * to) : 1.0 * from / factor
log_high(from, to, factor) = 1.0 * to / from * factor ** 2 < 10 ? sqrt(10.0 * from * to) : 1.0 * to * factor

# Tics of a logarithmic axis of `room` units, whose texts take `each` along it: decades, with 2 and 5 in between if the
# axis spans few decades and has room for them.
power_of(base, exponent) = tex ? "$" . base . "^{" . exponent . "}$" : \
    base . (paper ? sprintf("^{/=%g ", 0.8 * font_size < 7 ? 7 : 0.8 * font_size) : "^{") . exponent . "}"
power(k) = power_of("10", sprintf("%d", k))
# Whether an axis of exponents has room for a tic at each integer, and contains two integers.
whole_powers(from, to) = to - from < 8 && floor(to) - ceil(from) >= 1
decade_text(k) = k >= -2 && k <= 3 ? sprintf("%g", 10.0 ** k) : power(k)
between_text(m, k) = k >= -2 && k <= 3 ? sprintf("%g", m * 10.0 ** k) : sprintf(tex ? '$%d\cdot$%s' : "%d·%s", m, power(k))
log_tics(from, to, room, each) = log_tics_step(floor(log10(from)), ceil(log10(to)), \
    1.0 * to / from < 300 && 3 * each * log10(1.0 * to / from) < room, log_step(log10(1.0 * to / from), room, each))
log_step(decades, room, each) = ceil(decades * each / room) > (decades < 8 ? 1 : 2) ? ceil(decades * each / room) : \
    decades < 8 ? 1 : 2
log_tics_step(a, b, fine, step) = \
    (tics = "", sum [k = a:b] (tics = tics . ((k - a) % step == 0 ? sprintf("%s'%s' 1e%d", strlen(tics) ? ", " : "", \
    decade_text(k), k) : "") . (fine ? sprintf(", '%s' 2e%d, '%s' 5e%d", between_text(2, k), k, between_text(5, k), k) \
    : ""), 0), "(" . tics . ")")
x_log_tics(from, to, room) = log_tics(from, to, room, 54)
y_log_tics(from, to, room) = log_tics(from, to, room, 26)

# Tics of a linear axis of counts, about five: at most four digits and a power of ten, so that all are narrow.
step_above(x) = step_of(x, 10.0 ** floor(log10(x)))
step_of(x, unit) = (x <= unit ? 1 : x <= 2 * unit ? 2 : x <= 5 * unit ? 5 : 10) * unit
count_text(v) = v < 1e6 ? sprintf("%g", v) : count_with_power(v, int(floor(log10(v))))
count_with_power(v, k) = sprintf(tex ? '$%.4g\cdot$%s' : "%.4g·%s", v / 10.0 ** k, power(k))
linear_tics(from, to) = linear_tics_by(from, to, step_above((to - from) / 5.0))
linear_tics_by(from, to, step) = (tics = "", sum [k = int(ceil(from / step)):int(floor(to / step))] (tics = tics . \
    sprintf("%s'%s' %.12g", strlen(tics) ? ", " : "", count_text(k * step), k * step), 0), "(" . tics . ")")

# The first nine distinct values along an axis, ascending; take_level adds one. They are its tics if they are at most
# eight and their texts fit into `room` units.
array levels[10]
n_levels = 0
take_level(x) = x == x ? add_level(x, int(1 + sum [i = 1:n_levels] (levels[i] < x ? 1 : 0))) : 0
add_level(x, at) = n_levels == 9 || (at <= n_levels && levels[at] == x) ? 0 : (sum [i = at:n_levels] \
    (levels[n_levels + 1 + at - i] = levels[n_levels + at - i], 0), levels[at] = x, n_levels = n_levels + 1, 0)
level_text(i) = sprintf("%.6g", levels[i])
level_part(i, is_log) = is_log ? log(1.0 * levels[i] / levels[i - 1]) / log(1.0 * levels[n_levels] / levels[1]) : \
    1.0 * (levels[i] - levels[i - 1]) / (levels[n_levels] - levels[1])
level_fits(i, is_log, room) = strlen(level_text(i)) <= 6 && !strstrt(level_text(i), "e") && \
    (i == 1 || level_part(i, is_log) * room >= letter * (strlen(level_text(i)) + 1))
level_tics(is_log, room) = n_levels < 2 || n_levels > 8 || \
    (sum [i = 1:n_levels] (level_fits(i, is_log, room) ? 1 : 0)) < n_levels ? "" : (tics = "", \
    sum [i = 1:n_levels] (tics = tics . sprintf("%s'%s' %.15g", i > 1 ? ", " : "", level_text(i), levels[i]), 0), \
    "(" . tics . ")")

# The same positions without text, for a panel above another. Texts are in single quotes.
without_text(tics) = strlen(tics) == 0 ? "" : between_quotes(tics, strstrt(tics, "'"))
between_quotes(tics, at) = at == 0 ? tics : after_quote(tics[1:at], tics[at + 1:*])
after_quote(before, rest) = before . "'" . without_text(rest[strstrt(rest, "'") + 1:*])

# The legend is placed by hand in rows above the frame: gnuplot limits its own key to the width of one panel and then
# lets it grow into the figure. Positions are in units from the top left corner, for entry i of n in a strip that begins
# at `left`; `extra` is the length of the longest entry minus that of the longest series name.
longest_of(string, other) = strlen(string) > other ? strlen(string) : other
# A label longer than the page takes several lines.
longest_label = 0
legend_letters = paper ? int((paper_width - 126) / letter) : 60
legend_lines = 1
if (exists("series")) {
    do for [s = 1:|series|] {
        longest_label = longest_of(series[s], longest_label)
        lines_of_label = fold_lines(series[s] . (exists("n_printed") ? " (printed)" : ""), legend_letters)
        legend_lines = lines_of_label > legend_lines ? lines_of_label : legend_lines
    }
    longest_label = longest_label > legend_letters ? legend_letters : longest_label
}
legend_text(string) = written(fold(string, legend_letters))
legend_step(extra) = letter * (longest_label + extra) + 76
legend_columns(pixels, extra) = pixels > 2 * legend_step(extra) ? int(pixels / legend_step(extra)) : 1
rows_of(n, columns) = (n + columns - 1) / columns
legend_left(left, pixels, n, extra) = \
    left + 0.5 * (pixels - (n < legend_columns(pixels, extra) ? n : legend_columns(pixels, extra)) * legend_step(extra))
legend_x(i, left, pixels, n, extra) = \
    legend_left(left, pixels, n, extra) + 36 + legend_step(extra) * ((i - 1) % legend_columns(pixels, extra))
legend_y(i, pixels, extra) = 14.0 + 19 * legend_lines * ((i - 1) / legend_columns(pixels, extra))
# The space above the frame, for the rows of the legend.
head_of(n, extra) = 14.0 + 19 * legend_lines * rows_of(n, legend_columns(width - 40, extra))
# Entry i of a legend of n, in a strip across the whole figure, as commands for eval: a mark (or none: 0) and its text.
# They are two labels, since gnuplot raises the text of a label with a point.
entry_x(i, n, extra) = legend_x(i, 20, width - 40, n, extra) / width
entry_y(i, n, extra) = 1 - legend_y(i, width - 40, extra) / height
mark_entry(i, n, extra, text, type, size, rgb, right) = \
    sprintf("set label %d '' at screen %.6f, screen %.6f point pointtype %d pointsize %g linewidth 1.4 linecolor rgb '%s'; ", \
    100 + i, entry_x(i, n, extra), entry_y(i, n, extra), type, size, rgb) . text_entry(i, n, extra, text, right)
array legend_texts[100]
text_entry(i, n, extra, text, right) = (legend_texts[i] = legend_text(text), \
    sprintf("set label %d legend_texts[%d] left noenhanced at screen %.6f, screen %.6f; ", 300 + i, i, \
    entry_x(i, n, extra) + 1.0 * right / width, entry_y(i, n, extra)))
# An entry of a series with a line through its mark.
line_entry(s, n, type) = mark_entry(s, n, 0, series[s], without_mark(s) ? 0 : mark(s), 1, colour(s), 27) . \
    sprintf("set arrow %d from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead linetype %d ", 100 + s, \
    entry_x(s, n, 0) - 18.0 / width, entry_y(s, n, 0), entry_x(s, n, 0) + 18.0 / width, entry_y(s, n, 0), type) . \
    sprintf("linecolor rgb '%s' linewidth 1.6", colour(s))
without_mark(s) = 0

set key noautotitle
unset key
set border linecolor rgb "#404040"
set grid ytics linecolor rgb "#ebebeb" linetype 1 linewidth 1
set tics nomirror

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
