#!/bin/sh
# A run as an array of jobs on a real Slurm, with shards killed, requeued and cancelled, has the same bytes as a single
# run. Without Slurm's daemons only the script's messages are tested.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
# shellcheck source=tests/cli/slurm.sh
. "$(dirname -- "$0")/slurm.sh"

cat >"$work/config.json" <<'END'
{
  "name": "slurm",
  "datasets": [{"name": "twonorm", "made": true}, {"name": "titanic", "made": true}],
  "splits": "1-4",
  "standardise": "full-set",
  "kernel": {"type": "rbf", "width": [1, 5, 20, 60]},
  "parameters": {"mu": [0.02, 0.1, 0.4]},
  "solvers": ["clip-mdm", "mu-gsk", "minkowski-clip-mdm"],
  "stop": {"rule": "rch-gap-both", "tolerance": 1e-9},
  "budget": {"iterations": 6000},
  "plots": [{"kind": "iterations"}]
}
END
HULLBENCH=$hullbench
export HULLBENCH

# submit WORDS...: $status, $work/out, $work/err.
submit() {
    "$root/scripts/slurm-run.sh" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# The script's messages need no Slurm: a fake sbatch, which must not be called, replaces it.
mkdir "$work/bin"
printf '#!/bin/sh\necho called >>%s/called\nexit 1\n' "$work" >"$work/bin/sbatch"
chmod +x "$work/bin/sbatch"
bad=0
# refuses STATUS TEXT WORDS...
refuses() {
    expected=$1 text=$2
    shift 2
    PATH=$work/bin:$PATH submit "$@"
    { ended "$expected" && says "$text"; } || { bad=$((bad + 1)) &&
        echo "# \"$*\" ends with $status: $(cat "$work/err")"; }
}
refuses 2 '--shards: "" is not' "$work/config.json"
refuses 2 '--shards: "0" is not' "$work/config.json" --shards 0
refuses 2 '--shards: "1001" is not' "$work/config.json" --shards=1001
refuses 2 '--shards needs a value' "$work/config.json" --shards
refuses 2 'expected a configuration file' --shards 2
refuses 2 'cannot be read' "$work/none.json" --shards 2
refuses 2 '"long"' "$work/config.json" --shards 2 --partition long
refuses 2 'the script sets this option itself' "$work/config.json" --shards 2 --array=1-2
sed 's/clip-mdm/klip-mdm/' "$work/config.json" >"$work/misspelt.json"
refuses 2 'klip-mdm' "$work/misspelt.json" --shards 2 --out "$work/no"
[ "$bad" -eq 0 ] && [ ! -e "$work/called" ] && [ ! -e "$work/no" ]
check "bad words and a bad configuration are refused before anything is submitted or made"
PATH=$work/bin:$PATH submit "$work/config.json" --shards 2 --out "$work/no"
[ -s "$work/called" ] && [ "$status" -ne 0 ]
check "the program called sbatch is what submits, and its failure is ours"

# The jobs alone, without Slurm: a fake scontrol notes its arguments.
printf '#!/bin/sh\necho "$*" >>%s/asked\n' "$work" >"$work/bin/scontrol"
chmod +x "$work/bin/scontrol"
sed 's/6000/20/; s/{"name": "twonorm", "made": true}, //; s/1, 5, 20, 60/5, 20/' "$work/config.json" \
    >"$work/small.json"
# shard K N: $status, $work/out.
shard() {
    PATH=$work/bin:$PATH SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$1 \
        "$root/scripts/slurm-shard.sh" "$hullbench" "$work/small.json" "$work/jobs/shards" "$2" >"$work/out" \
        2>"$work/err"
    status=$?
}
program run "$work/small.json" --out "$work/small" --quiet
mkdir "$work/jobs"
PATH=$work/bin:$PATH submit "$work/small.json" --shards 9 --out "$work/few"
grep -q '^slurm: .* on 4 splits; 8 blocks for shards ' "$work/out" &&
    says "slurm-run.sh: note: the plan has 8 blocks, so 1 of 9 shards will be empty"
check "shards for which there is no block are told before they are submitted"
PATH=$work/bin:$PATH submit "$work/small.json" --shards 8 --out "$work/few"
! says ' blocks'
check "as many shards as blocks are not"
bad=0 number=0
while [ $((number += 1)) -le 10 ]; do
    shard "$number" 10
    [ "$status" -eq 0 ] || bad=$((bad + 1))
done
grep -q 'nothing to measure' "$work/out" && [ ! -e "$work/jobs/shards/10-of-10" ] && [ "$bad" -eq 0 ] &&
    "$root/scripts/slurm-merge.sh" "$hullbench" "$work/jobs" 10 >"$work/out" 2>"$work/err" &&
    "$root/scripts/slurm-merge.sh" "$hullbench" "$work/jobs" 10 >"$work/out" 2>"$work/err" &&
    same_files "$work/small/records.jsonl" "$work/jobs/records.jsonl" && [ -s "$work/jobs/report.html" ]
check "10 shards of 8 blocks make the whole, and a merge that is started again goes on"
mkdir -p "$work/jobs/shards" &&
    : >"$work/jobs/shards/1-of-3" # a file in place of the folder, which also stops root
shard 1 3
[ "$status" -ne 0 ] && [ "$(cat "$work/asked")" = "requeue 7_1" ] && rm "$work/asked" &&
    SLURM_RESTART_COUNT=1 shard 1 3 && [ "$(cat "$work/asked")" = "requeue 7_1" ] && rm "$work/asked" &&
    SLURM_RESTART_COUNT=2 shard 1 3 && [ "$status" -ne 0 ] && grep -q 'given up' "$work/out" && [ ! -e "$work/asked" ]
check "a shard that cannot work is put back twice and then given up"
sed 's/klip/clip/; s/"mu"/"nu"/' "$work/misspelt.json" >"$work/small.json"
shard 1 4
[ "$status" -eq 2 ] && [ ! -e "$work/asked" ]
check "bad input is not repeated"

# The model of a plan of four splits with two kernels, on two threads for 12 s, half as much again as the jobs take.
# Split 1 takes 1 s with the first kernel and 1.5 s with the second; splits 2 to 4 take 1.5, 2, 2.5 s with the first
# alone. One run reaches both tolerances; the first is half of its way.
mkdir "$work/timed"
printf '{\n\t"seconds":\t6.375,\n\t"machine":\t{\n\t\t"threads":\t2\n\t}\n}\n' >"$work/timed/run.json"
index=0
# timed SPLIT KERNEL SECONDS TOLERANCE
timed() {
    echo "{\"dataset\":\"heart\",\"split\":$1,\"kernel\":{\"width\":$2},\"stop\":{\"tolerance\":$4}}" \
        >>"$work/timed/records.jsonl"
    echo "{\"index\":$index,\"seconds\":$3,\"job\":[0,$1,$2,0,0]}" >>"$work/timed/timings.jsonl"
    index=$((index + 1))
}
for block in '1 0 0.5 1' '1 1 0.75 1.5' '2 0 0.75 1.5' '3 0 1 2' '4 0 1.25 2.5'; do
    # shellcheck disable=SC2086 # words
    set -- $block
    timed "$1" "$2" "$3" 0.1
    timed "$1" "$2" "$4" 0.01
done
"$root/scripts/shard-model.sh" --start 1 --shards "1 2 8" "$work/timed" >"$work/out" 2>"$work/err"
grep -q '^10 records in 5 blocks, 12.8 s on one thread; the longest block 3.8 s' "$work/out" &&
    awk 'NR > 2 { print $1, $2, $3, $5, $6 }' "$work/out" | tr '\n' ' ' |
    grep -qx '1 12.8 1.00 13.8 1.0 2 6.8 1.06 8.8 1.6 8 3.8 1.47 5.8 2.4 '
check "the model of shards adds up blocks as the plan deals them, and the run of several tolerances once"

# The kind of folder determines what is submitted: this test writes sbatch and squeue.
cat >"$work/bin/sbatch" <<'END'
#!/bin/sh
case "$*" in *--array*) echo "$@" >>"$FAKE/arrays"; echo 401 ;; *) [ ! -e "$FAKE/no-merge" ] || exit 1; echo 402 ;; esac
END
# shellcheck disable=SC2016 # for that script
printf '#!/bin/sh\ncat "$FAKE/queue" >&2\nexit 1\n' >"$work/bin/squeue"
chmod +x "$work/bin/sbatch" "$work/bin/squeue"
FAKE=$work/fake
export FAKE
mkdir "$FAKE"
touch "$FAKE/no-merge"
PATH=$work/bin:$PATH submit "$work/config.json" --shards 2 --out "$work/half"
ended 4 && says "did not accept the merge; the shards are in job 401" && [ "$(cat "$work/half/shards/jobs")" = 401 ]
check "an array whose merge is not taken is named and remembered"
echo 'slurm_load_jobs error: Socket timed out' >"$FAKE/queue"
PATH=$work/bin:$PATH submit "$work/config.json" --shards 2 --out "$work/half"
ended 4 && says "jobs 401 are still writing" && says "Socket timed out" && [ "$(wc -l <"$FAKE/arrays")" -eq 1 ]
check "nothing is submitted where Slurm does not say whether jobs are at work"
echo 'slurm_load_jobs error: Invalid job id specified' >"$FAKE/queue"
rm "$FAKE/no-merge"
PATH=$work/bin:$PATH submit "$work/config.json" --shards 2 --out "$work/half"
ended 0 && [ "$(cat "$work/half/shards/jobs")" = 401,402 ]
check "jobs that Slurm has forgotten are at an end"
cp "$work/config.json" "$work/half/config.json"
printf '{\n\t"partial":\t["x"]\n}\n' >"$work/half/run.json"
PATH=$work/bin:$PATH submit "$work/config.json" --shards 2 --out "$work/half"
ended 2 && says "contains a merge that lacks parts"
check "a merge that lacks parts is not called complete"
printf '{\n}\n' >"$work/half/run.json"
PATH=$work/bin:$PATH submit "$work/config.json" --shards 2 --out "$work/half"
ended 0 && grep -q '^Shards:' "$work/out"
check "a merge without its report is made to have one"

