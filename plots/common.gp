# Shared by all figures: marks, lines and colours that stay apart in grey, and the frame. Put by `hullbench plot`
# between a figure's own variables and the template of its kind.
set encoding utf8

# The pictures of a figure of `width` x `height` pixels, 96 to the inch: one layout in all, texts of one size.
endings = "svg png pdf"
svg_page = "set terminal svg size %d, %d fontscale 1.333 dashlength 0.7 " . \
    "font \"'DejaVu Sans'\\, Verdana\\, sans-serif,11\""
png_page = "set terminal pngcairo size %d, %d font 'DejaVu Sans,11'"
pdf_page = "set terminal pdfcairo size %.4f, %.4f fontscale 0.76 pointscale 0.8 linewidth 1.3 font 'DejaVu Sans,11'"
page(ending) = (ending eq "pdf" ? sprintf(pdf_page, width / 96.0, height / 96.0) : \
    sprintf(ending eq "svg" ? svg_page : png_page, width, height)) . \
    " background rgb 'white'; set output '" . name . "." . ending . "'"
# Heading and caption, as labels 1 and 2.
words = 'set label 1 heading at screen 0.5, screen 1 - 20.0 / height center noenhanced font ",13"; ' . \
    'set label 2 caption at screen 0.012, screen (14.0 * caption_lines) / height left noenhanced font small'

array filled[6] = [7, 5, 9, 13, 11, 15]
array open[6] = [6, 4, 8, 12, 10, 14]
array marks[12] = [7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14]
array dashes[4] = ["solid", "-", ".", "_."]
array colours[6] = ["#004c8c", "#d55e00", "#009e73", "#000000", "#c04c94", "#8c6d00"]
colour(s) = colours[(s - 1) % 6 + 1]
mark(s) = marks[(s - 1) % 12 + 1]
line(s) = 101 + (s - 1) % 4

# "solid" is gnuplot's dash type 1, the others are patterns.
do for [i = 1:4] {
    if (dashes[i] eq "solid") { set linetype (100 + i) dashtype 1 } else { set linetype (100 + i) dashtype dashes[i] }
}

# Ends of a logarithmic axis about [from, to]: some room, and at least a decade, so that it has tics to be read by.
# 1.0 *: the ratio of two whole numbers is a whole number to gnuplot.
log_low(from, to, factor) = 1.0 * to / from * factor ** 2 < 10 ? sqrt(0.1 * from * to) : 1.0 * from / factor
log_high(from, to, factor) = 1.0 * to / from * factor ** 2 < 10 ? sqrt(10.0 * from * to) : 1.0 * to * factor

# Tics of a logarithmic axis: decades, and 2 and 5 between them where the axis spans few.
decade_text(k) = k >= -2 && k <= 3 ? sprintf("%g", 10.0 ** k) : sprintf("10^{%d}", k)
between_text(m, k) = k >= -2 && k <= 3 ? sprintf("%g", m * 10.0 ** k) : sprintf("%d·10^{%d}", m, k)
log_tics(from, to) = log_tics_step(floor(log10(from)), ceil(log10(to)), 1.0 * to / from < 300, \
    1.0 * to / from < 1e8 ? 1 : 2)
log_tics_step(a, b, fine, step) = \
    (tics = "", sum [k = a:b] (tics = tics . ((k - a) % step == 0 ? sprintf("%s'%s' 1e%d", strlen(tics) ? ", " : "", \
    decade_text(k), k) : "") . (fine ? sprintf(", '%s' 2e%d, '%s' 5e%d", between_text(2, k), k, between_text(5, k), k) \
    : ""), 0), "(" . tics . ")")

# The same places without their texts, for a panel above another. Texts stand in single quotes.
without_text(tics) = strlen(tics) == 0 ? "" : between_quotes(tics, strstrt(tics, "'"))
between_quotes(tics, at) = at == 0 ? tics : after_quote(tics[1:at], tics[at + 1:*])
after_quote(before, rest) = before . "'" . without_text(rest[strstrt(rest, "'") + 1:*])

# The legend is set by hand in rows above the frame: gnuplot limits its own key to the width of one panel and then
# lets it grow into the figure. Places are in pixels from the top left corner for entry i of n in a strip that begins at
# `left`; `extra` is what the longest entry is longer than the longest series name.
longest_label = 0
if (exists("series")) {
    do for [s = 1:|series|] { longest_label = strlen(series[s]) > longest_label ? strlen(series[s]) : longest_label }
}
legend_step(extra) = 7.8 * (longest_label + extra) + 70
legend_columns(pixels, extra) = pixels > 2 * legend_step(extra) ? int(pixels / legend_step(extra)) : 1
rows_of(n, columns) = (n + columns - 1) / columns
legend_left(left, pixels, n, extra) = \
    left + 0.5 * (pixels - (n < legend_columns(pixels, extra) ? n : legend_columns(pixels, extra)) * legend_step(extra))
legend_x(i, left, pixels, n, extra) = \
    legend_left(left, pixels, n, extra) + 36 + legend_step(extra) * ((i - 1) % legend_columns(pixels, extra))
legend_y(i, pixels, extra) = 47.0 + 19 * ((i - 1) / legend_columns(pixels, extra))
# Entry s of a legend of n lines with marks, in a strip over the whole figure, as commands to be evaluated.
line_entry(s, n, type) = line_entry_at(s, type, legend_x(s, 20, width - 40, n, 0) / width, \
    1 - legend_y(s, width - 40, 0) / height, 18.0 / width)
line_entry_at(s, type, x, y, half) = \
    sprintf("set label %d series[%d] left noenhanced at screen %.6f, screen %.6f offset 2.5, 0 ", 100 + s, s, x, y) . \
    sprintf("point pointtype %d pointsize 1 linecolor rgb '%s'; ", mark(s), colour(s)) . \
    sprintf("set arrow %d from screen %.6f, screen %.6f ", 100 + s, x - half, y) . \
    sprintf("to screen %.6f, screen %.6f ", x + half, y) . \
    sprintf("nohead linetype %d linecolor rgb '%s' linewidth 1.6", type, colour(s))

unset key
set border linecolor rgb "#404040"
set grid ytics linecolor rgb "#dcdcdc" linetype 1 linewidth 0.5
set tics nomirror
small = ",9"
