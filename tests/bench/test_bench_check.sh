#!/bin/sh
# make bench-check finds a loss of speed that repeats, and only such a loss (tests/bench/check.py).
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! python3 -c 1 2>/dev/null; then
    skip "make bench-check" "python3 is not installed" python3
    finish
fi
cd "$work" || exit 4

# A bench whose ratio is the next line of the file `ratios`.
cat >bench <<'END'
#!/bin/sh
ratio=$(head -n 1 ratios)
sed -i 1d ratios
echo '{"vector_width": "avx2", "check": [{"problem": "p", "runs": [{"solver": "LIBSVM"}, {"solver": "s",
    "times_faster": [{"against": "LIBSVM", "median": '"$ratio"'}, {"against": "other", "median": 0.1}]}]}]}' >"$1"
END
chmod +x bench
# prints PATTERN: so does the latest call
# compares RATIOS...: with the stored ratios, whose bench measures these in turn
prints() {
    grep -q -- "$1" out
}
compares() {
    printf '%s\n' "$@" >ratios
    python3 "$root/tests/bench/check.py" ./bench stored.json report.json >out 2>&1
    status=$?
}

echo '{}' >stored.json
compares 2
[ $status -eq 2 ] && prints 'no ratios of avx2'
check "without stored ratios there is nothing to compare"
echo 2.5 >ratios
python3 "$root/tests/bench/check.py" ./bench stored.json report.json --update >out 2>&1
status=$?
[ $status -eq 0 ] && grep -q '"p, s, LIBSVM": 2.5' stored.json && ! grep -q other stored.json
check "ratios are stored"
compares 2.01
[ $status -eq 0 ] && prints 'p, s, LIBSVM  *2.50  *2.01$'
check "19.6 % less is no loss"
compares 1.99 2.1
[ $status -eq 0 ] && prints 'again, since p, s, LIBSVM fell' && ! prints 'a loss of'
check "nor is a loss that does not repeat"
compares 1.99 1.5
[ $status -eq 1 ] && prints 'p, s, LIBSVM  *2.50  *1.99  a loss of more than 20 %'
check "a loss that repeats has status 1"
finish
