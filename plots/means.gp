# Test error, iterations or kernel operations for each data set: mean, standard deviation and quartiles, beside the
# printed mean and deviation. A bar that would end below a logarithmic axis ends at its foot.
# Columns: position data_set n mean sd quartile_1 median quartile_3 min max printed_mean printed_sd; a block a series.
n_series = |series|
n_datasets = |datasets|
width = 120 + 94 * (n_datasets > 7 ? n_datasets : 7)
extra = n_printed ? 10 : 0
n_entries = n_series + n_printed
longest = 0
do for [d = 1:n_datasets] { longest = strlen(datasets[d]) > longest ? strlen(datasets[d]) : longest }
head = 56.0 + 19 * rows_of(n_entries, legend_columns(width - 40, extra))
foot = 14.0 * caption_lines + (longest > 13 ? 100 : 50)
height = head + 400 + foot
room = 0.8 / n_series
place(d, s) = d + (s - 0.5) * room - 0.4
ours(d, s) = place(d, s) - (n_printed ? 0.2 * room : 0)
bottom = logarithmic ? log_low(low, high, 1.6) : 0
top = logarithmic ? log_high(low, high, 1.6) : high > 0 ? 1.06 * high : 1
foot_of(mean, sd) = sd == sd ? (mean - sd > bottom ? mean - sd : bottom) : mean
head_of(mean, sd) = sd == sd ? mean + sd : mean
inside(x) = x > bottom ? x : bottom

eval words
set tmargin at screen 1 - head / height
set bmargin at screen foot / height
set lmargin at screen 80.0 / width
set rmargin at screen 1 - 25.0 / width
do for [i = 1:n_entries] {
    shown = i <= n_series ? i : printed[i - n_series]
    set label 100 + i series[shown] . (i <= n_series ? "" : " (printed)") left noenhanced \
        at screen legend_x(i, 20, width - 40, n_entries, extra) / width, \
           screen 1 - legend_y(i, width - 40, extra) / height offset 1, 0 \
        point pointtype (i <= n_series ? filled[shown] : open[shown]) pointsize 1.1 linewidth 1.3 \
        linecolor rgb colour(shown)
}
set ylabel axis
if (logarithmic) {
    set logscale y
    eval "set ytics " . log_tics(bottom, top)
}
set yrange [bottom:top]
set xrange [0.5:n_datasets + 0.5]
set xtics () scale 0 noenhanced
if (longest > 13) { set xtics rotate by -30 }
do for [d = 1:n_datasets] { set xtics add (datasets[d] d) }
do for [d = 1:n_datasets - 1] {
    set arrow d from d + 0.5, graph 0 to d + 0.5, graph 1 nohead linecolor rgb "#c8c8c8" linewidth 0.5 back
}
set errorbars small

do for [ending in endings] {
    eval page(ending)
    plot for [s = 1:n_series] name . ".dat" index s - 1 \
             using (ours($1, s)):(inside($7)):(ours($1, s) - 0.16 * room):(ours($1, s) + 0.16 * room): \
                 (inside($6)):(inside($8)) with boxxyerror \
             linecolor rgb colour(s) linewidth 0.7 fillstyle solid 0.18 border notitle, \
         for [s = 1:n_series] name . ".dat" index s - 1 \
             using (ours($1, s)):4:(foot_of($4, $5)):(head_of($4, $5)) with yerrorbars \
             linecolor rgb colour(s) pointtype filled[s] pointsize 0.8 linewidth 1.2, \
         for [k = 1:n_printed] name . ".dat" index printed[k] - 1 \
             using (place($1, printed[k]) + 0.22 * room):11:(foot_of($11, $12)):(head_of($11, $12)) with yerrorbars \
             linecolor rgb colour(printed[k]) pointtype open[printed[k]] pointsize 1 linewidth 1.2
}
unset output
