#!/bin/sh
# Folders of shards and of restricted runs merge into the folder of the whole run, byte for byte; parts that do not
# belong together, contradict each other or are missing are reported.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

# A solver is listed twice, so that two jobs differ only in their tolerance; heart is missing without the data.
cat >"$work/config.json" <<'EOF2'
{
  "name": "merge",
  "datasets": ["twonorm", "heart", "titanic"],
  "splits": "1-4",
  "standardise": "full-set",
  "kernel": {"type": "rbf", "width": [5, 20]},
  "parameters": {"mu": [0.02, 0.4]},
  "solvers": ["clip-mdm", "mu-gsk", {"name": "clip-mdm", "stop": {"rule": "rch-gap-both", "tolerance": 1e-2},
   "budget": {"iterations": 5}}],
  "stop": {"rule": "rch-gap-both", "tolerance": 1e-3},
  "budget": {"iterations": 100},
  "trace": {"datasets": ["titanic", "twonorm"], "splits": "1,3"}
}
EOF2

# run_part FOLDER WORDS...: a run of the configuration.
run_part() {
    folder=$work/$1
    shift
    program run "$work/config.json" --out "$folder" --quiet "$@"
}

# like_whole FOLDER: records, configuration, traces and plan equal those of the whole run.
like_whole() {
    same_files "$work/whole/records.jsonl" "$work/$1/records.jsonl" &&
        cmp -s "$work/whole/config.json" "$work/$1/config.json" &&
        diff -r "$work/whole/traces" "$work/$1/traces" && [ ! -e "$work/$1/journal.jsonl" ] &&
        [ "$(grep '"plan"' "$work/whole/run.json")" = \
        "$(sed '/"merged_from"/,$d' "$work/$1/run.json" | grep '"plan"')" ]
}

run_part whole
for k in 1 2 3; do
    run_part "shard$k" --shard "$k/3"
done
ended 0
check "a run and its three shards work"

program merge --out "$work/merged" "$work/shard3" "$work/shard1" "$work/shard2"
ended 0 2 && grep -q '^96 records of 3 folders in .* iteration-limit' "$work/out" && like_whole merged
check "the merge of all shards, in any order, has the bytes of the unsharded run"
[ "$(sed 's/"seconds.*//' "$work/merged/timings.jsonl")" = "$(sed 's/"seconds.*//' "$work/whole/timings.jsonl")" ] &&
    sed -n 's/.*"seconds"://p' "$work"/shard?/timings.jsonl | sort >"$work/parts" &&
    sed -n 's/.*"seconds"://p' "$work/merged/timings.jsonl" | sort >"$work/all" && same_files "$work/parts" "$work/all"
check "the times are those of the shards, numbered anew"
sed '/"merged_from"/,$d' "$work/merged/run.json" | sed -n '/"plan_of"/,/"missing"/p; /"records"/,/}/p' >"$work/part" &&
    sed -n '/"plan_of"/,/"missing"/p; /"records"/,/}/p' "$work/whole/run.json" >"$work/all"
same_files "$work/part" "$work/all" && grep -q '"missing":.*{' "$work/merged/run.json" &&
    [ "$(grep -c '"folder"' "$work/merged/run.json")" -eq 3 ] && grep -q '"gsl"' "$work/merged/run.json" &&
    ! grep -q '"partial"' "$work/merged/run.json"
check "run.json has counts, outcomes, restrictions, data and what is missing as the unsharded run's, and names the \
folders"
tr -d ' \n\t' <"$work/whole/run.json" >"$work/all"
grep -q '"dataset":"twonorm"[^}]*"train":400,"test":7000}' "$work/all" &&
    grep -q '"dataset":"titanic"[^}]*"train":150,"test":2051}' "$work/all"
check "run.json has the sizes of the splits"
# stage_times FILE: seconds of the stages and of the processor, one per line, from the first `time` in the file.
stage_times() {
    sed '/"merged_from"/,$d' "$1" | tr -d ' \n\t' | sed 's/.*"time":{\([^}]*\)}.*/\1/' | tr ',' '\n' |
        sed '/busy/d; s/.*://'
}
for k in 1 2 3; do
    stage_times "$work/shard$k/run.json" >"$work/times$k"
done
stage_times "$work/merged/run.json" | paste - "$work/times1" "$work/times2" "$work/times3" |
    awk '{ off = $1 - $2 - $3 - $4; if (off < -1e-9 || off > 1e-9) exit 1; all += $1 } END { exit !(NR == 9 &&
        all > 0) }'
