# shellcheck shell=sh
# Sourced after tap.sh: a cluster of one node in $work/slurm on the loopback interface, with its own key, ports and
# daemons. slurm_start starts the daemons; they end with the test.

# The required programs that are missing.
slurm_missing() {
    for tool in munged slurmctld slurmd sbatch scontrol squeue; do
        PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || printf ' %s' "$tool"
    done
}

slurm_conf() {
    node=$(hostname -s)
    port=$((20000 + $$ % 10000 * 2))
    cat <<END
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$1/munge.socket
CredType=cred/munge
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=4
PartitionName=test Nodes=$node Default=YES State=UP
END
}

# The jobs end before the daemons, of which slurmstepd would outlive the others with its job.
slurm_stop() {
    scancel --quiet --user="$(id -un)" 2>/dev/null
    tries=0
    while [ "$(squeue --noheader 2>/dev/null)" ] && [ $((tries += 1)) -le 100 ]; do sleep 0.1; done
    # shellcheck disable=SC2086 # several
    kill $daemons 2>/dev/null
    # shellcheck disable=SC2086
    wait $daemons 2>/dev/null
}

# Succeeds if the node is idle.
slurm_start() {
    PATH=$PATH:/usr/sbin
    # shellcheck disable=SC2154 # of tap.sh
    slurm=$work/slurm
    mkdir -p "$slurm/state" "$slurm/spool"
    chmod 755 "$work"
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    slurm_conf "$slurm" >"$SLURM_CONF"
    (umask 077 && head -c 128 /dev/urandom >"$slurm/munge.key")
    munged --foreground --force --num-threads=1 --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
        --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.log" --seed-file="$slurm/munged.seed" \
        >"$slurm/munged.out" 2>&1 &
    daemons=$!
    tries=0
    while [ ! -S "$slurm/munge.socket" ] && [ $((tries += 1)) -le 200 ]; do sleep 0.05; done
    slurmctld -D -c >"$slurm/slurmctld.out" 2>&1 &
    daemons="$daemons $!"
    slurmd -D -N "$(hostname -s)" >"$slurm/slurmd.out" 2>&1 &
    daemons="$! $daemons"
    # shellcheck disable=SC2034 # run by tap.sh at the end
    cleaning=slurm_stop
    tries=0
    while [ $((tries += 1)) -le 200 ]; do
        [ "$(timeout 10 sinfo --noheader --format=%t 2>/dev/null)" != idle ] || return 0
        sleep 0.1
    done
    cat "$slurm"/*.out "$slurm"/slurm*.log >"$work/err"
    return 1
}

# A requeued job waits two minutes in Slurm, so that its start is later than the previous end by every clock. Two
# seconds are enough here.
slurm_hurry() {
    back=$(squeue --noheader --array --states=PENDING --format='%i %r' | sed -n 's/ BeginTime$//p')
    [ -n "$back" ] || return 0
    sleep 2
    for job in $back; do
        scontrol update JobId="$job" StartTime=now
    done
}

# slurm_done SECONDS: waits until no job is left, for at most some SECONDS.
slurm_done() {
    end=$(($(date +%s) + $1))
    while [ "$(date +%s)" -le "$end" ]; do
        left=$(squeue --noheader) && [ -z "$left" ] && return 0
        slurm_hurry
        sleep 0.2
    done
    squeue >"$work/err" 2>&1
    return 1
}