missing=$(slurm_missing)
if [ -n "$missing" ]; then
    skip "an array of four shards on a real Slurm" "not installed:$missing" slurm-wlm munge
    finish
fi
program run "$work/config.json" --out "$work/whole" --quiet
slurm_start
check "munged, slurmctld and slurmd start on loopback"
[ "$failed" -eq 0 ] || finish

folder=$work/out1
log() {
    cat "$folder/logs/$1.log" 2>/dev/null
}
# process SHARD: its program, as the script reports it.
process() {
    log "$1" | sed -n 's/.*process \([0-9]*\),.*/\1/p' | tail -n 1
}
# The program of a shard that $held names stops itself before it starts, so that no shard is over before the test acts.
cat >"$work/held" <<END
#!/bin/sh
case " \$held " in
*" \${SLURM_ARRAY_TASK_ID-} "*) [ -e "\$4/journal.jsonl" ] || kill -STOP \$\$ ;;
esac
exec "$hullbench" "\$@"
END
chmod +x "$work/held"
stopped() {
    grep -q '^State:[[:space:]]*T' "/proc/$1/status" 2>/dev/null
}
# part_way SHARD...: lets the stopped program of each shard run until its journal has some records, and stops it again.
part_way() {
    for shard; do
        tries=0
        until child=$(process "$shard") && [ -n "$child" ] && stopped "$child"; do
            [ $((tries += 1)) -le 600 ] || return 1
            sleep 0.1
        done
        while records=$(grep -cs '"record"' "$folder/shards/$shard-of-4/journal.jsonl"); [ "${records:-0}" -lt 10 ]; do
            kill -CONT "$child" && sleep 0.02 && kill -STOP "$child" || return 1
        done
        [ ! -e "$folder/shards/$shard-of-4/run.json" ] || return 1
    done
}
starts() {
    log "$1" | grep -c 'process [0-9]'
}
# Shows the logs if the preceding command failed.
logged() {
    # shellcheck disable=SC2181 # the command before the call
    [ "$?" -eq 0 ] || { tail -n 20 "$folder"/logs/*.log >"$work/err" 2>&1; return 1; }
}
# went_on SHARD: the second start found records of the first.
went_on() {
    [ "$(starts "$1")" -eq 2 ] && log "$1" | grep 'start 2 .*process' | grep -qE ' [1-9][0-9]+ lines in the journal' &&
        log "$1" | grep -q 'start 2 .*finished'
}

HULLBENCH=$work/held held='2 3 4'
export held
submit "$work/config.json" --shards 4 --out "$folder" --time=10
job=$(sed 's/,.*//' "$folder/shards/jobs")
ended 0 && grep -q '^Shards: *4 of 4 to do, array job' "$work/out" &&
    grep -q "^Watch: *squeue --jobs=$job,[0-9]*$" "$work/out"
check "slurm-run.sh submits and says where to look"
submit "$work/config.json" --shards 4 --out "$folder"
ended 2 1 && says "are still writing to it"
check "the same folder is not submitted twice"
part_way 2 3 4 && kill -9 "$(process 2)" && scontrol requeue "${job}_3" 2>"$work/err" &&
    scancel --batch --signal=USR1 "${job}_4" 2>"$work/err" && sleep 0.3 && kill -CONT "$(process 4)"
check "a shard in the middle is killed, one is preempted, and one is told that its time is over"
slurm_done 120
check "the array and the merge come to their end"
[ "$(starts 1)" -eq 1 ] && went_on 2 && went_on 3 && went_on 4 && log 2 | grep -q 'status 137' && log 3 |
    grep -q 'status 143'
logged
check "those three, and no other, were started again and went on from their journals"
same_files "$work/whole/records.jsonl" "$folder/records.jsonl"
check "the merge has the bytes of the unsharded run"
[ -s "$folder/tables/summary.md" ] && [ -s "$folder/report.html" ] && log merge | grep -q '^288 records of 4 folders' &&
    program run "$work/config.json" --out "$folder" && grep -q 'already complete' "$work/out"
check "tables and report are there, and the folder is a finished run"
submit "$work/config.json" --shards 4 --out "$folder"
ended 0 0 && grep -q 'already complete' "$work/out" && [ -z "$(squeue --noheader)" ]
check "a finished run is not submitted again"
sed 's/6000/5000/' "$work/config.json" >"$work/other.json"
submit "$work/other.json" --shards 4 --out "$folder"
ended 2 1 && says "another configuration"
check "a finished run of another configuration is left alone"

folder=$work/out2 held=2
submit "$work/config.json" --shards=4 --out="$folder"
job=$(sed 's/,.*//' "$folder/shards/jobs")
part_way 2 && scancel "${job}_2" && slurm_done 120
[ "$(starts 2)" -eq 1 ] && log merge | grep -q '2-of-4: not finished' && [ ! -e "$folder/run.json" ]
logged
check "a cancelled shard is not started again, and the merge says that it is missing"
submit "$work/other.json" --shards 4 --out "$folder"
ended 2 1 && says "contains shards of another configuration"
check "shards of another configuration are left alone"
submit "$work/config.json" --shards 4 --out "$folder"
ended 0 && grep -q '^Shards: *1 of 4 to do' "$work/out" && slurm_done 120 && [ "$(starts 1)" -eq 1 ] &&
    [ "$(starts 2)" -eq 2 ] &&
    same_files "$work/whole/records.jsonl" "$folder/records.jsonl"
check "the same command does what is left, to the same bytes"
finish