check "what the stages took is the sum over the folders"
sed '/"merged_from"/,$d' "$work/whole/run.json" | tr -d ' \t' | tr ',{}' '[\n*]' | awk -F: '
    $1 ~ /^"(kernels|start|selection|stopping|update|judging|prediction|files)"$/ { stages += $2 }
    $1 == "\"threads\"" { threads = $2 } $1 == "\"busy\"" { busy = $2 } $1 == "\"seconds\"" { seconds = $2 }
    END { exit !(stages > 0 && stages <= 1.001 * threads * seconds && busy > 0 && busy <= 1.001) }'
check "the stages of a run take no longer than its threads had, and the threads are no busier than they can be"
printf '%s\n' 'a,b,y' '0,1,1' '1,2,-1' '2,0,1' '3,3,-1' '4,5,1' '5,1,-1' '6,2,1' '7,6,-1' '8,3,1' '9,9,-1' \
    >"$work/few.csv"
cat >"$work/few.txt" <<'EOF2'
train 1-7
test 8-10
train 1-6
test 7-10
EOF2
cat >"$work/few.json" <<EOF2
{"name": "few", "datasets": [{"name": "few", "file": "$work/few.csv", "split_file": "$work/few.txt"}], "splits": "1-2",
 "standardise": "none", "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": 0.5}, "solvers": ["clip-mdm"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}}
EOF2
program run "$work/few.json" --out "$work/few" --quiet
ended 0 && tr -d ' \n\t' <"$work/few/run.json" | grep -q '"official":2,"train":6,"test":4}'
check "of splits of several sizes, the fewest to train and the most to test"
program run "$work/config.json" --out "$work/merged"
ended 0 && grep -q 'already complete' "$work/out" && like_whole merged
check "run finds the merged folder complete"
program merge --out "$work/merged" "$work"/shard?
ended 2 1 && says "contains a finished run" && program merge --out "$work/merged" "$work"/shard? --force && ended 0 2 &&
    like_whole merged
check "a folder with a finished run is refused, and replaced with --force"
program merge --out "$work/shard2" "$work"/shard? --force
ended 2 1 && says "is one of the folders to be merged" && [ -s "$work/shard2/records.jsonl" ]
check "a folder to be merged cannot be the target"
program merge --out "$work/twice" "$work"/shard? "$work/shard1" "$work/whole"
ended 0 2 && like_whole twice
check "records that agree may be there several times"
program merge --out "$work/once" "$work/whole"
ended 0 2 && like_whole once
check "one folder merges to itself"

# ---- restricted runs ----
run_part gsk --solvers mu-gsk
run_part mdm12 --solvers clip-mdm --splits 1-2
for k in 1 2 3; do
    run_part "mdm34.$k" --solvers clip-mdm --splits 3-4 --shard "$k/3"
done
program merge --out "$work/product" "$work/gsk" "$work/mdm12" "$work"/mdm34.?
ended 0 2 && like_whole product
check "runs restricted to solvers and splits, one of them in shards, make the whole"
program merge --out "$work/hole" "$work/gsk" "$work/mdm12"
ended 2 1 && says "no folder covers twonorm, split 3, clip-mdm (8 such combinations)" && [ ! -e "$work/hole" ]
check "a combination that no folder covers is named"
run_part mdm4 --solvers clip-mdm --splits 4 --datasets titanic
run_part mdm24 --solvers clip-mdm --splits 2,4 --datasets titanic
run_part mdm2 --solvers clip-mdm --splits 2 --datasets titanic
program merge --out "$work/some" "$work/mdm4" "$work/mdm2"
ended 0 0 && same_files "$work/some/records.jsonl" "$work/mdm24/records.jsonl" &&
    [ "$(sed '/"merged_from"/,$d' "$work/some/run.json" | grep '"plan"')" = "$(grep '"plan"' "$work/mdm24/run.json")" ]
check "a merge that is not the whole is that of the run restricted so"
run_part empty1 --shard 1/50
blocks=$(sed -n 's/.*"blocks_of_plan":[^0-9]*\([0-9]*\),/\1/p' "$work/empty1/run.json")
for k in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    run_part "empty$k" --shard "$k/50"
done
run_part empty17 --shard 17/50
ended 3 1 && [ "$blocks" -eq 16 ] && [ ! -e "$work/empty17/run.json" ] &&
    program merge --out "$work/fifty" "$work"/empty[1-9] "$work"/empty1[0-6] && ended 0 2 && like_whole fifty
