# Test error, iterations or kernel operations for each data set: mean and standard deviation, next to the printed ones. A
# bar that would end below a logarithmic axis ends at its foot. On paper, the data sets
# take as many rows as the page width requires.
# Columns: position data_set n mean sd quartile_1 median quartile_3 min max printed_mean printed_sd at_limit; one block
# per series.
n_series = |series|
n_datasets = |datasets|
extra = n_printed ? 10 : 0
n_entries = n_series + n_printed
eval forget
set table $seen
plot for [s = 1:n_series] data index s - 1 using (widen(number(4), logarithmic) + widen(number(11), logarithmic) + \
    widen(number(4) + number(5), logarithmic) + widen(number(11) + number(12), logarithmic)) with table
unset table
low = 1.0 * seen_low
high = 1.0 * seen_high
width = paper ? paper_width : 120 + 94 * (n_datasets > 7 ? n_datasets : 7)
most_in_row = paper ? int((width - 105) / (10 * n_entries + 12)) : n_datasets
most_in_row = most_in_row < 1 ? 1 : most_in_row
down = (n_datasets + most_in_row - 1) / most_in_row
in_row = (n_datasets + down - 1) / down
longest = 0
do for [d = 1:n_datasets] { longest = longest_of(datasets[d], longest) }
upright = paper && letter * longest > (width - 105) / in_row - 6
head = head_of(n_entries, extra)
foot = upright ? letter * longest + 18 : !paper && longest > 13 ? 0.5 * letter * longest + 30 : 30.0
panel_height = !paper ? 400 : height_of(0, down == 1 ? 400 : 260, axis)
step = panel_height + foot
height = head + step * down
room = 0.8 / n_series
place(d, s) = d + (s - 0.5) * room - 0.4
ours(d, s) = place(d, s) - (n_printed ? 0.2 * room : 0)
bottom = logarithmic ? log_low(low, high, 1.6) : 0
top = logarithmic ? log_high(low, high, 1.6) : high > 0 ? 1.06 * high : 1
foot_of(mean, sd) = sd == sd ? (mean - sd > bottom ? mean - sd : bottom) : mean
head_of_bar(mean, sd) = sd == sd ? mean + sd : mean
filled_mark(s) = filled[(series_mark[s] - 1) % 6 + 1]
open_mark(s) = open[(series_mark[s] - 1) % 6 + 1]

set errorbars small
set yrange [bottom:top]
if (logarithmic) { set logscale y }

do for [ending in endings] {
    eval page(ending)
    set multiplot
    do for [i = 1:n_entries] {
        entry = i <= n_series ? i : printed[i - n_series]
        eval mark_entry(i, n_entries, extra, series[entry] . (i <= n_series ? "" : " (printed)"), \
            i <= n_series ? filled_mark(entry) : open_mark(entry), 1.1, colour(entry), 12)
    }
    if (logarithmic) { eval "set ytics " . y_log_tics(bottom, top, panel_height) }
    set ylabel written(axis)
    set xtics () scale 0 noenhanced
    if (!paper && longest > 13) { set xtics rotate by -30 }
    if (upright) { set xtics rotate }
    do for [d = 1:n_datasets] { set xtics add (in_tic(datasets[d]) d) }
    do for [k = 1:down] {
        eval place_panel(80, head + step * (k - 1), width - 105, panel_height)
        set xrange [in_row * (k - 1) + 0.5:in_row * k + 0.5]
        unset arrow
        do for [d = in_row * (k - 1) + 1:in_row * k - 1] {
            set arrow d from d + 0.5, graph 0 to d + 0.5, graph 1 nohead linecolor rgb "#c8c8c8" linewidth 0.5 back
        }
        plot for [s = 1:n_series] data index s - 1 \
                 using (ours($1, s)):4:(foot_of($4, $5)):(head_of_bar($4, $5)) with yerrorbars \
                 linecolor rgb colour(s) pointtype filled_mark(s) pointsize 0.8 linewidth 1.2, \
             for [s = 1:n_series] data index s - 1 using ($13 > 0 ? ours($1, s) : NaN):4 with points \
                 linecolor rgb colour(s) pointtype ring pointsize 1.8 linewidth 1.2, \
             for [m = 1:n_printed] data index printed[m] - 1 \
                 using (place($1, printed[m]) + 0.22 * room):11:(foot_of($11, $12)):(head_of_bar($11, $12)) with yerrorbars \
                 linecolor rgb colour(printed[m]) pointtype open_mark(printed[m]) pointsize 1 linewidth 1.2
        unset label
    }
    unset multiplot
}
unset output
