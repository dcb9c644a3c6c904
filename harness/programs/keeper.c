/* Starts, watches and ends a program. The keeper calls only functions that are safe after fork in a process with
 * threads: it allocates nothing and uses no stream. */
#include "harness/programs/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/platform.h"

/* Descriptors of the keeper. */
enum { LIFE = 3, KEPT_DESCRIPTORS };

static const struct timespec moment = {.tv_nsec = 1000000};

/* ---- the keeper ---- */

static void on_child(int number)
{
    (void)number; /* interrupts pselect */
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) {
        /* nobody reads it */
    }
}

/* Tells the parent the program's number or, negative, why there is none, and in the end how it ended. */
static void tell(int life, int what)
{
    if (send(life, &what, sizeof what, MSG_NOSIGNAL) < 0) {
        /* the parent has ended, which keep sees, too */
    }
}

static _Noreturn void be_program(const char *folder, const char *const arguments[], pid_t keeper)
{
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    platform_begin_child(keeper);
    close(LIFE);
    if (chdir(folder) != 0)
        say("cannot enter the folder of the declaration: ");
    else {
        execvp(arguments[0], (char *const *)(uintptr_t)arguments); /* it changes none */
        say(arguments[0]);
        say(": cannot be executed: ");
    }
    say(errno == ENOENT ? "no such file" : errno == EACCES ? "permission denied" : "system error");
    say("\n");
    _exit(127);
}

/* Kills all children, which include orphans of the program's own children. */
static void kill_children(pid_t program)
{
    char list[4096];
    kill(-program, SIGKILL);
    const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? 0 : read(file, list, sizeof list - 1);
    if (file >= 0)
        close(file);
    list[length > 0 ? length : 0] = '\0';
    for (char *at = list, *end; (void)(end = at), *at; at = end) {
        const long child = strtol(at, &end, 10);
        if (end == at)
            break;
        kill((pid_t)child, SIGKILL);
    }
}

/* Notes the end of the program, and forgets other children. Returns zero once there are none. */
static int reap(pid_t program, int *how, int *is_over)
{
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0)
        if (child == program) {
            *how = status;
            *is_over = 1;
        }
    return child == 0;
}

static _Noreturn void keep(pid_t program)
{
    int how = 0, is_over = 0, is_alone = 0;
    sigset_t all_but_child;
    sigfillset(&all_but_child);
    sigdelset(&all_but_child, SIGCHLD);
    while (!is_over && !is_alone) {
        fd_set life;
        FD_ZERO(&life);
        FD_SET(LIFE, &life);
        if (!reap(program, &how, &is_over) || is_over)
            break;
        is_alone = pselect(LIFE + 1, &life, NULL, NULL, NULL, &all_but_child) > 0;
    }
    if (is_over)
        tell(LIFE, how);
    do {
        kill_children(program);
        nanosleep(&moment, NULL);
    } while (reap(program, &how, &is_over));
    _exit(0);
}

static _Noreturn void give_up(int life)
{
    tell(life, -errno);
    _exit(1);
}

/* `ends` are those of the program: input, output, errors, and of the keeper: life. */
static _Noreturn void be_keeper(const int ends[KEPT_DESCRIPTORS], const char *folder, const char *const arguments[])
{
    const struct sigaction wake = {.sa_handler = on_child};
    sigset_t all;
    int copies[KEPT_DESCRIPTORS];
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setpgid(0, 0); /* what is sent to the group of hullbench, such as a terminal's interrupt, is for hullbench */
    sigaction(SIGCHLD, &wake, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int k = 0; k < KEPT_DESCRIPTORS; k++)
        if ((copies[k] = fcntl(ends[k], F_DUPFD, KEPT_DESCRIPTORS)) < 0)
            give_up(ends[LIFE]);
    for (int k = 0; k < KEPT_DESCRIPTORS; k++)
        if (dup2(copies[k], k) < 0)
            give_up(copies[LIFE]);
    platform_close_from(KEPT_DESCRIPTORS);
    const pid_t keeper = getpid(), program = platform_fork();
    if (program == 0)
        be_program(folder, arguments, keeper);
    if (program < 0)
        give_up(LIFE);
    for (int k = 0; k < LIFE; k++)
        close(k);
    setpgid(program, program);
    tell(LIFE, program);
    keep(program);
}

/* ---- this process ---- */

static void close_all(const int *files, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (files[k] >= 0)
            close(files[k]);
}

int keeper_start(const char *folder, const char *const arguments[], struct kept *kept)
{
    int files[2 * KEPT_DESCRIPTORS] = {-1, -1, -1, -1, -1, -1, -1, -1}; /* ends for reading and writing, in turn */
    int fails = 0;
    *kept = (struct kept){.life = -1};
    for (int k = 0; k < LIFE; k++)
        fails |= pipe(files + 2 * k);
    fails |= socketpair(AF_UNIX, SOCK_STREAM, 0, files + 2 * (size_t)LIFE);
    const struct kept ours = {.input = files[1], .output = files[2], .errors = files[4], .life = files[7]};
    const int theirs[] = {files[0], files[3], files[5], files[6]};
    for (int k = 0; k < 2 * KEPT_DESCRIPTORS && !fails; k++)
        fails = fcntl(files[k], F_SETFD, FD_CLOEXEC) != 0;
    fails = fails || fcntl(ours.input, F_SETFL, O_NONBLOCK) != 0 || fcntl(ours.output, F_SETFL, O_NONBLOCK) != 0 ||
            fcntl(ours.errors, F_SETFL, O_NONBLOCK) != 0;
    const pid_t keeper = fails ? -1 : platform_fork();
    if (keeper == 0)
        be_keeper(theirs, folder, arguments);
    const int reason = errno;
    if (keeper < 0) {
        close_all(files, sizeof files / sizeof *files);
        return reason;
    }
    close_all(theirs, sizeof theirs / sizeof *theirs);
    *kept = ours;
    kept->keeper = keeper;
    int told = -ECHILD; /* the keeper was killed */
    while (recv(kept->life, &told, sizeof told, MSG_WAITALL) < 0 && errno == EINTR) {
        /* again */
    }
    kept->program = told;
    if (told < 0)
        keeper_end(kept, 0);
    return told < 0 ? -told : 0;
}

const char *keeper_how_it_ended(const struct kept *kept)
{
    const int one_second = 1000;
    struct pollfd life = {.fd = kept->life, .events = POLLIN};
    int how;
    if (poll(&life, 1, one_second) != 1 || recv(kept->life, &how, sizeof how, 0) != sizeof how)
        return "closed its standard output";
    return WIFSIGNALED(how) ? message_text("was killed by %s", platform_signal_name(WTERMSIG(how)))
                            : message_text("ended with status %d", WEXITSTATUS(how));
}

void keeper_forget(struct kept *kept)
{
    const int files[] = {kept->input, kept->output, kept->errors, kept->life};
    if (kept->life >= 0)
        close_all(files, sizeof files / sizeof *files);
    *kept = (struct kept){.life = -1, .input = -1, .output = -1, .errors = -1};
}

void keeper_end(struct kept *kept, int grace)
{
    struct pollfd life = {.fd = kept->life, .events = POLLIN};
    if (kept->life < 0)
        return;
    close(kept->input);
    kept->input = -1;
    poll(&life, 1, grace);
    shutdown(kept->life, SHUT_RDWR); /* also where a copy of this process holds a copy of the descriptor */
    while (waitpid(kept->keeper, NULL, 0) < 0 && errno == EINTR) {
        /* again */
    }
    keeper_forget(kept);
}