check "shards past the number of blocks are empty and not missed"

# ---- missing parts ----
program merge --out "$work/lacking" "$work/shard1" "$work/shard3"
ended 2 1 && says "1 of 3 shards missing: 2 (of the plan of $work/shard1); --partial" && [ ! -e "$work/lacking" ]
check "a missing shard is named"
program merge --out "$work/lacking" "$work/shard1" "$work/shard2"
ended 2 1 && says "1 of 3 shards missing: 3 (of the plan of $work/shard1)" && [ ! -e "$work/lacking" ]
check "so is the last one"
program merge --out "$work/lacking" "$work/shard2"
ended 2 1 && says "2 of 3 shards missing: 1, 3 (of the plan of $work/shard2)" && [ ! -e "$work/lacking" ]
check "so are the first and the last together"
program merge --out "$work/lacking" "$work"/empty[1-9] "$work"/empty1[0-5]
ended 2 1 && says "missing: 16 (of the plan of" && [ ! -e "$work/lacking" ]
check "where there are more shards than blocks, the last that has one is missed"
program merge --out "$work/lacking" "$work"/empty[4589]
ended 2 1 && says "12 of 50 shards missing: 1-3, 6-7, 10-16 (of the plan of" && [ ! -e "$work/lacking" ]
check "missing shards that follow each other are named by the first and the last"
for k in 1 2 3; do
    cp -r "$work/shard$k" "$work/old$k" && sed -i '/"blocks_of_plan"/d' "$work/old$k/run.json"
done
program merge --out "$work/lacking" "$work/old1" "$work/old2"
ended 2 1 && says "1 of 3 shards missing: 3 (of the plan of $work/old1)" && [ ! -e "$work/lacking" ] &&
    program merge --out "$work/olds" "$work"/old? && ended 0 2 && like_whole olds
check "folders of old versions, which do not tell the number of blocks, must all be there too"
mkdir "$work/unfinished" && cp "$work/shard2/config.json" "$work/unfinished/"
program merge --out "$work/lacking" "$work/shard1" "$work/unfinished" "$work/shard3"
ended 2 1 && says "unfinished: " && [ ! -e "$work/lacking" ]
check "an unfinished folder is named"
program merge --out "$work/lacking" "$work/shard1" "$work/unfinished" "$work/shard3" --partial
ended 0 4 && says "left out: 1 of 3 shards missing: 2" && [ "$(grep -c '"partial"' "$work/lacking/run.json")" -eq 1 ] &&
    grep -vxFf "$work/shard2/records.jsonl" "$work/whole/records.jsonl" >"$work/rest" &&
    same_files "$work/rest" "$work/lacking/records.jsonl" &&
    [ "$(wc -l <"$work/lacking/timings.jsonl")" -eq "$(wc -l <"$work/rest")" ]
check "--partial goes on without, in plan order, and run.json says that it did"
program run "$work/config.json" --out "$work/lacking" --quiet
ended 2 1 && says "contains a finished run of another"
check "run does not take a partial merge for a finished run"
program merge --out "$work/again" "$work/lacking" "$work/shard2"
ended 2 1 && says "a result that lacks parts"
check "a partial merge is no part of another"
program merge --out "$work/none" "$work/unfinished" --partial
ended 3 && says "nothing to merge"
check "nothing to merge ends with status 3"

# ---- parts that do not belong together ----
# edited FILE SED-COMMAND: shard2 with one file changed.
edited() {
    rm -rf "$work/edited" && cp -r "$work/shard2" "$work/edited" && unlist "$work/edited"
    sed "$2" "$work/shard2/$1" >"$work/edited/$1"
    cmp -s "$work/shard2/$1" "$work/edited/$1" && echo "# $2 changes nothing" && return 1
    program merge --out "$work/no" "$work/shard1" "$work/edited" "$work/shard3" "$work/whole"
    ended 2 1 && [ ! -e "$work/no" ]
}
edited records.jsonl '3s/"support_vectors":/"support_vectors":1/' &&
    says "edited/records.jsonl:3" && says "$work/whole/records.jsonl:" && says "contradicts" &&
    says 'but "support_vectors" is'
check "contradicting records are named with both places, the field and its values"
edited records.jsonl '3s/"bias":\([^,]*\),/"bias":\11,/' && says 'but "bias" is'
check "a digit more is enough to contradict"
edited records.jsonl '8s/"width":5/"width":7/' && says "edited/records.jsonl:8: this record belongs to no job"
check "a record of no job is named"
edited records.jsonl '9s/"split":2/"split":"two"/' && says "edited/records.jsonl:9: split: \"two\" is not a number"
check "a damaged record is named"
edited records.jsonl 5d && says "has 29 lines, but run.json says 30 records"
check "records that end early are refused"
edited timings.jsonl '7s/seconds/minutes/' && says "timings.jsonl:7"
check "a damaged time is named"
edited timings.jsonl '3s/"job":\[0/"job":[2/' && says "edited/records.jsonl:3: this record belongs to no job"
check "a record at the place of another job is named"
edited timings.jsonl 's/,"job":.*/}/' && says "edited/timings.jsonl:1: " && says "run it again"
check "a folder of an older build, which does not say the places of its jobs, is refused"
edited config.json 's/"budget": {"iterations": 100}/"budget": {"iterations": 101}/' &&
    says "config.json was changed after the run"
check "a configuration that was changed after the run is refused"
edited run.json '0,/"sha256":.*"b/s//"sha256":	"c/' &&
    says "config.json was changed after the run: it does not match the plan"
check "data hashes that are not those of the plan are refused"
sed 's/"iterations": 100/"iterations": 90/' "$work/config.json" >"$work/other.json"
program run "$work/other.json" --out "$work/other" --shard 2/3 --quiet
program merge --out "$work/no" "$work/shard1" "$work/other" "$work/shard3"
ended 2 1 && says "different configurations: config.json, line 11"
check "another configuration is refused with the line that differs"
awk 'BEGIN { srand(3); for (i = 0; i < 40; i++) { y = i % 2 ? 1 : -1;
    printf "%.3f,%.3f,%d\n", rand() + y, rand(), y } }' >"$work/own.csv"
sed 's/"twonorm", "heart", "titanic"\(.*,\)$/{"name": "own", "file": "OWN"}, "titanic"\1/; /"trace"/d;
    s/"iterations": 100},/"iterations": 100}/' \
    "$work/config.json" | sed "s,OWN,$work/own.csv," >"$work/own.json"
program run "$work/own.json" --out "$work/own1" --shard 1/2 --quiet
sed -i '1s/^0/1/' "$work/own.csv" && sed -i '2s/[0-9],1$/5,1/' "$work/own.csv"
program run "$work/own.json" --out "$work/own2" --shard 2/2 --quiet
ended 0 && program merge --out "$work/no" "$work/own1" "$work/own2" && ended 2 1 && says "data of own differ: SHA-256"
check "other data are refused"
rm -f "$work"/shard?/traces/titanic-3-mu-gsk-4.tsv
program merge --out "$work/no2" "$work"/shard?
ended 2 1 && says "traces/titanic-3-mu-gsk-4.tsv" && [ ! -e "$work/no2/run.json" ]
check "a missing trace is named, and the folder is not taken for finished"
program merge "$work/shard1"
ended 2 && says "expected --out DIR"
check "--out is asked for"
program merge --out "$work/no"
ended 2 && says "expected at least one run folder"
check "folders are asked for"
cp "$hullbench" "$work/rebuilt" && printf x >>"$work/rebuilt"
printf '{"name": "builds", "datasets": [{"name": "twonorm", "made": true}], "splits": "1-2", "standardise": "none",
 "kernel": {"type": "rbf", "width": 40}, "parameters": {"mu": 0.1}, "solvers": ["clip-mdm"], "stop": {"rule": "rch-gap",
  "tolerance": 1e-3}}' >"$work/builds.json"
program run "$work/builds.json" --out "$work/build-1" --shard 1/2 --quiet
"$work/rebuilt" run "$work/builds.json" --out "$work/build-2" --shard 2/2 --quiet 2>>"$work/err"
program merge --out "$work/builds" "$work/build-1" "$work/build-2" --quiet
ended 0 && says "the folders come from different builds of the program" &&
    grep -q program_sha256 "$work/builds/run.json"
check "folders of two builds of the program are merged with a note"
finish
